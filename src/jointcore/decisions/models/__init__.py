"""What the models file says of each model."""
