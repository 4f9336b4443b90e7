"""What is in each kind of place: a function for each that gives the columns of its marks."""
