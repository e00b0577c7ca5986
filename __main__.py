"""``python -m headproof``."""

import sys

from headproof.proofs_check.cli import main  # noqa: TID251

if __name__ == "__main__":
    sys.exit(main())
