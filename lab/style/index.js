import './base.css';
import './home.css';
import './guess.css';
