"""Whether anything was lost and whether the journal is true, by what is on the disk alone.

Nothing of the writer is used here: what should be there follows from the plan, what is there is
read, and the journal is read line by line.
"""

from collections.abc import Iterable
from pathlib import Path

from bough.errors import BoughError
from bough.timetravel import operations as travel
from bough.timetravel.errors import AlreadyThere, CannotUndo, OperationNotFound
from bough.timetravel.plan import Append, Create, Move, Plan, Remove, Replace
from tests.faults.cases import World

Files = dict[str, bytes]

_REASONS = (
    "was written to since",
    "has gone on from there",
    "added since, after one without a newline",
    "is there again",
    "is gone",
)
"""Why an undo may be refused where a client wrote meanwhile."""


def foresee(plan: Plan, before: Files) -> Files:
    """Give the sessions as they are once a plan is carried out."""
    after = dict(before)
    for step in plan.steps:
        match step:
            case Create() | Replace():
                after[step.path] = step.data
            case Append():
                after[step.path] += step.data
            case Remove():
                del after[step.path]
            case Move():
                moved = {path for path in after if Path(path).is_relative_to(step.path)}
                for path in moved:
                    target = Path(step.target, Path(path).relative_to(step.path))
                    after[str(target)] = after.pop(path)
            case _:
                pass
    return after


def without(files: Files, lines: Iterable[bytes]) -> Files:
    """Take the lines of clients out of files, and files that hold nothing else."""
    found = {}
    for path, data in files.items():
        left = b"\n" + data
        for line in lines:
            left = left.replace(b"\n" + line, b"\n")
        if left != b"\n":
            found[path] = left[1:]
    return found


class Judgement:
    """What one trial left behind."""

    def __init__(self, world: World, plan: Plan, before: Files, number: int) -> None:
        self.world = world
        self.before = before
        self.after = foresee(plan, before)
        self.plan = plan
        self.number = number
        self.lines: list[bytes] = []

    @property
    def state(self) -> str:
        """Read the operation's state; "" where it never began."""
        return self.world.list_states().get(self.number, ("", ""))[0]

    def judge_end(self, code: int, message: str) -> list[str]:
        """Hold what was returned or said against what is there, before any recovery."""
        if code == 0 and self.state != "done":
            return [f"lie: returned, and the journal says {self.state or 'nothing'}"]
        if code == 1 and "Nothing was" in message and self._now() != self.before:
            return [f"lie: said {message!r}"]
        return [f"crash: {message}"] if code == 3 else []

    def judge_journal(self) -> list[str]:
        """Hold the journal's state against what is there."""
        now = self._now()
        state, reason = self.world.list_states().get(self.number, ("", ""))
        true = {"": now == self.before, "taken back": now == self.before, "done": now == self.after}
        if state == "abandoned" and self.lines:
            named = [word.strip(";:,.()") for word in reason.split() if word.startswith("/")]
            named_all = bool(named) and all(Path(path).exists() for path in named)
            true["abandoned"] = named_all and now not in (self.before, self.after)
        # Where no link to another disk can be made, the old file is held beside the new one.
        left = [path for path in self.world.projects.rglob(".bough*") if path.suffix != ".old"]
        lies = [] if true.get(state) else [f"lie: {state or 'never begun'} ({reason})"]
        return lies + [f"left behind: {path.name}" for path in left]

    def judge_bytes(self) -> list[str]:
        """Look for every line of the clients and every line that was there."""
        live = b"\n".join(self.world.read_sessions().values())
        backups = (self.world.folder / "data" / "backups").rglob("*")
        kept = b"\n".join(path.read_bytes() for path in backups if path.is_file())
        if self.state == "abandoned":
            live += b"\n" + kept
        lost = [f"lost: {line!r}" for line in set(self.lines) if line not in live]
        old = {line for data in self.before.values() for line in data.split(b"\n")}
        return lost + [f"lost: {line!r}" for line in old if line not in live and line not in kept]

    def judge_way_back(self, original: bytes) -> list[str]:
        """Undo what was done, or restore what was not, and look again."""
        state, world = self.state, self.world
        here = self._find_session()
        try:
            if state == "done":
                plan = travel.undo(self.number, environment=world.open())
            elif here is not None:
                plan = travel.restore(here, environment=world.open())
            else:
                return []
            world.apply(plan)
        except (AlreadyThere, OperationNotFound) as refusal:
            now = self._now()
            true = now == self.before
            if state == "abandoned" and here is not None:
                # Half a line that nobody can tell apart may stand behind what was there.
                true = now.get(str(here), b"").startswith(self.before[str(here)])
            return [] if true else [f"no way back: {refusal.message}"]
        except CannotUndo as refusal:
            fine = self.lines and any(reason in refusal.message for reason in _REASONS)
            return [] if fine else [f"no way back: {refusal.message}"]
        except BoughError as error:
            return [f"no way back: {error.message}"]
        now = self._now()
        wanted = [self.before]
        if here is not None and state != "done":
            wanted.append({**self.before, str(here): original})
        lies = [] if now in wanted else ["no way back: it is not what it was"]
        return lies + self.judge_bytes()

    def _now(self) -> Files:
        return without(self.world.read_sessions(), set(self.lines))

    def _find_session(self) -> Path | None:
        """Find the session that was to change."""
        steps = [s for s in self.plan.steps if isinstance(s, Append | Replace | Remove)]
        return Path(steps[0].path) if steps else None
