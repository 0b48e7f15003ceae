"""Reading what a builder wrote, without a disk; nodes are told by the names of their steps."""

from bough.files.lines import split
from bough.model.tree.branches import branch_points, tips
from bough.model.tree.build import Story, build_story
from bough.model.tree.nodes import Tree, build_tree
from bough.records.decode import records
from bough.records.record import BadLine, Record
from bough.sample import Session


def read(book: Session) -> list[Record]:
    """Read the records of a file."""
    found = records(split([book.bytes()]))
    return [item for item in found if not isinstance(item, BadLine)]


def tree_of(book: Session) -> Tree:
    """Read the tree of a file."""
    return build_tree(read(book))


def story_of(book: Session, *, sidechain: bool = False) -> Story:
    """Read the story of a file."""
    return build_story(tree_of(book), sidechain=sidechain)


def ways(book: Session) -> list[tuple[str, str, list[str]]]:
    """Name the branch points of a file: where, why, and what starts each way."""
    found = branch_points(story_of(book))
    return [(book.name_of(p.uuid), p.cause, [book.name_of(c) for c in p.children]) for p in found]


def ends(book: Session) -> list[str]:
    """Name the tips of a file."""
    story = story_of(book)
    return [book.name_of(story.tree.uuid(story.last_line(knot))) for knot in tips(story)]


def way_to(book: Session, name: str) -> list[str]:
    """Name what was said on the way to a step: prompts, answers and seams."""
    story = story_of(book)
    path = story.path(story.above[story.tree.number[book.uuid(name)]])
    return [book.name_of(story.tree.uuid(story.last_line(knot))) for knot in path]
