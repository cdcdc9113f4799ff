"""Makes the helper modules of this folder importable and fixes how Hypothesis draws."""

import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))

# The same examples on every machine and every day: a red test must be red for everybody.
settings.register_profile(
    "reproducible", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("reproducible")
