"""From characters to ids: the shipped tokenizers, and teaching versions that record every step."""
