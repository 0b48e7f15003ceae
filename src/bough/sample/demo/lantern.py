"""A drawing program: a model without a price, a workflow, a renamed session."""

from bough.sample.builder.agents import AgentTask
from bough.sample.builder.session import SampleSession
from bough.sample.data import blocks
from bough.sample.demo.repository_files import LANTERN as FILES
from bough.sample.demo.toolkit import ToolKit
from bough.sample.demo.turns import (
    DemoMessage,
    TurnBudget,
    make_messages,
    write_messages,
    write_turn,
)
from bough.sample.demo.world import LANTERN, RESUME_IMPORT, DemoCalendar, begin_session

TUESDAY = 1


def sessions(calendar: DemoCalendar) -> list[SampleSession]:
    """Give the sessions of paper-lantern, and a short one of the import's worktree."""
    return [
        _make_glow(calendar),
        _make_workflow(calendar),
        _make_lab_model(calendar),
        _make_nested_agents(calendar),
        _make_quick_question(calendar),
        _make_benchmark(calendar),
    ]


def _make_glow(calendar: DemoCalendar) -> SampleSession:
    """Look at a drawing and rename the session."""
    toolkit = ToolKit(LANTERN, FILES)
    builder = begin_session(
        "glow", calendar.last_weekday(TUESDAY, "15:50"), cwd=LANTERN, model="claude-opus-5-5"
    )
    builder.title("The glow of the lanterns", sidecar=True).agent_name("The glow of the lanterns")
    night = blocks.image(blocks.draw_png(64, 96, (24, 22, 40)))
    prompt = [blocks.text("The glow ends in a hard edge"), night]
    calls = [toolkit.read("src/draw.ts"), toolkit.edit("src/draw.ts", "GLOW = 24", "GLOW = 42")]
    write_turn(
        builder,
        prompt,
        make_messages(calls, "The canvas cut it off; the shadow needs room."),
        TurnBudget(1.2),
    )
    brief = [blocks.document("Lanterns at dusk, slow, warm.", "brief.md"), blocks.text("Like this")]
    write_turn(
        builder,
        brief,
        make_messages(toolkit.survey(6, "lit"), "The light now grows in 400 ms."),
        TurnBudget(2.4),
    )
    write_turn(
        builder,
        [blocks.pdf(), blocks.text("And print it")],
        "The page fits on A4.",
        TurnBudget(0.6),
    )
    return builder


def _make_workflow(calendar: DemoCalendar) -> SampleSession:
    """Run a workflow, whose agents have a folder of their own."""
    toolkit = ToolKit(LANTERN, FILES)
    builder = begin_session(
        "workflow", calendar.days_ago(8, "20:15"), cwd=LANTERN, branch="feat/fold"
    )
    builder.ai_title("Fold pages into lanterns")
    builder.user("Use the fold workflow on all pages")
    tasks = [
        AgentTask(
            kind="folder",
            task=f"fold page {number}",
            answer=f"Page {number} folds in {number + 2} steps.",
            layout="workflow",
            run="fold-7f3a",
            work=lambda agent: agent.tools(toolkit.read("src/page.ts")),
        )
        for number in (1, 2, 3)
    ]
    write_messages(
        builder,
        [DemoMessage(agent_tasks=tasks), DemoMessage("All three pages fold.")],
        TurnBudget(1.9, 340),
    )
    builder.turn_duration(340)
    return builder


def _make_lab_model(calendar: DemoCalendar) -> SampleSession:
    """Use a model nobody has a price for, through a gateway that leaves fields out."""
    toolkit = ToolKit(LANTERN, FILES)
    builder = begin_session(
        "lab", calendar.days_ago(10, "22:40"), cwd=LANTERN, model="claude-lab-9"
    )
    write_turn(
        builder,
        "Sketch a paper texture",
        make_messages(toolkit.survey(3), "A noise of two layers."),
        TurnBudget(0.1),
    )
    return builder


def _make_nested_agents(calendar: DemoCalendar) -> SampleSession:
    """Send an agent that sends an agent that sends an agent."""
    builder = begin_session(
        "nested", calendar.days_ago(12, "17:00"), cwd=LANTERN, model="claude-sonnet-4-6"
    )
    builder.ai_title("Where the paper tears")
    builder.user("Find out why folded paper tears at the third fold")
    builder.agent(
        "general-purpose",
        "study the folds",
        answer="The third fold doubles the strain.",
        work=lambda first: first.agent(
            "Explore",
            "read page.ts",
            answer="folds is only counted, never limited.",
            work=lambda second: second.agent("Explore", "look for a limit", answer="None."),
        ),
    )
    builder.assistant("Nothing limits the folds. Two would be right for this weight.")
    builder.side_agent("aprompt_suggestion", "[SUGGESTION MODE: say what comes next]", "Limit it")
    return builder


def _make_quick_question(calendar: DemoCalendar) -> SampleSession:
    """Ask one thing."""
    builder = begin_session(
        "quick", calendar.days_ago(15, "09:30"), cwd=LANTERN, version="2.1.101", branch="HEAD"
    )
    write_turn(
        builder,
        "What is the unit of shadowBlur?",
        "Pixels, not affected by scale.",
        TurnBudget(0.02, 6),
    )
    return builder


def _make_benchmark(calendar: DemoCalendar) -> SampleSession:
    """Measure the checkpoint, in the worktree of the import."""
    toolkit = ToolKit(RESUME_IMPORT, {"bench.py": "import timeit\n"})
    builder = begin_session(
        "benchmark", calendar.today("15:00"), cwd=RESUME_IMPORT, branch="feat/resume"
    )
    builder.ai_title("Benchmark the checkpoint writes")
    calls = [
        toolkit.read("bench.py"),
        toolkit.bash("python bench.py", "0.4 ms per save", seconds=8),
    ]
    write_turn(
        builder,
        "How much does saving cost?",
        make_messages(calls, "0.4 ms per batch."),
        TurnBudget(2.55, 90),
    )
    return builder
