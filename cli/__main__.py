"""The command `memud`, also as `python -m cli`."""

import os
import sys

_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive"}


def main() -> None:
    """Carry out the command line and end the process with its exit code."""
    # Numpy's libraries read these when they are loaded: idle threads that spin would burn a core.
    for name, value in _ONE_THREAD.items():
        os.environ.setdefault(name, value)
    from cli.app import main as carry_out

    sys.exit(carry_out(sys.argv[1:]))


if __name__ == "__main__":
    main()
