"""The `course` sub-commands about exercises: what a student or an author types in a terminal."""
