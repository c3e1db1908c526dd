"""Who decides: a judge a file."""
