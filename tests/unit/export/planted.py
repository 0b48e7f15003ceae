"""Made-up secrets: each kind by its own maker, and the words it would stand in.

They are put together from parts, so that nothing in the repository looks like a secret.
"""

import base64
import random
import string
from collections.abc import Callable
from typing import NamedTuple

WORD = string.ascii_letters + string.digits
URL = WORD + "_-"
HEX = "0123456789abcdef"
BASE = WORD + "+/"
CAPITALS = string.ascii_uppercase + "234567"


class Planted(NamedTuple):
    """A secret, the words it stands in, and what of it may be seen nowhere."""

    kind: str
    text: str
    secrets: tuple[str, ...]


class Maker:
    """Makes secrets, always the same ones."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def some(self, letters: str, count: int) -> str:
        """Give letters at random, digits, small ones and capitals among them where it can."""
        sure = [c for c in ("7", "q", "K") if c in letters]
        drawn = [self.chance.choice(letters) for _ in range(count - len(sure))] + sure
        self.chance.shuffle(drawn)
        # Not a mark at either end: there it would be taken for one of the sentence.
        ends = [c for c in letters if c.isalnum()]
        drawn[0], drawn[-1] = self.chance.choice(ends), self.chance.choice(ends)
        return "".join(drawn)


def _plain(start: str, letters: str, count: int, end: str = "") -> Callable[[Maker], str]:
    return lambda make: start + make.some(letters, count) + end


def _jwt(make: Maker) -> str:
    return ".".join(
        ("ey" + "J" + make.some(URL, 30), "ey" + "J" + make.some(URL, 60), make.some(URL, 43))
    )


def _discord(make: Maker) -> str:
    number = "".join(make.chance.choice(string.digits) for _ in range(18))
    name = base64.b64encode(number.encode()).decode().rstrip("=")
    return f"{name}.{make.some(URL, 6)}.{make.some(URL, 38)}"


def _uuid(make: Maker) -> str:
    return "-".join(make.some(HEX, n) for n in (8, 4, 4, 4, 12))


SHAPED: dict[str, Callable[[Maker], str]] = {
    "Anthropic": _plain("sk-" + "ant-api03-", URL, 93, "AA"),
    "OpenAI": _plain("sk-" + "proj-", URL, 80),
    "OpenAI, old": lambda make: "sk-" + make.some(WORD, 20) + "T3Blbk" + "FJ" + make.some(WORD, 20),
    "AWS access key": _plain("AK" + "IA", CAPITALS, 16),
    "GitHub": _plain("gh" + "p_", WORD, 36),
    "GitHub fine-grained": _plain("github" + "_pat_", WORD, 82),
    "GitHub OAuth": _plain("gh" + "o_", WORD, 36),
    "GitHub app": _plain("gh" + "s_", WORD, 36),
    "GitLab": _plain("gl" + "pat-", URL, 20),
    "Slack": lambda make: "xo" + f"xb-{make.some('0123456789', 12)}-{make.some(WORD, 24)}",
    "Stripe": _plain("sk" + "_live_", WORD, 24),
    "Stripe webhook": _plain("wh" + "sec_", WORD, 32),
    "Google API": _plain("AI" + "za", URL, 35),
    "Google OAuth secret": _plain("GOC" + "SPX-", URL, 28),
    "Google OAuth token": _plain("ya" + "29.", URL, 120),
    "Twilio": _plain("S" + "K", HEX, 32),
    "SendGrid": lambda make: "S" + f"G.{make.some(URL, 22)}.{make.some(URL, 43)}",
    "Mailgun": _plain("ke" + "y-", HEX, 32),
    "npm": _plain("np" + "m_", WORD, 36),
    "PyPI": _plain("py" + "pi-AgEIcHlwaS5vcmc", URL, 80),
    "Docker Hub": _plain("dckr" + "_pat_", URL, 27),
    "Hugging Face": _plain("h" + "f_", string.ascii_letters, 34),
    "DigitalOcean": _plain("do" + "p_v1_", HEX, 64),
    "Telegram": lambda make: f"{make.some('123456789', 10)}:A" + "A" + make.some(URL, 33),
    "Discord": _discord,
    "JSON web token": _jwt,
    "Vault": _plain("hv" + "s.", URL, 95),
    "Databricks": _plain("da" + "pi", HEX, 32),
    "Databricks OAuth": _plain("do" + "se", HEX, 32),
    "AWS access key, old": _plain("A3" + "T", CAPITALS, 17),
    "Shopify": _plain("sh" + "pat_", HEX, 32),
    "Square": _plain("sq" + "0atp-", URL, 22),
    "Linear": _plain("lin" + "_api_", WORD, 40),
    "Notion": _plain("nt" + "n_", WORD, 46),
    "Sentry token": _plain("sn" + "trys_", WORD, 60),
    "Cloudflare origin": lambda make: "v1" + f".0-{make.some(HEX, 24)}-{make.some(HEX, 146)}",
    "Figma": _plain("fi" + "gd_", URL, 40),
    "Grafana": lambda make: "gl" + f"sa_{make.some(WORD, 32)}_{make.some(HEX, 8)}",
    "Groq": _plain("gs" + "k_", WORD, 52),
    "Atlassian": _plain("ATA" + "TT3", URL, 180),
    "Airtable": lambda make: "pa" + f"t{make.some(WORD, 14)}.{make.some(HEX, 64)}",
    "Azure client secret": lambda make: f"{make.some(WORD, 3)}8" + f"Q~{make.some(WORD, 34)}",
}
"""Secrets that are known by their shape."""

AROUND: dict[str, tuple[str, Callable[[Maker], str]]] = {
    "AWS secret key": ("aws_secret_access_key = {}", _plain("", BASE, 40)),
    "Slack webhook": (
        "https://hooks.slack.com/services/{}",
        lambda make: f"T{make.some(CAPITALS, 8)}/B{make.some(CAPITALS, 8)}/{make.some(WORD, 24)}",
    ),
    "Discord webhook": (
        "https://discord.com/api/webhooks/{}",
        lambda make: f"{make.some('123456789', 18)}/{make.some(URL, 68)}",
    ),
    "Azure storage": (
        "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey={};EndpointSuffix=x",
        _plain("", BASE, 86, "=="),
    ),
    "Heroku": ("HEROKU_API_KEY={}", _uuid),
    "Cloudflare": ("CLOUDFLARE_API_TOKEN={}", _plain("", URL, 40)),
    "Sentry DSN": ("https://{}@o447951.ingest.sentry.io/5428", _plain("", HEX, 32)),
    "database URL": ("postgres://shop:{}@db.internal:5432/orders", _plain("", WORD, 14)),
    "password in a URL": (
        "git clone https://dev:{}@git.example.com/shop.git",
        _plain("", WORD, 16),
    ),
    "basic": ("Authorization: Basic {}", _plain("", WORD, 32)),
    "bearer": ("curl -H 'Authorization: Bearer {}' https://api.example.com", _plain("", URL, 48)),
    "cookie": ("Set-Cookie: sid={}; HttpOnly", _plain("", WORD, 32)),
    "session id": ("PHPSESSID={}", _plain("", WORD, 26)),
    "password": ('password = "{}"', _plain("", WORD + "!%", 12)),
    "password in YAML": ("db:\n  password: {}\n  host: x", _plain("", WORD, 16)),
    "API key in JSON": ('{{"api_key": "{}"}}', _plain("", WORD, 32)),
    "secret in .env": ("JWT_SECRET={}", _plain("", WORD, 40)),
    "netrc": ("machine api.example.com login dev password {}", _plain("", WORD, 14)),
    "service account": ('"private_key_id": "{}",', _plain("", HEX, 40)),
}
"""Secrets that are known by the words around them."""

BLOCKS = ("RSA ", "EC ", "OPENSSH ", "PGP ", "")


def private_key(make: Maker, kind: str) -> Planted:
    """Make a private key of some lines."""
    lines = tuple(make.some(BASE, 64) for _ in range(5))
    block = " BLOCK" if kind == "PGP " else ""
    name = f"{kind}PRIVATE" + f" KEY{block}"
    text = "\n".join(("-----BEGIN " + name + "-----", *lines, "-----END " + name + "-----"))
    return Planted(f"{kind}private key", text, lines)


def planted(count: int, seed: int = 7) -> list[Planted]:
    """Make so many secrets, of every kind in turn."""
    make = Maker(seed)
    found: list[Planted] = []
    while len(found) < count:
        for kind, maker in SHAPED.items():
            secret = maker(make)
            found.append(Planted(kind, secret, (secret,)))
        for kind, (words, maker) in AROUND.items():
            secret = maker(make)
            found.append(Planted(kind, words.format(secret), (secret,)))
        found += [private_key(make, kind) for kind in BLOCKS]
    return found[:count]
