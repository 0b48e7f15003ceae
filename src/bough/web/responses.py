"""Answers as bytes: JSON with its tag, compressed where that is worth it; one form of error.

This happens in a worker's thread: writing a large answer takes as long as finding it.
"""

import gzip
import re
from collections.abc import Mapping
from hashlib import blake2b
from typing import Final
from urllib.parse import quote

import msgspec
from msgspec import Struct
from starlette.responses import Response

from bough.errors import AmbiguousSession, BoughError, SessionNotFound, Unreadable
from bough.library import QuerySyntaxError
from bough.web.wire.about import ErrorAnswer, Fault, NearSession

_CAUSED_BY_PERSON: Final = frozenset({400, 404, 409})
_SMALL: Final = 1_024
_WORD: Final = re.compile(r"(?<!^)(?=[A-Z])")
_LONE: Final = re.compile("[\ud800-\udfff]")


class BinaryResponse(Struct, frozen=True):
    """An answer that is no JSON: a picture, a document to be saved."""

    data: bytes
    media_type: str
    filename: str | None = None


class ApiError(BoughError):
    """Say no, with a status and a word of its own; `document` is the answer where it says more."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        hint: str | None = None,
        *,
        document: Struct | None = None,
    ) -> None:
        super().__init__(message)
        self.document = document
        self.status = status
        self.code = code
        self.hint = hint


def respond(value: object, headers: Mapping[str, str]) -> Response:
    """Write an answer; nothing but its tag where the asker has it already."""
    if isinstance(value, BinaryResponse):
        return _respond_binary(value, headers)
    body = encode_json(value)
    return _respond_with_etag(body, "application/json", {}, headers)


def encode_json(value: object) -> bytes:
    """Write a value as JSON; halves of characters, which file names may hold, are replaced."""
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        return msgspec.json.encode(_replace_surrogates(msgspec.to_builtins(value)))


def fault_of(error: Exception) -> tuple[int, Fault]:
    """Give the status and the words for what went wrong."""
    match error:
        case ApiError():
            return error.status, Fault(error.code, error.message, error.hint)
        case QuerySyntaxError():
            return 400, Fault("bad_query", error.message, at=error.position)
        case Unreadable() if error.is_gone:  # it was there when a list was made
            return 404, Fault("gone", error.message, "The lists follow in a moment.")
        case BoughError():
            code = _WORD.sub("_", type(error).__name__).lower()
            return error.http_status, Fault(code, error.message, near=_list_near(error))
        case _:
            what = "Something in bough went wrong; the terminal it runs in says more."
            return 500, Fault("failed", what)


def _list_near(error: BoughError) -> list[NearSession]:
    """List the sessions that an id may have meant, as the error names them."""
    match error:
        case AmbiguousSession():
            pairs = zip(error.matches, error.titles, strict=False)
            return [NearSession(session, title) for session, title in pairs]
        case SessionNotFound():
            parts = [named.partition(" ") for named in error.nearest]
            return [NearSession(session, title) for session, _, title in parts]
        case _:
            return []


STATUS_HEADER: Final = "X-Bough-Status"
"""Asked with, a page wants what a person caused as an answer; it says the status then."""


def error_response(
    status: int,
    fault: Fault,
    asked: Mapping[str, str] | None = None,
    document: Struct | None = None,
) -> Response:
    """Write an error, in the one form all have; a `document` has that form and says more.

    A browser writes every refused request to its console in red. What a person caused by a
    wrong query or an old address is no failure of the page, so it asks for such an answer.
    """
    body = encode_json(document if document is not None else ErrorAnswer(fault))
    if asked is not None and STATUS_HEADER.lower() in asked and status in _CAUSED_BY_PERSON:
        headers = {STATUS_HEADER: str(status), "Cache-Control": "no-store"}
        return Response(body, 200, headers, media_type="application/json")
    return Response(body, status, media_type="application/json")


def _respond_binary(blob: BinaryResponse, asked: Mapping[str, str]) -> Response:
    headers = {"Content-Security-Policy": "default-src 'none'; sandbox"}
    if blob.filename is not None:
        plain = re.sub(r"[^A-Za-z0-9._-]", "_", blob.filename)
        named = f"filename=\"{plain}\"; filename*=UTF-8''{quote(blob.filename, safe='')}"
        headers["Content-Disposition"] = f"attachment; {named}"
    return _respond_with_etag(blob.data, blob.media_type, headers, asked)


def _respond_with_etag(
    body: bytes, media_type: str, headers: dict[str, str], asked: Mapping[str, str]
) -> Response:
    tag = f'"{blake2b(body, digest_size=12).hexdigest()}"'
    headers = {**headers, "ETag": tag, "Vary": "Accept-Encoding"}
    if tag in (one.strip().removeprefix("W/") for one in asked.get("if-none-match", "").split(",")):
        return Response(status_code=304, headers=headers)
    compressible = not media_type.startswith("image/")
    if compressible and len(body) > _SMALL and "gzip" in asked.get("accept-encoding", ""):
        body = gzip.compress(body, 1, mtime=0)
        headers["Content-Encoding"] = "gzip"
    return Response(body, media_type=media_type, headers=headers)


def _replace_surrogates(value: object) -> object:
    match value:
        case str():
            return _LONE.sub("\ufffd", value)
        case list() | tuple():
            return [_replace_surrogates(one) for one in value]
        case dict():
            return {
                _replace_surrogates(key): _replace_surrogates(one) for key, one in value.items()
            }
        case _:
            return value
