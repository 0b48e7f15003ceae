"""Opening the gate of a team's web app: from the options it is started with."""

from collections.abc import Sequence
from typing import Final

from bough import library
from bough.errors import Misuse
from bough.web.access import is_loopback
from bough.web.runtime.thread_pool import WorkerThreads
from bough.web.team.logins import Failures, Logins, make_proxy_trust
from bough.web.team.member_states import MemberStates
from bough.web.team.team_access import TeamAccess

_THREADS: Final = 4


def open_gate(
    store: str,
    host: str,
    proxies: Sequence[str] = (),
    header: str | None = None,
    *,
    has_certificate: bool = False,
) -> tuple[TeamAccess, str]:
    """Make the gate, and name the database.

    Raises:
        Misuse: Others would reach it unencrypted, or the options make no sense.
        IndexTrouble: The database cannot be reached, or is that of another bough.
    """
    trust = make_proxy_trust(proxies, header)
    is_here = is_loopback(host)
    if not (is_here or has_certificate or proxies):
        raise Misuse(
            f"On {host} other machines would reach a team's history unencrypted. Give --tls-cert "
            "and --tls-key, or name the proxy that encrypts with --trusted-proxy CIDR."
        )
    place = library.require_web_role(store)
    gate = TeamAccess(
        logins=Logins(lambda hashed: library.find_token_member(store, hashed)),
        failures=Failures(),
        states=MemberStates(store, can_log_out=header is None),
        workers=WorkerThreads(_THREADS, "bough-team"),
        trust=trust,
        is_secure=has_certificate or bool(proxies) or not is_here,
        proxy_only=bool(proxies) and not has_certificate,
    )
    return gate, place
