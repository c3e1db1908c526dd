"""Many questions about a user's own memories in the workflow: read, run, tabulated, drawn."""
