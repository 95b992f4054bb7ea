"""Many elements to few: sums, extremes, statistics, running sums."""
