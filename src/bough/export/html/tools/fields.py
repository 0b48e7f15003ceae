"""Fields of any JSON value, for tools that have no view of their own."""

from collections.abc import Mapping

from bough.export.markup.escape import escape_html
from bough.model.tools.call_detail import format_field


def render_fields(value: object, left_out: frozenset[str] = frozenset()) -> str:
    """Show an object field by field, anything else as it is; nothing where there is nothing."""
    if value is None or value == {}:
        return ""
    if not isinstance(value, Mapping):
        return f'<pre class="value" dir="auto">{escape_html(format_field(value))}</pre>'
    rows = [
        f'<dt>{escape_html(str(name))}</dt><dd dir="auto">{escape_html(format_field(one))}</dd>'
        for name, one in value.items()
        if name not in left_out
    ]
    return f'<dl class="fields">{"".join(rows)}</dl>' if rows else ""
