"""The film of learning: one small GPT, its weights kept while it learns, and what they know."""
