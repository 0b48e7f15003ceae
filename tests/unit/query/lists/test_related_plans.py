"""What leads from a turn to a plan, and to what was built from it."""

from pathlib import Path

from bough.files.byte_source import DISK, ByteSource
from bough.files.directory import KeptFolders
from bough.model.conversation.plan_files import PlanFile, PlanLink
from bough.query.lists.related import find_plan_marks
from bough.query.sessions.load_session import read_session
from bough.sample import SampleSession, session
from tests.conftest import Home

SLUG = "calm-blue-boat"


def planned() -> SampleSession:
    builder = session("plan", cwd="/home/dev/shop", slug=SLUG).user("Think").assistant("Yes")
    builder.user("Show it", name="shown").tool("ExitPlanMode", {"plan": "1."}, "approved")
    return builder.assistant("Shown").user("Thanks").assistant("Gladly")


def write(home: Home, *books: SampleSession) -> list[Path]:
    with home.writing() as folder:
        return [builder.write(folder) for builder in books]


def test_the_turn_that_showed_the_plan_leads_to_what_was_built(home: Home) -> None:
    plan = planned()
    built = session("built", cwd="/home/dev/shop", slug=SLUG).implement("1.", name="first")
    built.assistant("Done").user("More").assistant("Done")
    other = session("other", cwd="/home/dev/shop").user(f"About {SLUG}").assistant("Hm")
    paths = write(home, plan, built, other)

    there = find_plan_marks(read_session(paths[0]))
    back = find_plan_marks(read_session(paths[1]))

    shown, first = plan.uuid("shown"), built.uuid("first")
    assert there == {
        shown: [
            PlanLink(
                shown,
                "implementation",
                built.session_id,
                read_session(paths[1]).title,
                str(paths[1]),
            )
        ]
    }
    (link,) = back[first]
    assert isinstance(link, PlanLink)
    assert (link.role, link.session) == ("plan", plan.session_id)
    assert link.words.startswith(f"Built from the plan of {plan.session_id[:8]}, ")


def test_the_text_of_a_plan_stands_at_its_turn(home: Home) -> None:
    plan = planned()
    (path,) = write(home, plan)
    with home.writing() as folder:
        kept = folder / "plans" / f"{SLUG}.md"
        kept.parent.mkdir()
        kept.write_text("1. Do it\n")

    found = find_plan_marks(read_session(path))

    assert found == {plan.uuid("shown"): [PlanFile(SLUG, str(kept), "1. Do it\n")]}


def test_a_session_that_showed_no_plan_leads_nowhere(home: Home) -> None:
    builder = session("talk", cwd="/home/dev/shop", slug=SLUG).user("Hi").assistant("Hello")
    (path,) = write(home, builder)

    assert find_plan_marks(read_session(path)) == {}


class CountedSources:
    """The disk, and what was asked of it."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def find(self, path: str) -> ByteSource | None:
        self.asked.append(path)
        return DISK.find(path)

    def list_kept(self, folder: str) -> KeptFolders:
        return DISK.list_kept(folder)


def test_the_file_of_the_session_itself_is_not_read_again(home: Home) -> None:
    talk = session("talk", cwd="/home/dev/shop").user("Hi").assistant("Hello")
    own, other = write(home, planned(), talk)
    read, sources = read_session(own), CountedSources()

    find_plan_marks(read, sources=sources)

    assert str(other) in sources.asked
    assert str(own) not in sources.asked
