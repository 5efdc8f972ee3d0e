"""CPU time of this process and of others, all threads, to the microsecond. Linux."""

import resource
import time


def own_s() -> float:
    """Of this process, and of the children that it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def process_s(pid: int) -> float:
    """Of a running process; the kernel's clock of it, as /proc counts in hundredths of a second alone."""
    return time.clock_gettime((~pid << 3) | 2)
