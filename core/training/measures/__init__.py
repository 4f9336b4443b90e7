"""The figures on a model's card, measured from its weights and public text."""
