"""The op table: every operation is declared once, in the file of its family."""
