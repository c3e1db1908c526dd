"""Where a checkpoint is, and the proof that it is the pinned one."""
