"""What each tool takes: structs that check what an agent sends, and say so in JSON Schema.

The words here are sent to the agent with every conversation, so they are few: all tools
together stay below 1,800 tokens, and a test counts.
"""

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from bough.errors import Misuse
from bough.mcp.budgets import LEAST_BUDGET

_LONGEST_TEXT: Final = 4_000

Text = Annotated[str, Meta(min_length=1, max_length=_LONGEST_TEXT)]
_Short = Annotated[str, Meta(max_length=400)]
_Counted = Annotated[int, Meta(ge=1)]
ProjectName = Annotated[_Short | None, Meta(description="narrows to one project in scope")]
SessionId = Annotated[str, Meta(max_length=200, description="id, its beginning, or latest")]
Cursor = Annotated[_Short | None, Meta(description="of the answer before")]
Limit = Annotated[int, Meta(ge=1, le=10)]
LongLimit = Annotated[int, Meta(ge=1, le=50)]
Budget = Annotated[int, Meta(ge=LEAST_BUDGET, le=2_000, description="tokens")]
LongBudget = Annotated[int, Meta(ge=LEAST_BUDGET, le=8_000, description="tokens")]
Kind = Literal["prompt", "text", "thinking", "tool_input", "tool_result", "note"]
Included = Literal["text", "tools", "results", "thinking"]
Day = Annotated[_Short | None, Meta(description="2026-11-01, yesterday, 7d")]


class SearchArguments(Struct, forbid_unknown_fields=True):
    """Arguments of `search`."""

    query: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=_LONGEST_TEXT,
            description='words, "a phrase", a OR b, -not, tool:Edit, file:x.py, is:error',
        ),
    ]
    project: ProjectName = None
    after: Day = None
    kinds: tuple[Kind, ...] = ()
    outside: Annotated[bool, Meta(description="also results of web and MCP tools")] = False
    limit: Limit = 10
    budget: Budget = 1_500
    cursor: Cursor = None


class ReadArguments(Struct, forbid_unknown_fields=True):
    """Arguments of `read`."""

    place: Annotated[str, Meta(max_length=300, description="session#uuid, or session: its end")]
    before: Annotated[int, Meta(ge=0, le=20, description="turns")] = 0
    after: Annotated[int, Meta(ge=0, le=20, description="turns")] = 2
    tip: Annotated[_Short | None, Meta(description="uuid on another branch")] = None
    include: tuple[Included, ...] = ("text", "tools")
    budget: LongBudget = 4_000


class SessionsArguments(Struct, forbid_unknown_fields=True):
    """Arguments of `sessions`."""

    project: ProjectName = None
    since: Day = None
    file: Annotated[_Short | None, Meta(description="that touched this file")] = None
    pr: Annotated[_Counted | None, Meta(description="pull request")] = None
    limit: LongLimit = 20
    budget: Budget = 1_500
    cursor: Cursor = None


class DecisionsArguments(Struct, forbid_unknown_fields=True):
    """Arguments of `decisions`."""

    about: Text
    project: ProjectName = None
    limit: Limit = 5
    budget: Budget = 1_500


class FileHistoryArguments(Struct, forbid_unknown_fields=True):
    """Arguments of `file_history`."""

    path: Annotated[Text, Meta(description="a part of the path")]
    project: ProjectName = None
    limit: LongLimit = 20
    budget: Budget = 1_500


class BeforeArguments(Struct, forbid_unknown_fields=True):
    """Arguments of `before`."""

    command: Text | None = None
    error: Annotated[str, Meta(min_length=1, max_length=20_000)] | None = None
    project: ProjectName = None
    limit: Limit = 5
    budget: Budget = 1_500


class UsageArguments(Struct, forbid_unknown_fields=True):
    """Arguments of `usage`."""

    report: Literal["daily", "weekly", "monthly", "session", "model", "agent"] = "daily"
    since: Day = "7d"
    project: ProjectName = None
    budget: Budget = 1_000


class CompareArguments(Struct, forbid_unknown_fields=True):
    """Arguments of `compare`."""

    session: SessionId
    tip_a: Annotated[Text, Meta(description="a uuid on one branch")]
    tip_b: Annotated[_Short, Meta(description="on the other")] = "active"
    budget: Budget = 1_500


class DroppedArguments(Struct, forbid_unknown_fields=True):
    """Arguments of `dropped`."""

    session: SessionId = "latest"
    compaction: Annotated[_Counted | None, Meta(description="by number; else the last")] = None
    budget: Budget = 1_500


def parse_arguments(kind: type[Any], given: dict[str, Any] | None) -> Any:
    """Check what an agent sent.

    Raises:
        Misuse: It is not what the tool takes; the message says which part.
    """
    try:
        return msgspec.convert(given or {}, kind)
    except msgspec.ValidationError as error:
        raise Misuse(f"{error}.") from error


def make_schema(kind: type[Any]) -> dict[str, Any]:
    """Write the JSON Schema of a tool's arguments, as short as it can be."""
    whole = msgspec.json.schema(kind)
    definitions = whole.get("$defs", {})
    schema: dict[str, Any] = _shorten(definitions[kind.__name__])
    del schema["description"]  # that of the class, which is for us
    return schema


def _shorten(value: Any) -> Any:
    match value:
        case dict():
            if "anyOf" in value:
                kinds = [one for one in value["anyOf"] if one != {"type": "null"}]
                rest = {key: inner for key, inner in value.items() if key != "anyOf"}
                if len(kinds) == 1:
                    return _shorten({**kinds[0], **rest})
            return {
                key: _shorten(inner)
                for key, inner in value.items()
                if not (key == "title" and isinstance(inner, str))
                and not (key == "default" and inner is None)
                and key not in ("minLength", "maxLength")
            }
        case list():
            return [_shorten(one) for one in value]
        case _:
            return value
