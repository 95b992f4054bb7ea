"""From a description to a picture that shows itself: DOT, SVG, text, themes, export."""
