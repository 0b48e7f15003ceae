"""Secrets that are known by their shape: keys and tokens whose makers gave them a prefix.

Each shape has a marker, a few bytes that stand in every secret of that shape. Markers are
looked for first, all of them, which is cheap; only a shape whose marker is there costs a
search. Every repeat in a pattern is bounded and begins at an edge, so that no text, however
made, takes more than linear time.
"""

import base64
import binascii
import re
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from bough.export.secrets.heuristics import has_digit, is_mixed

# Also behind what is an edge to a person: a newline written as \\n, %3D, the end of a colour.
EDGE: Final = r"(?:(?<![A-Za-z0-9_])|(?<=\\[nrtbf])|(?<=%[0-9A-Fa-f]{2})|(?<=[0-9]m))"
END: Final = r"(?![A-Za-z0-9_])"


def _accept_any(_: str) -> bool:
    return True


class SecretPattern(Struct, frozen=True):
    """One kind of secret.

    The first group of the pattern is the secret, or the whole match where it has none.
    `holds` looks closer at what matched. A `gate` is asked instead of the markers where they
    are too short to tell anything.
    """

    kind: str
    markers: tuple[bytes, ...]
    pattern: re.Pattern[str]
    holds: Callable[[str], bool] = _accept_any
    gate: re.Pattern[bytes] | None = None


def _is_bot_token(text: str) -> bool:
    """Tell whether a text is as random as a Discord token, or begins with a number in base64."""
    head, _, tail = text.partition(".")
    if is_mixed(head) and is_mixed(tail):
        return True
    try:
        return base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)).isdigit()
    except (binascii.Error, ValueError):
        return False


def _pattern(
    kind: str, marker: str | tuple[str, ...], body: str, holds: Callable[[str], bool] = _accept_any
) -> SecretPattern:
    markers = (marker,) if isinstance(marker, str) else marker
    return SecretPattern(
        kind, tuple(m.encode() for m in markers), re.compile(EDGE + body + END), holds
    )


def _gated_pattern(
    kind: str, gate: str, body: str, holds: Callable[[str], bool] = _accept_any
) -> SecretPattern:
    return SecretPattern(kind, (), re.compile(EDGE + body + END), holds, re.compile(gate.encode()))


_WORD = "[A-Za-z0-9]"
_URL = "[A-Za-z0-9_-]"
_HEX = "[a-f0-9]"

