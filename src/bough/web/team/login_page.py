"""The page at which a member of a team comes in: a form, and nothing that runs."""

from functools import cache
from html import escape
from pathlib import Path
from typing import Final

from starlette.responses import Response

_CSP: Final = (
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
_PAGE: Final = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Come in · bough</title>
    <link rel="icon" href="/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/login.css" />
  </head>
  <body>
    <main>
      <h1><img src="/icon.svg" alt="" width="28" height="28" />bough</h1>
      <p>The history of your team. Your token was printed when you were let in.</p>
      <form method="post" action="/login">
        <label for="token">Token</label>
        <input id="token" name="token" type="password" autocomplete="current-password"
          autofocus required maxlength="200"{described} />
        <input type="hidden" name="next" value="{following}" />
        {complaint}
        <button type="submit">Come in</button>
      </form>
      <p class="aside">No token, or it was lost? The owner of the database gives you a new one:
        <code>bough team member rotate NAME</code>.</p>
    </main>
  </body>
</html>
"""
_COMPLAINT: Final = '<p id="complaint" class="complaint" role="alert">{words}</p>'


def render_login(
    following: str = "/", complaint: str = "", status: int = 200, wait: int = 0
) -> Response:
    """Give the page; `following` is where one goes from it."""
    words = _COMPLAINT.format(words=escape(complaint)) if complaint else ""
    text = _PAGE.format(
        following=escape(clean_target(following), quote=True),
        complaint=words,
        described=' aria-invalid="true" aria-describedby="complaint"' if complaint else "",
    )
    headers = {
        "Cache-Control": "no-store",
        "Content-Security-Policy": _CSP,
        # A form says where it comes from only where that may be said.
        "Referrer-Policy": "same-origin",
    }
    if wait:
        headers["Retry-After"] = str(wait)
    return Response(text, status, media_type="text/html", headers=headers)


@cache
def load_style() -> bytes:
    """Give what the page looks like: the colours and letters of the app, and its own rules."""
    own = Path(__file__).parent
    tokens = own.parent.parent / "export" / "look" / "tokens.css"
    return tokens.read_bytes() + (own / "login.css").read_bytes()


def clean_target(target: str) -> str:
    """Keep an address of our own; anything else becomes the first page."""
    is_own = target.startswith("/") and not target.startswith(("//", "/\\", "/login", "/api/"))
    return target if is_own and target.isprintable() else "/"
