"""The main story: an import is made resumable, with two ways left behind.

Two rewinds, two agents, a compaction, a fork, and a turn that still runs. The times, prompts,
steps and costs are those the documentation shows, so that it can be compared with the program.
"""

from collections.abc import Sequence

import msgspec

from bough.sample.builder.session import SampleSession
from bough.sample.data.ids import uuid_with_prefix
from bough.sample.demo import resume_calls as special
from bough.sample.demo import resume_texts as words
from bough.sample.demo.repository_files import ORCHARD as FILES
from bough.sample.demo.toolkit import ToolKit
from bough.sample.demo.turns import (
    DemoMessage,
    TurnBudget,
    make_agent_task,
    make_messages,
    write_messages,
)
from bough.sample.demo.world import ORCHARD, RESUME_IMPORT, DemoCalendar, begin_session

SEED = "resume-import"
TITLE = "Make the CSV import resumable"
LINT = "scripts/lint.sh"


def sessions(calendar: DemoCalendar) -> list[SampleSession]:
    """Give the story and the session that was branched off it."""
    messages = _MainSession(calendar)
    messages.write_analysis()
    messages.write_abandoned_branch()
    messages.write_checkpoint()
    messages.write_compaction()
    messages.write_command_line()
    fork = messages.write_fork()
    messages.write_review()
    return [messages.session, fork]


