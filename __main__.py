"""``python -m headproof``."""

import sys

from .proofs_check.cli import main

if __name__ == "__main__":
    sys.exit(main())
