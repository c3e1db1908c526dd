"""What is asked: records, tasks, grids and their storage."""
