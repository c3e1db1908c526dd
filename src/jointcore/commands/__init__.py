"""The subcommands of ``jointcore``: each module adds its arguments and runs."""
