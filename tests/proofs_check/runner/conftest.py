"""Makes fake_claims importable, here and in the processes that a run starts."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
