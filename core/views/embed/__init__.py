"""The input: each token's row of the table, and the row of its place added to it."""
