"""Runs the command ``jointcore`` as ``python -m jointcore``."""

import sys

from jointcore.cli import main

sys.exit(main())
