"""Ways of learning, one file each: where examples come from, their losses, and how good it got."""
