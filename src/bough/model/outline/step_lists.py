"""The steps of a session as lists of numbers: made by `branch_steps`, kept as JSON, read here."""

from bisect import bisect_right
from collections.abc import Sequence

import msgspec
from msgspec import Struct

FIRST = -1
"""What lies before the first step."""
OFF = -2
"""Before a step that no conversation passes through; it goes with the first branch."""


class BranchSteps(Struct, frozen=True, array_like=True):
    """The steps of a session: where they begin, what lies before each, and whose they are.

    `offsets` are the places in the file where another step begins, `steps` which one; `parents`
    and `owners` go by step.
    """

    offsets: Sequence[int] = (0,)
    steps: Sequence[int] = (0,)
    parents: Sequence[int] = (FIRST,)
    owners: Sequence[int] = (0,)

    def step_at(self, offset: int) -> int:
        """Give the step a line stands on."""
        return self.steps[max(0, bisect_right(self.offsets, offset) - 1)]


ONE_STEP = BranchSteps()
"""The steps of a session that never parts."""


_decode = msgspec.json.Decoder(BranchSteps).decode


def read_branch_steps(steps: str | None) -> BranchSteps:
    """Read steps as the index keeps them; None where there is but one."""
    return ONE_STEP if steps is None else _decode(steps)
