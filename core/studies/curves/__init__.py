"""Small models of one budget, trained beside each other for their curves alone."""
