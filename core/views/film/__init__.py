"""Views of the film of learning."""
