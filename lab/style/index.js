import './base.css';
import './home.css';