TOKEN_PATTERNS: Final = (
    _pattern("Anthropic key", "sk-ant-", rf"sk-ant-{_URL}{{16,1000}}"),
    _pattern(
        "OpenAI key",
        ("T3BlbkFJ", "sk-proj-", "sk-svcacct-", "sk-admin-"),
        rf"sk-(?:(?:proj|svcacct|admin|None)-{_URL}{{20,1000}}|{_WORD}{{18,30}}T3BlbkFJ{_WORD}{{18,30}})",
    ),
    _pattern("OpenRouter key", "sk-or-", rf"sk-or-{_URL}{{32,120}}", has_digit),
    _gated_pattern("API key", rf"sk-{_WORD}{{32}}", rf"sk-{_WORD}{{32,64}}", has_digit),
    _pattern(
        "AWS access key", ("AKIA", "ASIA", "ABIA", "ACCA"), r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}"
    ),
    _pattern("GitHub token", "ghp_", rf"ghp_{_WORD}{{36,1000}}"),
    _pattern("GitHub fine-grained token", "github_pat_", r"github_pat_[A-Za-z0-9_]{22,1000}"),
    _pattern("GitHub OAuth token", "gho_", rf"gho_{_WORD}{{36,1000}}"),
    _pattern("GitHub app token", ("ghu_", "ghs_", "ghr_"), rf"gh[usr]_{_WORD}{{36,1000}}"),
    _pattern(
        "GitLab token",
        ("glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-", "glsoat-"),
        r"gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat)-[A-Za-z0-9_.-]{20,1000}",
    ),
    _pattern(
        "Slack token", ("xox", "xapp-"), r"(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,1000}", has_digit
    ),
    _pattern(
        "Slack webhook",
        "hooks.slack.com/",
        r"https://hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_+-]{20,200})",
        has_digit,
    ),
    _pattern(
        "Stripe key",
        ("sk_live_", "sk_test_", "rk_live_", "rk_test_"),
        rf"[sr]k_(?:live|test)_{_WORD}{{10,1000}}",
    ),
    _pattern("Stripe webhook secret", "whsec_", r"whsec_[A-Za-z0-9+/]{20,120}={0,2}", has_digit),
    _pattern("Google API key", "AIza", rf"AIza{_URL}{{35}}"),
    _pattern("Google OAuth secret", "GOCSPX-", rf"GOCSPX-{_URL}{{20,60}}"),
    _pattern(
        "Google OAuth token",
        ("ya29.", "1//0"),
        rf"(?:ya29\.{_URL}{{20,1000}}|1//0{_URL}{{30,1000}})",
        has_digit,
    ),
    _gated_pattern("Twilio key", rf"SK{_HEX}{{32}}", rf"SK{_HEX}{{32}}"),
    _gated_pattern("Twilio account", rf"AC{_HEX}{{32}}", rf"AC{_HEX}{{32}}"),
    _pattern("SendGrid key", "SG.", rf"SG\.{_URL}{{16,32}}\.{_URL}{{32,64}}"),
    _pattern("Mailgun key", "key-", rf"key-{_HEX}{{32}}"),
    _gated_pattern(
        "Mailgun key",
        rf"-{_HEX}{{8}}-{_HEX}{{8}}",
        rf"{_HEX}{{32}}-{_HEX}{{8}}-{_HEX}{{8}}",
    ),
    _gated_pattern("Mailchimp key", r"-us[0-9]", rf"{_HEX}{{32}}-us[0-9]{{1,2}}"),
    _pattern("npm token", "npm_", rf"npm_{_WORD}{{36,64}}"),
    _pattern("PyPI token", "pypi-", rf"pypi-{_URL}{{40,1000}}", is_mixed),
    _pattern("Docker Hub token", ("dckr_pat_", "dckr_oat_"), rf"dckr_[po]at_{_URL}{{20,100}}"),
    _pattern("Hugging Face token", ("hf_", "api_org_"), r"(?:hf|api_org)_[A-Za-z0-9]{30,40}"),
    _pattern("DigitalOcean token", ("dop_v1_", "doo_v1_", "dor_v1_"), rf"do[opr]_v1_{_HEX}{{64}}"),
    _pattern("Heroku key", "HRKU-", rf"HRKU-{_URL}{{30,100}}"),
    _gated_pattern(
        "Telegram bot token",
        rf"[0-9]:{_URL}{{35}}",
        rf"[0-9]{{8,10}}:{_URL}{{35}}",
        is_mixed,
    ),
    _gated_pattern(
        "Discord token",
        rf"\.{_URL}{{6}}\.{_URL}{{27}}",
        rf"[MNO]{_URL}{{23,27}}\.{_URL}{{6}}\.{_URL}{{27,40}}",
        _is_bot_token,
    ),
    _pattern(
        "Discord webhook",
        ("discord.com/api/webhooks/", "discordapp.com/api/webhooks/"),
        rf"https://(?:ptb\.|canary\.)?discord(?:app)?\.com/api/webhooks/([0-9]{{15,21}}/{_URL}{{30,120}})",
    ),
    _pattern(
        "JSON web token", "eyJ", rf"eyJ{_URL}{{8,4000}}\.eyJ{_URL}{{4,8000}}\.{_URL}{{0,2000}}"
    ),
    _pattern("age key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[0-9A-Z]{50,70}"),
    _pattern("Vault token", ("hvs.", "hvb.", "hvr."), rf"hv[sbr]\.{_URL}{{24,1000}}"),
    _gated_pattern("Vault token", rf"s\.{_WORD}{{24}}", rf"s\.{_WORD}{{24}}", is_mixed),
    _gated_pattern("Databricks token", rf"dapi{_HEX}{{32}}", rf"dapi{_HEX}{{32}}(?:-[0-9])?"),
    _pattern(
        "Shopify token",
        ("shpat_", "shpca_", "shppa_", "shpss_", "shpua_"),
        r"shp(?:at|ca|pa|ss|ua)_[a-fA-F0-9]{32}",
    ),
    _pattern(
        "Square token",
        ("sq0", "EAAA"),
        rf"(?:sq0(?:atp|csp|idp)-{_URL}{{22,43}}|EAAA{_URL}{{60}})",
        is_mixed,
    ),
    _pattern("Linear key", ("lin_api_", "lin_oauth_"), rf"lin_(?:api|oauth)_{_WORD}{{32,80}}"),
    _pattern(
        "Notion token",
        ("ntn_", "secret_"),
        rf"(?:ntn_{_WORD}{{40,60}}|secret_{_WORD}{{43}})",
        has_digit,
    ),
    _pattern("Sentry token", ("sntrys_", "sntryu_"), r"sntry[su]_[A-Za-z0-9+/=_-]{32,1000}"),
    _gated_pattern(
        "Sentry DSN",
        rf"://{_HEX}{{32}}[:@]",
        rf"https?://({_HEX}{{32}}(?::{_HEX}{{32}})?)@[a-z0-9.-]{{1,100}}/[0-9]{{1,20}}",
    ),
    _pattern("Cloudflare key", "v1.0-", rf"v1\.0-{_HEX}{{24}}-{_HEX}{{100,160}}"),
    _pattern("Figma token", ("figd_", "figu_"), rf"fig[du]_{_URL}{{30,80}}"),
    _pattern("Postman key", "PMAK-", rf"PMAK-{_HEX}{{24}}-{_HEX}{{34}}"),
    _pattern("New Relic key", ("NRAK-", "NRJS-", "NRII-"), rf"NR(?:AK|JS|II)-{_URL}{{19,40}}"),
    _pattern(
        "Grafana token",
        ("glsa_", "glc_"),
        r"gl(?:sa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}|c_[A-Za-z0-9+/=]{32,1000})",
    ),
    _pattern(
        "Supabase token", ("sbp_", "sb_secret_"), rf"(?:sbp_{_HEX}{{40}}|sb_secret_{_URL}{{20,60}})"
    ),
    _gated_pattern(
        "Airtable token", rf"pat{_WORD}{{14}}\.{_HEX}", rf"pat{_WORD}{{14}}\.{_HEX}{{64}}"
    ),
    _pattern("Atlassian token", ("ATATT3", "ATCTT3"), r"AT[AC]TT3[A-Za-z0-9_=-]{60,1000}"),
    _pattern("Dropbox token", "sl.", rf"sl\.(?:u\.)?{_URL}{{100,1500}}", is_mixed),
    _pattern(
        "Doppler token",
        "dp.",
        rf"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{{2,35}}\.)?{_WORD}{{40,44}}",
    ),
    _pattern(
        "Fly token",
        ("FlyV1 ", "fo1_"),
        r"(?:FlyV1 fm[0-9][a-z]?_[A-Za-z0-9+/=,_-]{60,2000}|fo1_[A-Za-z0-9_-]{40,50})",
    ),
    _pattern("Groq key", "gsk_", rf"gsk_{_WORD}{{40,80}}"),
    _pattern("xAI key", "xai-", rf"xai-{_WORD}{{60,120}}"),
    _pattern("Replicate token", "r8_", rf"r8_{_WORD}{{37,40}}"),
    _pattern("Perplexity key", "pplx-", rf"pplx-{_WORD}{{40,64}}"),
    _pattern("PlanetScale token", "pscale_", r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,64}"),
    _pattern("Pulumi token", "pul-", rf"pul-{_HEX}{{40}}"),
    _pattern("RubyGems key", "rubygems_", rf"rubygems_{_HEX}{{48}}"),
    _pattern("Terraform token", ".atlasv1.", rf"{_WORD}{{14}}\.atlasv1\.{_URL}{{60,70}}"),
    _pattern("Netlify token", "nfp_", rf"nfp_{_WORD}{{36,40}}"),
    _pattern("LangSmith key", "lsv2_", rf"lsv2_(?:pt|sk)_{_HEX}{{32}}_{_HEX}{{10}}"),
    _pattern("Buildkite token", ("bkua_", "bkat_"), rf"bk[ua][at]_{_WORD}{{40}}"),
    _pattern("CircleCI token", "CCIPAT_", r"CCIPAT_[A-Za-z0-9_]{40,80}"),
    _pattern("Mapbox token", "sk.eyJ", rf"sk\.eyJ{_URL}{{40,1000}}\.{_URL}{{16,40}}"),
    _pattern("1Password token", "ops_eyJ", r"ops_eyJ[A-Za-z0-9+/=_-]{100,2000}"),
    _pattern("Azure client secret", "Q~", r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}"),
    _pattern("Firebase server key", "AAAA", rf"AAAA{_URL}{{7}}:APA91{_URL}{{100,200}}"),
    _pattern("Twitch token", "oauth:", r"oauth:[a-z0-9]{30}", has_digit),
)
"""In the order of trust: where two fit the same text, the first gives the name."""
