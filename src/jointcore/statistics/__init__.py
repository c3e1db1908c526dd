"""What the outcomes mean: registered tests, intervals, effect sizes, gates, pools and tables."""
