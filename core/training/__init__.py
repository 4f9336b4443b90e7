"""How the shipped models are made: data, objectives, schedules, one loop, one recipe a model."""
