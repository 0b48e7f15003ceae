"""Who has come in: tokens are checked, failures counted, and sessions kept in memory.

A token is checked against its hash in the database, at most five times wrong in a minute from one
address. Whoever comes in gets a random name for this stay, in a cookie that other sites cannot
send; the token itself is not kept. Where a proxy says who somebody is, only its word counts, and
only from its own addresses.
"""

import ipaddress
import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from bough.errors import Misuse

COOKIE: Final = "bough_login"
STAYS: Final = 12 * 3600.0
"""So many seconds a stay lasts."""
_TOKEN_HOLDS: Final = 5.0
_MOST_STAYS: Final = 10_000
_MOST_FAILURES: Final = 5
_FAILURES_WITHIN: Final = 60.0
_MOST_ADDRESSES: Final = 10_000

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
FindMember = Callable[[bytes], str | None]
"""Gives the member whose token has a hash; None where it is nobody's."""


class ProxyTrust(Struct, frozen=True):
    """Which addresses are those of a proxy, and the header in which it says who somebody is."""

    networks: tuple[Network, ...] = ()
    header: str | None = None

    def covers(self, address: str) -> bool:
        """Tell whether a request comes from the proxy."""
        try:
            found = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self.networks)


def make_proxy_trust(networks: Sequence[str], header: str | None) -> ProxyTrust:
    """Read the options about a proxy.

    Raises:
        Misuse: They make no sense, or a header is trusted from everybody.
    """
    if header is not None and not networks:
        raise Misuse("--trust-header needs --trusted-proxy: else anybody could say who they are.")
    try:
        return ProxyTrust(tuple(ipaddress.ip_network(one) for one in networks), header)
    except ValueError as error:
        raise Misuse(f"--trusted-proxy takes addresses such as 10.0.0.0/8: {error}.") from error


class Login(Struct):
    """Somebody who came in; `page_token` is what their page writes with."""

    member: str
    hashed: bytes
    page_token: str
    ends_at: float
    checked_at: float


class Failures:
    """How often each address gave a wrong token lately."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def seconds_left(self, address: str) -> int:
        """Tell how long an address has to wait; 0 where it need not."""
        with self._lock:
            times = self._recent(address)
            if len(times) < _MOST_FAILURES:
                return 0
            return max(1, round(times[0] + _FAILURES_WITHIN - self._now()))

    def add(self, address: str) -> None:
        """Count a failure."""
        with self._lock:
            self._recent(address).append(self._now())
            self._times.move_to_end(address)
            while len(self._times) > _MOST_ADDRESSES:
                self._times.popitem(last=False)

    def take_back(self, address: str) -> None:
        """Count one failure less: it was none."""
        with self._lock:
            if times := self._recent(address):
                times.pop()

    def _recent(self, address: str) -> deque[float]:
        times = self._times.setdefault(address, deque(maxlen=_MOST_FAILURES))
        while times and times[0] <= self._now() - _FAILURES_WITHIN:
            times.popleft()
        return times


class Logins:
    """Those who have come in."""

    def __init__(self, find_member: FindMember, now: Callable[[], float] = time.monotonic) -> None:
        self._find_member = find_member
        self._now = now
        self._lock = threading.Lock()
        self._stays: OrderedDict[str, Login] = OrderedDict()
        self._proxied: dict[str, Login] = {}

    def enter(self, hashed: bytes) -> str | None:
        """Let in whose token it is; gives the name of their stay, None for nobody."""
        member = self._find_member(hashed)
        if member is None:
            return None
        name = secrets.token_urlsafe(32)
        with self._lock:
            now = self._now()
            self._stays[name] = Login(member, hashed, secrets.token_urlsafe(32), now + STAYS, now)
            while len(self._stays) > _MOST_STAYS:
                self._stays.popitem(last=False)
        return name

    def find(self, name: str | None) -> Login | None:
        """Give a stay that has not ended; a token that was taken back ends it."""
        stay = self._stays.get(name or "")
        if stay is None or name is None:
            return None
        now = self._now()
        if now < stay.ends_at and now - stay.checked_at >= _TOKEN_HOLDS:
            if self._find_member(stay.hashed) == stay.member:
                stay.checked_at = now
            else:
                stay.ends_at = now
        if now >= stay.ends_at:
            self.leave(name)
            return None
        return stay

    def vouch(self, member: str) -> Login:
        """Give the stay of somebody for whom a proxy stands."""
        with self._lock:
            known = self._proxied.get(member)
            if known is None:
                if len(self._proxied) >= _MOST_STAYS:
                    self._proxied.clear()
                made = secrets.token_urlsafe(32)
                known = self._proxied[member] = Login(member, b"", made, 0.0, 0.0)
            return known

    def leave(self, name: str | None) -> None:
        """End a stay."""
        with self._lock:
            self._stays.pop(name or "", None)
