"""What is shown before anything is chosen, and what was measured once: texts, pictures, curves."""
