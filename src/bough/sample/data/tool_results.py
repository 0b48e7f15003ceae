"""What a tool gives back: the block for the model and the structured copy beside it.

The client stores most results twice, as `tool_result` content and as `toolUseResult`. The second
has a shape of its own for each tool; for tools not named here it is the plain text.
"""

from collections.abc import Mapping

from msgspec import Struct

from bough.sample.data.blocks import Content, Json


class SampleCall(Struct, frozen=True, kw_only=True):
    """One tool call with its outcome, as the builder is told of it."""

    tool: str
    given: Mapping[str, object]
    result: Content | None = ""
    name: str | None = None
    is_error: bool = False
    seconds: float = 0.2
    structured: object = None
    fields: Mapping[str, object] = {}


def text_of_content(content: Content | None) -> str:
    """Give the text of a result."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    return "\n".join(str(block["text"]) for block in content if block.get("type") == "text")


def build_structured(call: SampleCall) -> object:
    """Give the structured copy of a result."""
    if call.structured is not None:
        return call.structured
    if call.is_error:
        return f"Error: {text_of_content(call.result)}"
    maker = _RESULT_MAKERS.get(call.tool)
    if maker is not None:
        return maker(call)
    if call.tool.startswith("mcp__"):
        content = call.result
        return content if isinstance(content, list) else [{"type": "text", "text": content}]
    return text_of_content(call.result)


def make_patch(old: str, new: str, start: int = 1) -> list[Json]:
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


def _make_bash_result(call: SampleCall) -> Json:
    return {
        "stdout": text_of_content(call.result),
        "stderr": "",
        "interrupted": False,
        "isImage": False,
        "noOutputExpected": False,
    }


def _make_read_result(call: SampleCall) -> Json:
    path = call.given.get("file_path", "")
    blocks = call.result if isinstance(call.result, list) else []
    for block in blocks:
        source = block.get("source")
        if block.get("type") == "image" and isinstance(source, dict):
            size = len(str(source["data"])) * 3 // 4
            file = {"base64": source["data"], "type": source["media_type"], "originalSize": size}
            return {"type": "image", "file": file}
    lines = text_of_content(call.result).split("\n")
    content = "\n".join(line.partition("\t")[2] or line for line in lines)
    file = {
        "filePath": path,
        "content": content,
        "numLines": len(lines),
        "startLine": call.given.get("offset", 1),
        "totalLines": len(lines),
    }
    return {"type": "text", "file": file}


def _make_edit_result(call: SampleCall) -> Json:
    old, new = str(call.given.get("old_string", "")), str(call.given.get("new_string", ""))
    return {
        "filePath": call.given.get("file_path", ""),
        "oldString": old,
        "newString": new,
        "originalFile": old,
        "structuredPatch": make_patch(old, new),
        "userModified": False,
        "replaceAll": False,
    }


def _make_write_result(call: SampleCall) -> Json:
    return {
        "type": "create",
        "filePath": call.given.get("file_path", ""),
        "content": call.given.get("content", ""),
        "structuredPatch": [],
        "originalFile": None,
    }


def _make_grep_result(call: SampleCall) -> Json:
    found = [line for line in text_of_content(call.result).split("\n") if line]
    return {
        "mode": call.given.get("output_mode", "files_with_matches"),
        "filenames": found,
        "numFiles": len(found),
    }


def _make_glob_result(call: SampleCall) -> Json:
    found = [line for line in text_of_content(call.result).split("\n") if line]
    return {"filenames": found, "numFiles": len(found), "durationMs": 12, "truncated": False}


def _make_todo_result(call: SampleCall) -> Json:
    return {"oldTodos": [], "newTodos": call.given.get("todos", [])}


def _make_fetch_result(call: SampleCall) -> Json:
    words = text_of_content(call.result)
    return {
        "bytes": len(words.encode()),
        "code": 200,
        "codeText": "OK",
        "result": words,
        "durationMs": int(call.seconds * 1000),
        "url": call.given.get("url", ""),
    }


def _make_search_result(call: SampleCall) -> Json:
    return {
        "query": call.given.get("query", ""),
        "results": [text_of_content(call.result)],
        "durationSeconds": call.seconds,
    }


def _make_questions_result(call: SampleCall) -> Json:
    return {
        "questions": call.given.get("questions", []),
        "answers": {"answer": text_of_content(call.result)},
    }


def _make_plan_result(call: SampleCall) -> Json:
    return {"plan": call.given.get("plan", ""), "isAgent": False}


def _make_skill_result(call: SampleCall) -> Json:
    return {"success": True, "commandName": call.given.get("skill", "")}


def _make_tool_search_result(call: SampleCall) -> Json:
    blocks = call.result if isinstance(call.result, list) else []
    return {
        "matches": [block.get("tool_name") for block in blocks],
        "query": call.given.get("query", ""),
        "total_deferred_tools": 14,
    }


_RESULT_MAKERS = {
    "Bash": _make_bash_result,
    "PowerShell": _make_bash_result,
    "Read": _make_read_result,
    "Edit": _make_edit_result,
    "Write": _make_write_result,
    "Grep": _make_grep_result,
    "Glob": _make_glob_result,
    "TodoWrite": _make_todo_result,
    "WebFetch": _make_fetch_result,
    "WebSearch": _make_search_result,
    "AskUserQuestion": _make_questions_result,
    "ExitPlanMode": _make_plan_result,
    "Skill": _make_skill_result,
    "ToolSearch": _make_tool_search_result,
}
