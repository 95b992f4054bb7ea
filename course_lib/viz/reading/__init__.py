"""Reading what is to be drawn, through public attributes only."""
