"""Runs a command as a user who may not read everything: root without the privileges that override file modes.

Any interpreter will do, also one that only root can reach, where changing the user would not. Linux only.
"""

import ctypes
import os
import sys

PR_CAPBSET_DROP = 24
CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER = 1, 2, 3
CANNOT = 77


def main() -> None:
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        for capability in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER):
            if libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0:
                sys.exit(CANNOT)
    os.execv(sys.argv[1], sys.argv[1:])  # the bounding set is what the new program may have


if __name__ == "__main__":
    main()
