"""Tables, comparisons and pages: what a reader sees."""
