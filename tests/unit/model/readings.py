"""Reading what a builder wrote, without a disk; nodes are told by the names of their steps."""

from bough.files.lines import split_lines
from bough.model.tree.branches import find_branch_points, find_tips
from bough.model.tree.build import MessageTree, build_message_tree
from bough.model.tree.nodes import Tree, build_tree
from bough.records.decode import decode_lines
from bough.records.record import BadLine, Record
from bough.sample import SampleSession


def read(builder: SampleSession) -> list[Record]:
    """Read the records of a file."""
    found = decode_lines(split_lines([builder.bytes()]))
    return [item for item in found if not isinstance(item, BadLine)]


def tree_of(builder: SampleSession) -> Tree:
    """Read the tree of a file."""
    return build_tree(read(builder))


def story_of(builder: SampleSession, *, sidechain: bool = False) -> MessageTree:
    """Read the story of a file."""
    return build_message_tree(tree_of(builder), sidechain=sidechain)


def ways(builder: SampleSession) -> list[tuple[str, str, list[str]]]:
    """Name the branch points of a file: where, why, and what starts each way."""
    found = find_branch_points(story_of(builder))
    return [
        (builder.name_of(p.uuid), p.cause, [builder.name_of(c) for c in p.children]) for p in found
    ]


def ends(builder: SampleSession) -> list[str]:
    """Name the tips of a file."""
    session_builder = story_of(builder)
    return [
        builder.name_of(session_builder.tree.uuid(session_builder.last_line(group)))
        for group in find_tips(session_builder)
    ]


def way_to(builder: SampleSession, name: str) -> list[str]:
    """Name what was said on the way to a step: prompts, answers and compactions."""
    session_builder = story_of(builder)
    path = session_builder.path(
        session_builder.above[session_builder.tree.number[builder.uuid(name)]]
    )
    return [
        builder.name_of(session_builder.tree.uuid(session_builder.last_line(group)))
        for group in path
    ]
