"""A made-up session of 25,000 records: the size at which pages of conversations give up.

Five rewinds, four compactions, and in every turn thinking, prose with code, shell output,
an edit and a file that was read, so that what is drawn is as heavy as the real thing.
"""

from pathlib import Path

from bough.sample import session

WORDS = "The checkpoint has to be written after the batch commits, not before it. "
RARE = "quicksilver"
_TURNS = 1_390
_CODE = "```python\ndef load(path: Path) -> Checkpoint:\n    return Checkpoint(path.stat())\n```"
_REWINDS = {200, 430, 660, 890, 1_120}
_COMPACTIONS = {250, 500, 750, 1_000}


def write_long(claude_dir: Path) -> tuple[str, int]:
    """Write the session; give its id and how many records it has."""
    told = session("benchmark-web")
    for turn in range(1, _TURNS + 1):
        if turn in _REWINDS:
            told.at(f"answer-{turn - 3}")
        rare = f" {RARE}" if turn % 30 == 0 else ""
        told.user(f"Turn {turn}: make the import resumable{rare}. {WORDS * 2}", name=f"turn-{turn}")
        told.thinking(WORDS * 6)
        told.assistant(f"{WORDS * 4}\n\n{_CODE}\n\n- one\n- two with `code` and **words**\n")
        for step in range(5):
            command = {"command": f"pytest -q tests/import/test_{turn}_{step}.py"}
            told.tool("Bash", command, f"PASSED line {step} of the output\n" * 40)
        file = f"/home/dev/code/orchard-shop/src/import/part_{turn % 40}.py"
        old, new = (
            f"job = ImportJob({turn})\njob.run()",
            f"job = ImportJob({turn}, point)\njob.run()",
        )
        told.tool("Read", {"file_path": file}, "".join(f"{n:6}\t{WORDS}\n" for n in range(1, 30)))
        edit = {"file_path": file, "old_string": old, "new_string": new}
        told.tool("Edit", edit, f"The file {file} has been updated.")
        told.assistant(f"Done with {turn}. {WORDS * 3}", name=f"answer-{turn}")
        if turn in _COMPACTIONS:
            told.compact()
    path = told.write(claude_dir)
    with path.open("rb") as lines:
        return told.session_id, sum(1 for _ in lines)


_BRANCH_POINTS = 1_000
_STEPS_EACH = 12


def write_branched(claude_dir: Path) -> tuple[str, int]:
    """Write a session that parts 1,000 times, every fifth time inside a branch that was left."""
    told = session("benchmark-tree")
    told.user("Begin.").assistant("Ready.", name="stem")
    stem, side = "stem", "stem"
    for turn in range(1, _BRANCH_POINTS + 1):
        if turn % 5 == 0:
            told.at(side).user(f"More of try {turn - 1}.").assistant("Done.")
        told.at(side if turn % 5 == 0 else stem)
        told.user(f"Try {turn}: another way to resume the import. {WORDS}")
        for step in range(_STEPS_EACH - 2):
            told.tool("Bash", {"command": f"pytest -q part_{turn}_{step}"}, "PASSED\n" * 3)
        told.assistant(f"This is how far try {turn} went. {WORDS}", name=f"side-{turn}")
        side = f"side-{turn}"
        told.at(stem).user(f"Turn {turn}: go on. {WORDS}")
        told.assistant(f"Done with {turn}.", name=f"stem-{turn}")
        stem = f"stem-{turn}"
    path = told.write(claude_dir)
    with path.open("rb") as lines:
        return told.session_id, sum(1 for _ in lines)
