"""Operations that the course does not run."""
