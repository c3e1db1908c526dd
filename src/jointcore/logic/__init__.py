"""What is true: the logical rule and the oracle of every family."""
