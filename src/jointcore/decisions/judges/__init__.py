"""One module a kind of judge; a module here is found by its name, see ``jointcore.decisions.catalogue``."""
