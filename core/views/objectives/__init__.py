"""One text as each way of learning has it."""
