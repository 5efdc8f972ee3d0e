"""Measures. One BLAS thread, as in the daemon: more of them spin, and their waiting counts as CPU time."""

import os

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # before numpy is loaded, which reads them once
