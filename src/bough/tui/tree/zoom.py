"""The graph of the terminal app from afar and from close by, as its rows are written."""

from bough.model.graph.turn_messages import TurnMessage, list_turn_messages
from bough.model.graph.zoom import ShapePart, keep_shape
from bough.model.outline.turns import Turn
from bough.model.session import Session
from bough.model.text.formats import format_plural
from bough.terminal.canvas import Canvas
from bough.terminal.tree.graph_items import (
    GraphCompaction,
    GraphItem,
    GraphMessage,
    GraphSplit,
    GraphTurn,
)


def reduce_to_shape(items: tuple[GraphItem, ...]) -> list[GraphItem]:
    """Keep of the items of a branch what its shape is made of."""
    return [
        GraphMessage("", "", format_plural(item, "turn"), quiet=True)
        if isinstance(item, int)
        else item
        for item in keep_shape(items, _find_part)
    ]


def _find_part(item: GraphItem) -> ShapePart:
    match item:
        case GraphSplit():
            return ShapePart.SPLIT
        case GraphCompaction():
            return ShapePart.COMPACTION
        case GraphTurn():
            if item.tip:
                return ShapePart.TIP
            return ShapePart.CONTINUATION if item.continued else ShapePart.TURN
        case _:
            return ShapePart.DETAIL


def list_messages(turn: Turn, session: Session, canvas: Canvas, short: int) -> list[GraphMessage]:
    """List the messages that follow a prompt, in the order of the file."""
    return [_write_message(one, canvas, short) for one in list_turn_messages(turn, session)]


def _write_message(message: TurnMessage, canvas: Canvas, short: int) -> GraphMessage:
    words = message.text
    if message.written > 1:
        words = f"{words}  (written {format_plural(message.written, 'time')})"
    name = (message.uuid or "")[:short]
    return GraphMessage(name, canvas.time(message.timestamp), words, message.quiet)
