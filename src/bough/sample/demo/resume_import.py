"""The main story: an import is made resumable, with two ways left behind.

Two rewinds, two agents, a compaction, a fork, and a turn that still runs. The times, prompts,
steps and costs are those the documentation shows, so that it can be compared with the program.
"""

from collections.abc import Sequence

import msgspec

from bough.sample.builder.session import Session
from bough.sample.data.ids import prefixed
from bough.sample.demo import resume_calls as special
from bough.sample.demo import resume_texts as words
from bough.sample.demo.repository_files import ORCHARD as FILES
from bough.sample.demo.toolkit import Desk
from bough.sample.demo.turns import Beat, Budget, beats, errand, play
from bough.sample.demo.world import ORCHARD, RESUME_IMPORT, Calendar, begin

SEED = "resume-import"
TITLE = "Make the CSV import resumable"
LINT = "scripts/lint.sh"


def sessions(calendar: Calendar) -> list[Session]:
    """Give the story and the session that was branched off it."""
    story = _Story(calendar)
    story.understand()
    story.left_behind()
    story.checkpoint()
    story.compacted()
    story.command_line()
    fork = story.branched_off()
    story.finish()
    return [story.book, fork]


class _Story:
    """The session while it is told."""

    def __init__(self, calendar: Calendar) -> None:
        self.calendar = calendar
        self.prompt = ""
        self.desk = Desk(RESUME_IMPORT, FILES)
        self.book = begin(
            SEED,
            calendar.today("13:02"),
            session_id=prefixed("3f9c21d0", SEED),
            cwd=RESUME_IMPORT,
            branch="feat/resume",
            permission_mode="acceptEdits",
        )
        self.book.mode().permission_mode().ai_title(TITLE)
        self.book.worktree_state("resume-import", RESUME_IMPORT, ORCHARD)

    def asked(self, prompt_id: str, clock: str, prompt: str) -> None:
        """Write a prompt under its id, with the snapshot a client takes before it."""
        uuid = prefixed(prompt_id, SEED)
        self.book.clock(self.calendar.today(clock)).snapshot(uuid)
        self.book.user(prompt, name=prompt_id, uuid=uuid)
        self.prompt = prompt

    def done(self, story: Sequence[Beat], budget: Budget) -> None:
        """Write what the model did, and what the client notes at the end of a turn."""
        started = self.book.now
        play(self.book, story, budget)
        self.book.stop_hooks(LINT)
        self.book.turn_duration((self.book.now - started).total_seconds())
        self.book.last_prompt(self.prompt, leaf=self.book.cursor)

    def understand(self) -> None:
        """Find the cause and make a plan."""
        desk, book = self.desk, self.book
        self.asked("8a1f", "13:02", "The nightly import dies half way. Make it resumable.")
        for kind in ("environment", "deferred_tools_delta", "agent_listing_delta", "skill_listing"):
            book.attachment(kind)
        looks = desk.survey(20, "import", "with_retry", "ImportJob")
        seen = "orders imported: 41500\nConnectionError: server closed the connection\n"
        looks.append(desk.bash("tail -n 2 var/log/import.log", seen))
        looks.append(desk.bash("pytest -q tests/import", "12 passed in 1.9s", seconds=2.4))
        first = "I look at the import and at last night's log before I change anything."
        self.done(beats(looks, words.CAUSE, first=first), Budget(0.84, 540, (16_000, 52_000)))

        self.asked("51c3", "13:19", "Where do we lose the cursor today?")
        calls = desk.survey(18, "offset", "done", "tell")
        search = errand("where the cursor is lost", words.LOST_ANSWER, calls, Budget(0.17, 74))
        search = msgspec.structs.replace(search, prompt=words.LOST_BRIEF)
        rest = beats(desk.survey(14, "offset", "done", "retry"), words.LOST, size=3)
        self.done([Beat(errands=[search]), *rest], Budget(0.34, 380, (52_000, 66_000)))

        self.asked("0e77", "13:31", "Write the plan first, no code yet")
        plan = beats(desk.survey(3, "Checkpoint"), words.PLAN, size=3)
        self.done(plan, Budget(0.22, 160, (66_000, 72_000)))
        book.call("planned")

    def left_behind(self) -> None:
        """Follow an idea for three turns and give it up."""
        desk = self.desk
        self.asked("c2a9", "13:40", "Use a job table instead")
        table = desk.write("src/import/table.py", '"""One row per batch."""\n')
        calls = [table, *desk.survey(8, "database", "insert")]
        self.done(beats(calls, words.JOB_TABLE, size=3), Budget(0.24, 420, (72_000, 80_000)))

        self.asked("7d10", "13:52", "Add the migration")
        migration = '"""Add import_job."""\n\nTABLE = "import_job"\n'
        calls = [desk.write("migrations/0042_import_job.py", migration), *desk.survey(15)]
        calls.append(desk.bash("make migrate", "0042_import_job ... ok", seconds=3))
        self.done(beats(calls, words.MIGRATION, size=4), Budget(0.39, 280, (80_000, 94_000)))

        self.asked("b41f", "13:58", "Why is the lock held so long?")
        calls = desk.survey(12, "lock", "insert", "with_retry")
        self.done(beats(calls, words.LOCK, size=4), Budget(0.29, 241, (94_000, 100_000)))
        self.book.at("planned")

    def checkpoint(self) -> None:
        """Build it the simple way."""
        desk = self.desk
        self.asked("94be", "14:05", "Keep a checkpoint file next to the CSV")
        calls = [
            desk.write("src/import/checkpoint.py", FILES["src/import/checkpoint.py"]),
            desk.edit("src/import/reader.py", "yield Order.from_row(row)", special.YIELD),
            desk.edit("src/import/job.py", "self.done += len(batch)", special.SAVE),
            desk.bash("pytest -q tests/import", "1 failed, 25 passed", code=1, seconds=4),
            *desk.survey(25, "offset", "Checkpoint", "rows"),
            desk.edit("src/import/job.py", "BATCH = 500", "BATCH = 500  # rows per commit"),
            desk.bash("pytest -q tests/import", "26 passed in 4.0s", seconds=4),
        ]
        self.done(
            beats(calls, words.CHECKPOINT, size=4, first="I start with the checkpoint itself."),
            Budget(1.40, 1_500, (72_000, 168_000)),
        )

    def compacted(self) -> None:
        """Let the client make room."""
        book = self.book
        said = [each for each in book.records() if each["type"] in {"user", "assistant"}]
        book.clock(self.calendar.today("14:31"))
        book.compact(
            words.COMPACTED,
            keep=[str(record["uuid"]) for record in said[-6:]],
            preTokens=168_000,
            postTokens=22_000,
            durationMs=52_000,
        )
        book.attachment("compact_file_reference")

    def command_line(self) -> None:
        """Wire it up; the first try is stopped and said again in other words."""
        desk, book = self.desk, self.book
        self.asked("2f60", "14:33", "Now wire it to the command line, with @cli/main.py")
        book.attachment("file", special.mentioned(desk, "cli/main.py"))
        calls = [desk.read("cli/main.py"), desk.grep("resume")]
        self.done(beats(calls, words.WIRING), Budget(0.09, 70, (38_000, 42_000)))
        book.call("wired")

        self.asked("66d8", "14:36", "Use new click options for it")
        option = '@click.option("--from-checkpoint", is_flag=True)\n'
        old = '@click.option("--dry-run", is_flag=True)\n'
        calls = [
            desk.read("cli/main.py", 14, 24),
            special.refused(desk.path("cli/main.py"), old, old + option),
        ]
        play(book, [Beat("I add an option of its own.", calls)], Budget(0.05, 30, (42_000, 44_000)))
        book.interrupt(in_tool=True).at("wired")

        self.asked("e9a4", "14:38", "Use the existing flags, no new ones\n--restart starts over.")
        self.done(self._flags(), Budget(0.31, 144, (42_000, 62_000)))

        self.asked("13cc", "14:51", "What happens when the CSV changes between two runs?")
        looks = [*desk.survey(5, "size", "offset"), special.hashed(desk)]
        self.done(beats(looks, words.CHANGED), Budget(0.31, 150, (62_000, 72_000)))
        book.call("changed")

    def _flags(self) -> list[Beat]:
        desk = self.desk
        calls = desk.survey(31, "ImportJob", "run", "dry_run")
        task = "find every caller of ImportJob"
        search = errand(task, words.CALLERS_ANSWER, calls, Budget(0.41, 111))
        search = msgspec.structs.replace(search, prompt=words.CALLERS_BRIEF)
        old = "    job = ImportJob(path, dry_run)\n    done = job.run(connect())\n"
        failed = "FAILED tests/import/test_resume.py::test_second_run_skips_done_rows"
        pytest = "pytest -q tests/import"
        moved = desk.edit("src/import/reader.py", "offset = file.tell()", special.COUNTED)
        return [
            Beat(words.FLAGS_START, thought=words.FLAGS_THOUGHT, errands=[search]),
            Beat(calls=[desk.read("cli/main.py", 1, 220)]),
            Beat(calls=[desk.edit("cli/main.py", old, special.WIRED)]),
            Beat(calls=[desk.bash(pytest, f"{failed}\n1 failed, 30 passed", code=1, seconds=4.2)]),
            Beat(words.OFF_BY_ONE, [moved, desk.bash(pytest, "31 passed in 4.1s", seconds=4.1)]),
            Beat(words.FLAGS_DONE, thought=""),
        ]

    def branched_off(self) -> Session:
        """Branch off a session that asks another question."""
        title = "Checkpoint in object storage"
        self.book.clock(self.calendar.today("14:55"))
        fork = self.book.fork(
            title=title, seed="demo/object-storage", session_id=prefixed("7c2e91ab", SEED)
        )
        fork.user("Could the checkpoint live in object storage instead?")
        calls = self.desk.survey(4, "Checkpoint", "connect")
        play(fork, beats(calls, words.OBJECT_STORAGE), Budget(0.28, 95, (72_000, 78_000)))
        fork.turn_duration(95).last_prompt(title, leaf=fork.cursor)
        return fork

    def finish(self) -> None:
        """Have it reviewed, then run everything; that turn is not over."""
        desk, book = self.desk, self.book
        uuid = prefixed("5b02", SEED)
        book.clock(self.calendar.today("14:58")).snapshot(uuid).skill(
            "/review", "src/import", words.REVIEW, name="5b02", uuid=uuid
        )
        self.prompt = "/review src/import"
        looks = desk.survey(40, "import", "offset", "Checkpoint", "retry")
        self.done(beats(looks, words.REVIEWED, size=4), Budget(1.02, 560, (72_000, 86_000)))

        self.asked("d07e", "15:10", "Run the whole suite and fix what breaks")
        book.last_prompt("Run the whole suite and fix what breaks", leaf="d07e")
        calls = [
            desk.bash("pytest -q tests/unit", "212 passed in 8.8s", seconds=9),
            desk.bash("pytest -q tests/import", "31 passed in 4.1s", seconds=4.1),
            desk.bash("mypy src", "Success: no issues found in 48 source files", seconds=6),
        ]
        running = special.unanswered(desk, "pytest -q tests/slow")
        story = [Beat(words.SUITE, calls), Beat("Now the slow ones.", [running])]
        play(book, story, Budget(0.11, 40, (86_000, 87_000)))
