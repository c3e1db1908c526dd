"""One module a family: its sufficiency and its minimal sufficient sets."""