class _MainSession:
    """The session while it is told."""

    def __init__(self, calendar: DemoCalendar) -> None:
        self.calendar = calendar
        self.prompt = ""
        self.toolkit = ToolKit(RESUME_IMPORT, FILES)
        self.session = begin_session(
            SEED,
            calendar.today("13:02"),
            session_id=uuid_with_prefix("3f9c21d0", SEED),
            cwd=RESUME_IMPORT,
            branch="feat/resume",
            permission_mode="acceptEdits",
        )
        self.session.mode().permission_mode().ai_title(TITLE)
        self.session.worktree_state("resume-import", RESUME_IMPORT, ORCHARD)

    def write_prompt(self, prompt_id: str, clock: str, prompt: str) -> None:
        """Write a prompt under its id, with the snapshot a client takes before it."""
        uuid = uuid_with_prefix(prompt_id, SEED)
        self.session.set_clock(self.calendar.today(clock)).snapshot(uuid)
        self.session.user(prompt, name=prompt_id, uuid=uuid)
        self.prompt = prompt

    def write_turn(self, messages: Sequence[DemoMessage], budget: TurnBudget) -> None:
        """Write what the model did, and what the client notes at the end of a turn."""
        started = self.session.now
        write_messages(self.session, messages, budget)
        self.session.stop_hooks(LINT)
        self.session.turn_duration((self.session.now - started).total_seconds())
        self.session.last_prompt(self.prompt, leaf=self.session.cursor)

    def write_analysis(self) -> None:
        """Find the cause and make a plan."""
        toolkit, builder = self.toolkit, self.session
        self.write_prompt("8a1f", "13:02", "The nightly import dies half way. Make it resumable.")
        for kind in ("environment", "deferred_tools_delta", "agent_listing_delta", "skill_listing"):
            builder.attachment(kind)
        looks = toolkit.survey(20, "import", "with_retry", "ImportJob")
        seen = "orders imported: 41500\nConnectionError: server closed the connection\n"
        looks.append(toolkit.bash("tail -n 2 var/log/import.log", seen))
        looks.append(toolkit.bash("pytest -q tests/import", "12 passed in 1.9s", seconds=2.4))
        first = "I look at the import and at last night's log before I change anything."
        self.write_turn(
            make_messages(looks, words.CAUSE, first=first), TurnBudget(0.84, 540, (16_000, 52_000))
        )

        self.write_prompt("51c3", "13:19", "Where do we lose the cursor today?")
        calls = toolkit.survey(18, "offset", "done", "tell")
        search = make_agent_task(
            "where the cursor is lost", words.LOST_ANSWER, calls, TurnBudget(0.17, 74)
        )
        search = msgspec.structs.replace(search, prompt=words.LOST_BRIEF)
        rest = make_messages(toolkit.survey(14, "offset", "done", "retry"), words.LOST, size=3)
        self.write_turn(
            [DemoMessage(agent_tasks=[search]), *rest], TurnBudget(0.34, 380, (52_000, 66_000))
        )

        self.write_prompt("0e77", "13:31", "Write the plan first, no code yet")
        plan = make_messages(toolkit.survey(3, "Checkpoint"), words.PLAN, size=3)
        self.write_turn(plan, TurnBudget(0.22, 160, (66_000, 72_000)))
        builder.name_step("planned")

    def write_abandoned_branch(self) -> None:
        """Follow an idea for three turns and give it up."""
        toolkit = self.toolkit
        self.write_prompt("c2a9", "13:40", "Use a job table instead")
        table = toolkit.write("src/import/table.py", '"""One row per batch."""\n')
        calls = [table, *toolkit.survey(8, "database", "insert")]
        self.write_turn(
            make_messages(calls, words.JOB_TABLE, size=3), TurnBudget(0.24, 420, (72_000, 80_000))
        )

        self.write_prompt("7d10", "13:52", "Add the migration")
        migration = '"""Add import_job."""\n\nTABLE = "import_job"\n'
        calls = [toolkit.write("migrations/0042_import_job.py", migration), *toolkit.survey(15)]
        calls.append(toolkit.bash("make migrate", "0042_import_job ... ok", seconds=3))
        self.write_turn(
            make_messages(calls, words.MIGRATION, size=4), TurnBudget(0.39, 280, (80_000, 94_000))
        )

        self.write_prompt("b41f", "13:58", "Why is the lock held so long?")
        calls = toolkit.survey(12, "lock", "insert", "with_retry")
        self.write_turn(
            make_messages(calls, words.LOCK, size=4), TurnBudget(0.29, 241, (94_000, 100_000))
        )
        self.session.at("planned")

    def write_checkpoint(self) -> None:
        """Build it the simple way."""
        toolkit = self.toolkit
        self.write_prompt("94be", "14:05", "Keep a checkpoint file next to the CSV")
        calls = [
            toolkit.write("src/import/checkpoint.py", FILES["src/import/checkpoint.py"]),
            toolkit.edit("src/import/reader.py", "yield Order.from_row(row)", special.YIELD),
            toolkit.edit("src/import/job.py", "self.done += len(batch)", special.SAVE),
            toolkit.bash("pytest -q tests/import", "1 failed, 25 passed", code=1, seconds=4),
            *toolkit.survey(25, "offset", "Checkpoint", "rows"),
            toolkit.edit("src/import/job.py", "BATCH = 500", "BATCH = 500  # rows per commit"),
            toolkit.bash("pytest -q tests/import", "26 passed in 4.0s", seconds=4),
        ]
        self.write_turn(
            make_messages(
                calls, words.CHECKPOINT, size=4, first="I start with the checkpoint itself."
            ),
            TurnBudget(1.40, 1_500, (72_000, 168_000)),
        )

    def write_compaction(self) -> None:
        """Let the client make room."""
        builder = self.session
        said = [each for each in builder.records() if each["type"] in {"user", "assistant"}]
        builder.set_clock(self.calendar.today("14:31"))
        builder.compact(
            words.COMPACTED,
            keep=[str(record["uuid"]) for record in said[-6:]],
            preTokens=168_000,
            postTokens=22_000,
            durationMs=52_000,
        )
        builder.attachment("compact_file_reference")

    def write_command_line(self) -> None:
        """Wire it up; the first try is stopped and said again in other words."""
        toolkit, builder = self.toolkit, self.session
        self.write_prompt("2f60", "14:33", "Now wire it to the command line, with @cli/main.py")
        builder.attachment("file", special.make_file_attachment(toolkit, "cli/main.py"))
        calls = [toolkit.read("cli/main.py"), toolkit.grep("resume")]
        self.write_turn(make_messages(calls, words.WIRING), TurnBudget(0.09, 70, (38_000, 42_000)))
        builder.name_step("wired")

        self.write_prompt("66d8", "14:36", "Use new click options for it")
        option = '@click.option("--from-checkpoint", is_flag=True)\n'
        old = '@click.option("--dry-run", is_flag=True)\n'
        calls = [
            toolkit.read("cli/main.py", 14, 24),
            special.make_refused_edit(toolkit.path("cli/main.py"), old, old + option),
        ]
        write_messages(
            builder,
            [DemoMessage("I add an option of its own.", calls)],
            TurnBudget(0.05, 30, (42_000, 44_000)),
        )
        builder.interrupt(in_tool=True).at("wired")

        self.write_prompt(
            "e9a4", "14:38", "Use the existing flags, no new ones\n--restart starts over."
        )
        self.write_turn(self._make_flag_messages(), TurnBudget(0.31, 144, (42_000, 62_000)))

        self.write_prompt("13cc", "14:51", "What happens when the CSV changes between two runs?")
        looks = [*toolkit.survey(5, "size", "offset"), special.make_hash_edit(toolkit)]
        self.write_turn(
            make_messages(looks, words.CHANGED), TurnBudget(0.31, 150, (62_000, 72_000))
        )
        builder.name_step("changed")

    def _make_flag_messages(self) -> list[DemoMessage]:
        toolkit = self.toolkit
        calls = toolkit.survey(31, "ImportJob", "run", "dry_run")
        task = "find every caller of ImportJob"
        search = make_agent_task(task, words.CALLERS_ANSWER, calls, TurnBudget(0.41, 111))
        search = msgspec.structs.replace(search, prompt=words.CALLERS_BRIEF)
        old = "    job = ImportJob(path, dry_run)\n    done = job.run(connect())\n"
        failed = "FAILED tests/import/test_resume.py::test_second_run_skips_done_rows"
        pytest = "pytest -q tests/import"
        moved = toolkit.edit("src/import/reader.py", "offset = file.tell()", special.COUNTED)
        return [
            DemoMessage(words.FLAGS_START, thought=words.FLAGS_THOUGHT, agent_tasks=[search]),
            DemoMessage(calls=[toolkit.read("cli/main.py", 1, 220)]),
            DemoMessage(calls=[toolkit.edit("cli/main.py", old, special.WIRED)]),
            DemoMessage(
                calls=[toolkit.bash(pytest, f"{failed}\n1 failed, 30 passed", code=1, seconds=4.2)]
            ),
            DemoMessage(
                words.OFF_BY_ONE, [moved, toolkit.bash(pytest, "31 passed in 4.1s", seconds=4.1)]
            ),
            DemoMessage(words.FLAGS_DONE, thought=""),
        ]

    def write_fork(self) -> SampleSession:
        """Branch off a session that asks another question."""
        title = "Checkpoint in object storage"
        self.session.set_clock(self.calendar.today("14:55"))
        fork = self.session.fork(
            title=title, seed="demo/object-storage", session_id=uuid_with_prefix("7c2e91ab", SEED)
        )
        fork.user("Could the checkpoint live in object storage instead?")
        calls = self.toolkit.survey(4, "Checkpoint", "connect")
        write_messages(
            fork, make_messages(calls, words.OBJECT_STORAGE), TurnBudget(0.28, 95, (72_000, 78_000))
        )
        fork.turn_duration(95).last_prompt(title, leaf=fork.cursor)
        return fork

    def write_review(self) -> None:
        """Have it reviewed, then run everything; that turn is not over."""
        toolkit, builder = self.toolkit, self.session
        uuid = uuid_with_prefix("5b02", SEED)
        builder.set_clock(self.calendar.today("14:58")).snapshot(uuid).skill(
            "/review", "src/import", words.REVIEW, name="5b02", uuid=uuid
        )
        self.prompt = "/review src/import"
        looks = toolkit.survey(40, "import", "offset", "Checkpoint", "retry")
        self.write_turn(
            make_messages(looks, words.REVIEWED, size=4), TurnBudget(1.02, 560, (72_000, 86_000))
        )

        self.write_prompt("d07e", "15:10", "Run the whole suite and fix what breaks")
        builder.last_prompt("Run the whole suite and fix what breaks", leaf="d07e")
        calls = [
            toolkit.bash("pytest -q tests/unit", "212 passed in 8.8s", seconds=9),
            toolkit.bash("pytest -q tests/import", "31 passed in 4.1s", seconds=4.1),
            toolkit.bash("mypy src", "Success: no issues found in 48 source files", seconds=6),
        ]
        running = special.make_unanswered_call(toolkit, "pytest -q tests/slow")
        messages = [DemoMessage(words.SUITE, calls), DemoMessage("Now the slow ones.", [running])]
        write_messages(builder, messages, TurnBudget(0.11, 40, (86_000, 87_000)))
