"""A clock that a test turns by hand."""

from __future__ import annotations


class FakeClock:
    """Stands still until it is told otherwise; implements ``ports.Clock``.

    >>> clock = FakeClock()
    >>> clock.advance(30)
    >>> clock()
    30.0
    """

    def __init__(self, now: float = 0.0) -> None:
        self.now = float(now)

    def __call__(self) -> float:
        """Return the seconds at which the clock stands."""
        return self.now

    def advance(self, seconds: float) -> None:
        """Move on; a clock never goes back."""
        if seconds < 0:
            raise ValueError(f"a clock only goes forward; it was moved by {seconds} seconds")
        self.now += seconds
