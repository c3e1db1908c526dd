"""Causal Memory Intervention (Srivastava, arXiv 2605.17641): its recorded numbers, replayed and audited."""
