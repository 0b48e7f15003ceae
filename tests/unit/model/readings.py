"""Reading what a builder wrote, without a disk; nodes are told by the names of their steps."""

from bough.files.lines import split_lines
from bough.model.tree.branches import find_branch_points, find_tips
from bough.model.tree.build import MessageTree, build_message_tree
from bough.model.tree.nodes import Tree, build_tree
from bough.records.decode import decode_lines
from bough.records.record import BadLine, Record
from bough.sample import SampleSession


def read(book: SampleSession) -> list[Record]:
    """Read the records of a file."""
    found = decode_lines(split_lines([book.bytes()]))
    return [item for item in found if not isinstance(item, BadLine)]


def tree_of(book: SampleSession) -> Tree:
    """Read the tree of a file."""
    return build_tree(read(book))


def story_of(book: SampleSession, *, sidechain: bool = False) -> MessageTree:
    """Read the story of a file."""
    return build_message_tree(tree_of(book), sidechain=sidechain)


def ways(book: SampleSession) -> list[tuple[str, str, list[str]]]:
    """Name the branch points of a file: where, why, and what starts each way."""
    found = find_branch_points(story_of(book))
    return [(book.name_of(p.uuid), p.cause, [book.name_of(c) for c in p.children]) for p in found]


def ends(book: SampleSession) -> list[str]:
    """Name the tips of a file."""
    story = story_of(book)
    return [book.name_of(story.tree.uuid(story.last_line(knot))) for knot in find_tips(story)]


def way_to(book: SampleSession, name: str) -> list[str]:
    """Name what was said on the way to a step: prompts, answers and seams."""
    story = story_of(book)
    path = story.path(story.above[story.tree.number[book.uuid(name)]])
    return [book.name_of(story.tree.uuid(story.last_line(knot))) for knot in path]
