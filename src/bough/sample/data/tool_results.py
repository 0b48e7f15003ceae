"""What a tool gives back: the block for the model and the structured copy beside it.

The client stores most results twice, as `tool_result` content and as `toolUseResult`. The second
has a shape of its own for each tool; for tools not named here it is the plain text.
"""

from collections.abc import Mapping

from msgspec import Struct

from bough.sample.data.blocks import Content, Json


class Call(Struct, frozen=True, kw_only=True):
    """One tool call with its outcome, as the builder is told of it."""

    tool: str
    given: Mapping[str, object]
    result: Content | None = ""
    name: str | None = None
    is_error: bool = False
    seconds: float = 0.2
    structured: object = None
    fields: Mapping[str, object] = {}


def plain(content: Content | None) -> str:
    """Give the text of a result."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    return "\n".join(str(block["text"]) for block in content if block.get("type") == "text")


def structured(call: Call) -> object:
    """Give the structured copy of a result."""
    if call.structured is not None:
        return call.structured
    if call.is_error:
        return f"Error: {plain(call.result)}"
    maker = _MAKERS.get(call.tool)
    if maker is not None:
        return maker(call)
    if call.tool.startswith("mcp__"):
        content = call.result
        return content if isinstance(content, list) else [{"type": "text", "text": content}]
    return plain(call.result)


def patch(old: str, new: str, start: int = 1) -> list[Json]:
    """Make the structured patch of a small edit: one hunk."""
    before, after = old.split("\n"), new.split("\n")
    return [
        {
            "oldStart": start,
            "oldLines": len(before),
            "newStart": start,
            "newLines": len(after),
            "lines": [f"-{line}" for line in before] + [f"+{line}" for line in after],
        }
    ]


def _bash(call: Call) -> Json:
    return {
        "stdout": plain(call.result),
        "stderr": "",
        "interrupted": False,
        "isImage": False,
        "noOutputExpected": False,
    }


def _read(call: Call) -> Json:
    path = call.given.get("file_path", "")
    blocks = call.result if isinstance(call.result, list) else []
    for block in blocks:
        source = block.get("source")
        if block.get("type") == "image" and isinstance(source, dict):
            size = len(str(source["data"])) * 3 // 4
            file = {"base64": source["data"], "type": source["media_type"], "originalSize": size}
            return {"type": "image", "file": file}
    lines = plain(call.result).split("\n")
    content = "\n".join(line.partition("\t")[2] or line for line in lines)
    file = {
        "filePath": path,
        "content": content,
        "numLines": len(lines),
        "startLine": call.given.get("offset", 1),
        "totalLines": len(lines),
    }
    return {"type": "text", "file": file}


def _edit(call: Call) -> Json:
    old, new = str(call.given.get("old_string", "")), str(call.given.get("new_string", ""))
    return {
        "filePath": call.given.get("file_path", ""),
        "oldString": old,
        "newString": new,
        "originalFile": old,
        "structuredPatch": patch(old, new),
        "userModified": False,
        "replaceAll": False,
    }


def _write(call: Call) -> Json:
    return {
        "type": "create",
        "filePath": call.given.get("file_path", ""),
        "content": call.given.get("content", ""),
        "structuredPatch": [],
        "originalFile": None,
    }


def _grep(call: Call) -> Json:
    found = [line for line in plain(call.result).split("\n") if line]
    return {
        "mode": call.given.get("output_mode", "files_with_matches"),
        "filenames": found,
        "numFiles": len(found),
    }


def _glob(call: Call) -> Json:
    found = [line for line in plain(call.result).split("\n") if line]
    return {"filenames": found, "numFiles": len(found), "durationMs": 12, "truncated": False}


def _todo(call: Call) -> Json:
    return {"oldTodos": [], "newTodos": call.given.get("todos", [])}


def _fetch(call: Call) -> Json:
    words = plain(call.result)
    return {
        "bytes": len(words.encode()),
        "code": 200,
        "codeText": "OK",
        "result": words,
        "durationMs": int(call.seconds * 1000),
        "url": call.given.get("url", ""),
    }


def _search(call: Call) -> Json:
    return {
        "query": call.given.get("query", ""),
        "results": [plain(call.result)],
        "durationSeconds": call.seconds,
    }


def _questions(call: Call) -> Json:
    return {
        "questions": call.given.get("questions", []),
        "answers": {"answer": plain(call.result)},
    }


def _plan(call: Call) -> Json:
    return {"plan": call.given.get("plan", ""), "isAgent": False}


def _skill(call: Call) -> Json:
    return {"success": True, "commandName": call.given.get("skill", "")}


def _tool_search(call: Call) -> Json:
    blocks = call.result if isinstance(call.result, list) else []
    return {
        "matches": [block.get("tool_name") for block in blocks],
        "query": call.given.get("query", ""),
        "total_deferred_tools": 14,
    }


_MAKERS = {
    "Bash": _bash,
    "PowerShell": _bash,
    "Read": _read,
    "Edit": _edit,
    "Write": _write,
    "Grep": _grep,
    "Glob": _glob,
    "TodoWrite": _todo,
    "WebFetch": _fetch,
    "WebSearch": _search,
    "AskUserQuestion": _questions,
    "ExitPlanMode": _plan,
    "Skill": _skill,
    "ToolSearch": _tool_search,
}
