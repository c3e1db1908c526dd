"""One module a product or data set whose memories can be read, found by its name; see ``memories.exports``."""
