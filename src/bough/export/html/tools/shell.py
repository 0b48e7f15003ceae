"""The shell: `$ command`, the beginning and the end of what it printed, and how it ended."""

import re
from collections.abc import Mapping
from typing import Final

from bough.export.html.tools.output import output_of
from bough.export.markup.escape import escaped
from bough.model.tools.call_summary import text_in
from bough.model.tools.calls import ToolBlock

_EXIT: Final = re.compile(r"(?:Error: )?Exit code -?\d{1,10}\b[ \t]*(?:\n|\Z)")


def shell_body(block: ToolBlock, key: str, *, full: bool) -> str:
    """Show a command and its output."""
    given: Mapping[str, object] = block.input if isinstance(block.input, Mapping) else {}
    command = text_in(given, "command")
    about = text_in(given, "description")
    before = f'<p class="m" dir="auto">{escaped(about)}</p>' if about else ""
    before += f'<pre class="p"><b>$</b> {escaped(command)}</pre>'
    text, end = output_text(block)
    failed = block.result is not None and block.result.is_error
    out = output_of(text, key, full=full, failed=failed, before=before)
    return f'{out}<p class="end">{escaped(end)}</p>' if end else out


def output_text(block: ToolBlock) -> tuple[str, str]:
    """Part what a command printed from the line that says how it ended."""
    text = block.result.text if block.result is not None else ""
    exited = _EXIT.match(text)
    if exited is None:
        return text, ""
    return text[exited.end() :], exited[0].strip()
