"""The types of a tensor's elements: dtypes, their promotion and their limits."""
