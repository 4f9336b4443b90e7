"""From distributions to text: filters that show what they cut, and generation step by step."""
