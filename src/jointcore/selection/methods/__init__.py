"""One module a method; a module here is found by its name, see ``jointcore.selection.catalogue``."""
