"""Who answers a query, and how the answer is kept."""
