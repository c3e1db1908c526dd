"""Retain or consolidate (Kang et al., arXiv 2607.17545): under a budget, keep raw notes or replace them by a record."""
