"""The local cohort: small checkpoints that let anyone run the model stage; they say nothing about LLM ability."""
