"""``python -m autocomp_launcher``: the command where it is not on the path."""

import sys

from autocomp_launcher import main

sys.exit(main())
