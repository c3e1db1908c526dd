"""A user's own memory: which of these texts does a decision rest on, which can go."""
