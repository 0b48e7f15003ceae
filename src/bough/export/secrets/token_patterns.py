"""Secrets that are known by their shape: keys and tokens whose makers gave them a prefix.

Each shape has a marker, a few bytes that stand in every secret of that shape. Markers are
looked for first, all of them, which is cheap; only a shape whose marker is there costs a
search. A token may stand behind a letter or an underscore (`TOKEN_ghp_...`): what tells it is
its marker, its length and its letters. Every repeat in a pattern is bounded, so that no text,
however made, takes more than linear time.
"""

import base64
import binascii
from collections.abc import Callable
from typing import Final

from bough.export.secrets.heuristics import has_digit, is_mixed, is_random
from bough.export.secrets.secret_pattern import SecretPattern, accept_any

END: Final = r"(?![A-Za-z0-9])"
_EDGE: Final = r"(?<![A-Za-z0-9])"
# Not inside a run of base64: there every few letters stand sooner or later.
_APART: Final = r"(?<![A-Za-z0-9+/]{8})"
# Not deep inside a run of letters: else a run of markers would be read again from each of them.
_DEEP: Final = r"[A-Za-z0-9_+/-]{40}"


_FEWEST_LETTERS: Final = 8
"""What has fewer letters than that, each as often as it likes, only stands for a key."""


def _is_bot_token(text: str) -> bool:
    """Tell whether a text is as random as a Discord token, or begins with a number in base64."""
    head, _, tail = text.partition(".")
    if is_mixed(head) and is_mixed(tail):
        return True
    try:
        return base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)).isdigit()
    except (binascii.Error, ValueError):
        return False


def _is_private_key(text: str) -> bool:
    """Tell whether a text in base64 is a private key, and not a certificate."""
    try:
        head = base64.b64decode(text[:80] + "=" * (-len(text[:80]) % 4))
    except (binascii.Error, ValueError):
        return False
    return b"PRIVATE KEY" in head


def _pattern(
    kind: str,
    marker: str | tuple[str, ...],
    body: str,
    holds: Callable[[str], bool] = accept_any,
    gate: str = "",
) -> SecretPattern:
    markers = (marker,) if isinstance(marker, str) else marker
    return SecretPattern(kind, body + END, tuple(m.encode() for m in markers), (), holds, gate)


def _word_pattern(
    kind: str, words: str, body: str, holds: Callable[[str], bool] = accept_any
) -> SecretPattern:
    return SecretPattern(kind, body + END, (), tuple(words.split()), holds)


def _gated_pattern(
    kind: str,
    gate: str,
    body: str,
    holds: Callable[[str], bool] = accept_any,
    *,
    of_line: bool = False,
) -> SecretPattern:
    """Make a pattern that a gate is asked for: of the long words, or of the whole line."""
    return SecretPattern(kind, body + END, (), (), holds, gate, of_line)


_WORD = "[A-Za-z0-9]"
_URL = "[A-Za-z0-9_-]"
_HEX = "[a-f0-9]"
_UUID = f"{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}"

_GITLAB_KINDS = "pat|dt|rtr|rt|cbt|ptt|ft|imt|agent|soat|oas|ffct|wt"
_GITLAB = tuple(f"gl{kind}-" for kind in _GITLAB_KINDS.split("|"))

TOKEN_PATTERNS: Final = (
    _pattern("Anthropic key", "sk-ant-", rf"sk-ant-{_URL}{{16,1000}}"),
    _pattern(
        "OpenAI key",
        ("T3BlbkFJ", "sk-proj-", "sk-svcacct-", "sk-admin-"),
        rf"sk-(?:(?:proj|svcacct|admin|None)-{_URL}{{20,1000}}|{_WORD}{{18,30}}T3BlbkFJ{_WORD}{{18,30}})",
    ),
    _pattern("OpenRouter key", "sk-or-", rf"sk-or-{_URL}{{32,120}}", has_digit),
    _gated_pattern(
        "API key", rf"sk-{_WORD}{{32}}", rf"(?<![A-Za-z0-9])sk-{_WORD}{{32,64}}", has_digit
    ),
    _gated_pattern("API key", rf"sk-{_WORD}{{32}}", rf"sk-{_WORD}{{32,64}}", is_mixed),
    _gated_pattern(
        "AWS access key", r"A(?:[KSB]I|CC)A[A-Z0-9]{16}", r"A(?:[KSB]I|CC)A[A-Z0-9]{16}", has_digit
    ),
    # One in thirty has no digit; then only what stands around it tells it from other letters.
    _pattern(
        "AWS access key",
        ("AKIA", "ASIA"),
        r"(?<![A-Z0-9+/])A[KS]IA[A-Z2-7]{16}",
        lambda text: len(set(text)) >= _FEWEST_LETTERS,
    ),
    # An older form; a word of a base64 text may look like one.
    _gated_pattern("AWS access key", r"A3T[A-Z0-9]{17}", rf"{_APART}A3T[A-Z0-9]{{17}}", has_digit),
    _pattern(
        "AWS Bedrock key",
        "ABSK",
        rf"ABSK(?<!{_DEEP}ABSK)[A-Za-z0-9+/]{{100,300}}={{0,2}}",
        is_mixed,
    ),
    _pattern("AWS Bedrock key", "bedrock-api-key-", r"bedrock-api-key-[A-Za-z0-9+/=]{40,2000}"),
    _pattern("AWS MWS token", "amzn.mws.", rf"amzn\.mws\.{_UUID}"),
    _pattern("AWS signature", "X-Amz-Signature=", rf"X-Amz-Signature=({_HEX}{{64}})"),
    _pattern(
        "AWS session token",
        "X-Amz-Security-Token=",
        r"X-Amz-Security-Token=([A-Za-z0-9%/+=]{60,2000})",
    ),
    _pattern("Google signature", "X-Goog-Signature=", rf"X-Goog-Signature=({_HEX}{{64,1024}})"),
    _pattern("GitHub token", "ghp_", rf"ghp_{_WORD}{{36,1000}}"),
    _pattern("GitHub fine-grained token", "github_pat_", r"github_pat_[A-Za-z0-9_]{22,1000}"),
    _pattern("GitHub OAuth token", "gho_", rf"gho_{_WORD}{{36,1000}}"),
    _pattern("GitHub app token", ("ghu_", "ghs_", "ghr_"), rf"gh[usr]_{_WORD}{{36,1000}}"),
    _pattern("GitLab token", _GITLAB, rf"gl(?:{_GITLAB_KINDS})-[A-Za-z0-9_.-]{{20,1000}}"),
    _pattern("GitLab token", "GR1348941", rf"GR1348941{_URL}{{20}}"),
    _gated_pattern("GitHub app token", rf"v1\.{_HEX}{{40}}", rf"v1\.{_HEX}{{40}}"),
    _pattern(
        "Slack token",
        ("xox", "xapp-"),
        r"(?:xoxe\.xox[bp]|xox[abcdeoprs]|xapp)-[A-Za-z0-9%-]{10,1000}",
        has_digit,
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
    _pattern("Google API key", "AIza", rf"{_APART}AIza{_URL}{{35}}"),
    _pattern("Google OAuth secret", "GOCSPX-", rf"GOCSPX-{_URL}{{20,60}}"),
    _pattern(
        "Google OAuth token",
        ("ya29.", "1//0"),
        rf"(?:ya29\.{_URL}{{20,1000}}|(?<![A-Za-z0-9+/]{{4}})1//0{_URL}{{30,1000}})",
        has_digit,
    ),
    _gated_pattern("Twilio key", rf"SK{_HEX}{{32}}", rf"SK{_HEX}{{32}}"),
    _gated_pattern("Twilio account", rf"AC{_HEX}{{32}}", rf"AC{_HEX}{{32}}"),
    _pattern("SendGrid key", "SG.", rf"SG\.{_URL}{{16,32}}\.{_URL}{{32,64}}"),
    _pattern("Mailgun key", "key-", rf"key-{_HEX}{{32}}"),
    _gated_pattern(
        "Mailgun key",
        rf"-{_HEX}{{8}}-{_HEX}{{8}}",
        rf"(?<![a-f0-9]){_HEX}{{32}}-{_HEX}{{8}}-{_HEX}{{8}}",
    ),
    _gated_pattern("Mailchimp key", r"-us[0-9]", rf"(?<![a-f0-9]){_HEX}{{32}}-us[0-9]{{1,2}}"),
    _pattern("npm token", "npm_", rf"npm_{_WORD}{{36,64}}"),
    _pattern("PyPI token", "pypi-", rf"pypi-{_URL}{{40,1000}}", is_mixed),
    _pattern("Docker Hub token", ("dckr_pat_", "dckr_oat_"), rf"dckr_[po]at_{_URL}{{20,100}}"),
    _pattern("Hugging Face token", ("hf_", "api_org_"), r"(?:hf|api_org)_[A-Za-z0-9]{30,40}"),
    _pattern("DigitalOcean token", ("dop_v1_", "doo_v1_", "dor_v1_"), rf"do[opr]_v1_{_HEX}{{64}}"),
    _pattern("Heroku key", "HRKU-", rf"HRKU-{_URL}{{30,100}}"),
    _gated_pattern(
        "Telegram bot token",
        rf":A{_URL}{{34}}",
        rf"(?<![0-9])[0-9]{{8,10}}:A{_URL}{{34}}",
        is_mixed,
        of_line=True,
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
        "JSON web token",
        "eyJ",
        rf"eyJ(?<!{_DEEP}eyJ){_URL}{{8,4000}}\.eyJ{_URL}{{4,8000}}\.{_URL}{{0,2000}}",
    ),
    _pattern("age key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[0-9A-Z]{50,70}"),
    _pattern("Vault token", ("hvs.", "hvb.", "hvr."), rf"hv[sbr]\.{_URL}{{24,1000}}"),
    _gated_pattern(
        "Vault token", rf"s\.{_WORD}{{24}}", rf"(?<![A-Za-z0-9]{{2}})s\.{_WORD}{{24}}", is_random
    ),
    _gated_pattern(
        "Databricks token",
        rf"d(?:api|ose|kea){_HEX}{{32}}",
        rf"d(?:api|ose|kea){_HEX}{{32}}(?:-[0-9])?",
    ),
    _pattern(
        "Shopify token",
        ("shpat_", "shpca_", "shppa_", "shpss_", "shpua_"),
        r"shp(?:at|ca|pa|ss|ua)_[a-fA-F0-9]{32}",
    ),
    _pattern("Square token", "sq0", rf"sq0(?:atp|csp|idp)-{_URL}{{22,43}}", is_mixed),
    _gated_pattern("Square token", rf"EAAA{_URL}{{60}}", rf"{_APART}EAAA{_URL}{{60}}", is_mixed),
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
        of_line=True,
    ),
    _pattern("Cloudflare key", "v1.0-", rf"v1\.0-{_HEX}{{24}}-{_HEX}{{100,160}}"),
    _pattern("Figma token", ("figd_", "figu_"), rf"fig[du]_{_URL}{{30,80}}"),
    _pattern("Postman key", "PMAK-", rf"PMAK-{_HEX}{{24}}-{_HEX}{{34}}"),
    _pattern(
        "New Relic key",
        ("NRAK-", "NRJS-", "NRII-", "NRIQ-", "NRRA-"),
        rf"NR(?:AK|JS|II|IQ|RA)-{_URL}{{19,48}}",
    ),
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
    _pattern("Bitbucket password", "ATBB", rf"{_APART}ATBB{_WORD}{{28,36}}", has_digit),
    _pattern("Trello token", "ATTA", rf"{_APART}ATTA{_HEX}{{60,80}}"),
    _pattern(
        "Vercel token",
        ("vcp_", "vci_", "vca_", "vcr_", "vck_"),
        rf"vc[piark]_{_WORD}{{24,80}}",
        has_digit,
    ),
    _pattern("Vercel token", "vercel_blob_rw_", r"vercel_blob_rw_[A-Za-z0-9_]{30,80}"),
    _pattern("Dropbox token", "sl.", rf"sl\.(?:u\.)?{_URL}{{100,1500}}", is_mixed),
    _pattern(
        "Doppler token",
        "dp.",
        rf"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{{2,35}}\.)?{_WORD}{{40,44}}",
    ),
    _word_pattern("Fly token", "FlyV1", r"FlyV1 fm[0-9][a-z]?_[A-Za-z0-9+/=,_-]{60,2000}"),
    _pattern(
        "Fly token",
        ("fm1_", "fm1a_", "fm1r_", "fm2_", "fo1_"),
        r"(?:fm[12][ar]?_[A-Za-z0-9+/=]{60,2000}|fo1_[A-Za-z0-9_-]{40,50})",
    ),
    _pattern("Groq key", "gsk_", rf"gsk_{_WORD}{{40,80}}"),
    _pattern("xAI key", "xai-", rf"xai-{_URL}{{60,120}}"),
    _pattern("Replicate token", "r8_", rf"r8_{_WORD}{{37,40}}"),
    _pattern("Perplexity key", "pplx-", rf"pplx-{_WORD}{{40,64}}"),
    _pattern("PlanetScale token", "pscale_", r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,64}"),
    _pattern("Pulumi token", "pul-", rf"pul-{_HEX}{{40}}"),
    _pattern("RubyGems key", "rubygems_", rf"rubygems_{_HEX}{{48}}"),
    _pattern("Terraform token", ".atlasv1.", rf"{_EDGE}{_WORD}{{14,26}}\.atlasv1\.{_URL}{{60,70}}"),
    _pattern("Netlify token", "nfp_", rf"nfp_{_WORD}{{36,40}}"),
    _pattern("LangSmith key", "lsv2_", rf"lsv2_(?:pt|sk)_{_HEX}{{32}}_{_HEX}{{10}}"),
    _pattern("Buildkite token", ("bkua_", "bkat_", "bkct_"), rf"bk(?:ua|at|ct)_{_WORD}{{40}}"),
    _pattern("CircleCI token", "CCIPAT_", r"CCIPAT_[A-Za-z0-9_]{40,80}"),
    _pattern("Mapbox token", "sk.eyJ", rf"sk\.eyJ{_URL}{{40,1000}}\.{_URL}{{16,40}}"),
    _pattern("1Password token", "ops_eyJ", r"ops_eyJ[A-Za-z0-9+/=_-]{100,2000}"),
    _pattern("Azure client secret", "Q~", r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}"),
    _pattern("Firebase server key", "APA91", rf"AAAA{_URL}{{7}}:APA91{_URL}{{100,200}}"),
    _gated_pattern(
        "Twitch token", r"oauth:[a-z0-9]{30}", r"oauth:[a-z0-9]{30}", has_digit, of_line=True
    ),
    SecretPattern(
        "private key in base64",
        # Without an end: it takes all there is, so that no run is read twice.
        r"LS0tLS1CRUdJTi(?:[A-Za-z0-9+/]|\\n|\s){40,40000}+={0,2}",
        (b"LS0tLS1CRUdJTi",),
        holds=_is_private_key,
    ),
    _gated_pattern(
        "password hash",
        r"\$(?:2[abxy]|argon2|apr1|[156y]|7|gy|sha1|scrypt|pbkdf2)[^$\s]{0,10}\$[^$\s]{2}",
        r"(?:\$2[abxy]\$[0-9]{2}\$[./A-Za-z0-9]{53}"
        r"|\$(?:1|5|6|apr1|sha1)\$(?:rounds=[0-9]{1,9}\$)?[^$:\s\"'\\]{1,32}\$[./A-Za-z0-9]{20,100}"
        r"|\$(?:y|gy|7)\$[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{1,90}\$[./A-Za-z0-9]{20,90}"
        r"|\$argon2(?:id|i|d)\$v=[0-9]{1,4}\$m=[0-9]{1,9},t=[0-9]{1,6},p=[0-9]{1,4}\$[A-Za-z0-9+/=]{8,90}\$[A-Za-z0-9+/=]{16,180})",
        of_line=True,
    ),
    _word_pattern(
        "password hash",
        "pbkdf2_sha256 pbkdf2 scrypt",
        r"(?:pbkdf2_sha256\$[0-9]{1,9}\$[A-Za-z0-9]{1,64}\$[A-Za-z0-9+/]{20,100}={0,2}"
        r"|(?:pbkdf2:sha[0-9]{1,3}:[0-9]{1,9}|scrypt:[0-9]{1,7}:[0-9]{1,4}:[0-9]{1,4})\$[A-Za-z0-9]{8,64}\$[a-f0-9]{40,160})",
    ),
    _pattern("Azure DevOps token", "AZDO", rf"{_EDGE}{_WORD}{{76,90}}AZDO{_WORD}{{4}}"),
    _pattern(
        "Azure key", "JQQJ9", rf"{_EDGE}{_WORD}{{52,64}}JQQJ9[9DH]{_WORD}{{4}}[A-L]{_WORD}{{16,30}}"
    ),
    _pattern(
        "Azure key",
        ("+ASt", "+ARm", "+ACDb", "+AMC"),
        r"(?<![A-Za-z0-9/+])[A-Za-z0-9/+]{76,90}\+(?:ASt|ARm|ACDb|AMC)[A-Za-z0-9/+]{5,9}={0,2}",
    ),
    _gated_pattern(
        "Azure key", rf"AzSe[AC]{_WORD}{{6}}", rf"{_EDGE}{_WORD}{{40,64}}AzSe[AC]{_WORD}{{6}}"
    ),
    _pattern("Alibaba key", "LTAI", rf"{_APART}LTAI{_WORD}{{16,30}}", has_digit),
    _pattern("Tencent key", "AKID", rf"{_APART}AKID{_WORD}{{32}}", is_mixed),
    _pattern("Volcengine key", "AKLT", rf"{_APART}AKLT{_WORD}{{40,60}}", is_mixed),
    _pattern(
        "Yandex token",
        ("AQVN", "y0_Ag"),
        rf"(?:{_APART}AQVN{_URL}{{35,38}}|y0_Ag{_URL}{{40,80}})",
        is_mixed,
    ),
    _pattern("Stripe key", "sk_org_", rf"sk_org_(?:live|test)_{_WORD}{{10,1000}}"),
    _pattern(
        "Brevo key", ("xkeysib-", "xsmtpsib-"), rf"x(?:key|smtp)sib-{_HEX}{{64}}-{_WORD}{{16}}"
    ),
    _gated_pattern(
        "Resend key", rf"re_{_WORD}{{8}}_{_WORD}{{24}}", rf"re_{_WORD}{{8}}_{_WORD}{{24}}", is_mixed
    ),
    _pattern("MailerSend token", "mlsn.", rf"mlsn\.{_HEX}{{64}}"),
    _gated_pattern(
        "Mandrill key", r"md-[A-Za-z0-9]{22}", rf"(?<![A-Za-z0-9])md-{_WORD}{{22}}", is_random
    ),
    _pattern("Postmark webhook", "POSTMARK_API_TEST", r"POSTMARK_API_TEST_[A-Za-z0-9]{20,60}"),
    _pattern("NuGet key", "oy2", r"(?<![A-Za-z0-9+/]{8})oy2[a-z0-9]{43}", has_digit),
    _gated_pattern("crates.io token", rf"cio{_WORD}{{32}}", rf"{_APART}cio{_WORD}{{32}}", is_mixed),
    _pattern("Clojars token", "CLOJARS_", rf"CLOJARS_{_WORD}{{60}}"),
    _pattern("Packagist token", "packagist_", r"packagist_(?:ack|uut|uat|ort|ors)_[a-f0-9]{40,80}"),
    _pattern("Artifactory token", "AKCp", rf"{_APART}AKCp[0-9]?{_WORD}{{64,80}}", is_mixed),
    _pattern("Artifactory token", "cmVmdGtu", rf"{_APART}cmVmdGtu{_WORD}{{50,64}}"),
    _pattern("Docker swarm token", "SWMTKN-1-", r"SWMTKN-1-[a-z0-9]{49,52}-[a-z0-9]{24,26}"),
    _pattern("OpenShift token", "sha256~", rf"sha256~{_URL}{{43}}"),
    _gated_pattern(
        "k3s token", rf"K10{_HEX}{{64}}", rf"K10{_HEX}{{64}}::[a-z]{{2,12}}:{_HEX}{{20,64}}"
    ),
    _pattern("Together key", "tgp_v1_", rf"tgp_v1_{_URL}{{40,60}}"),
    _pattern("Fireworks key", "fw_", rf"fw_{_WORD}{{22,40}}", is_mixed),
    _pattern("Anyscale key", "esecret_", rf"esecret_{_WORD}{{24,40}}"),
    _gated_pattern("ElevenLabs key", rf"sk_{_HEX}{{48}}", rf"sk_{_HEX}{{48}}"),
    _pattern("Jina key", "jina_", rf"jina_{_URL}{{50,80}}"),
    _gated_pattern(
        "Voyage key", rf"pa-{_URL}{{43}}", rf"(?<![A-Za-z0-9])pa-{_URL}{{43}}", is_random
    ),
    _pattern("Pinecone key", "pcsk_", rf"pcsk_{_URL}{{50,90}}"),
    _pattern("Weights & Biases key", "wandb_v1_", rf"wandb_v1_{_URL}{{40,120}}"),
    _pattern("Langfuse key", "sk-lf-", rf"sk-lf-{_UUID}"),
    _pattern("Tavily key", "tvly-", rf"tvly-(?:dev-|prod-)?{_URL}{{24,60}}"),
    _gated_pattern("Firecrawl key", rf"fc-{_HEX}{{32}}", rf"fc-{_HEX}{{32}}"),
    _pattern("NVIDIA key", "nvapi-", rf"nvapi-{_URL}{{60,80}}"),
    _gated_pattern("Cerebras key", r"csk-[a-z0-9]{48}", r"csk-[a-z0-9]{48}"),
    _pattern("RunPod key", "rpa_", rf"rpa_{_WORD}{{40,60}}"),
    _pattern("LlamaCloud key", "llx-", rf"llx-{_WORD}{{40,60}}"),
    _gated_pattern("E2B key", rf"e2b_{_HEX}{{40}}", rf"e2b_{_HEX}{{40}}"),
    _pattern("Browserbase key", ("bb_live_", "bb_test_"), rf"bb_(?:live|test)_{_URL}{{20,60}}"),
    _gated_pattern(
        "Sourcegraph token",
        rf"sg[pd]_[a-z0-9_]{{0,24}}{_HEX}{{40}}",
        rf"sg[pd]_(?:(?:local|{_HEX}{{16}})_)?{_HEX}{{40,64}}",
    ),
    _gated_pattern(
        "Facebook token",
        rf"EAA[A-Z]{_WORD}{{80}}",
        rf"EAA(?<!{_DEEP}EAA)[A-Z]{_WORD}{{80,500}}",
        is_mixed,
    ),
    _gated_pattern(
        "X bearer token", r"A{20}[A-Za-z0-9%]{40}", r"(?<!A)A{20}[A-Za-z0-9%]{60,120}", is_mixed
    ),
    _pattern("Cloudflare token", ("cfut_", "cfat_", "cfk_"), rf"cf(?:ut|at|k)_{_WORD}{{40,60}}"),
    _gated_pattern(
        "Turnstile secret", rf"0x4AAAAAAA{_URL}{{20}}", rf"0x4AAAAAAA{_URL}{{26}}", is_mixed
    ),
    _pattern("Render key", "rnd_", rf"rnd_{_WORD}{{28,40}}", is_mixed),
    _pattern("Neon key", "napi_", rf"napi_{_WORD}{{60,80}}"),
    _pattern("Scaleway key", "SCW", r"(?<![A-Za-z0-9+/]{8})SCW[A-Z0-9]{17}", has_digit),
    _gated_pattern(
        "Infisical token", rf"st\.{_HEX}{{24}}\.", rf"st\.{_HEX}{{24}}\.{_HEX}{{32}}\.{_HEX}{{32}}"
    ),
    _gated_pattern(
        "1Password secret key",
        r"A3-[A-Z0-9]{6}-",
        r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{6}|[A-Z0-9]{11})-(?:[A-Z0-9]{5}-){2,4}[A-Z0-9]{5}",
        has_digit,
    ),
    _gated_pattern(
        "Bitwarden token",
        rf"0\.{_UUID}\.",
        rf"0\.{_UUID}\.{_WORD}{{30}}:[A-Za-z0-9+/]{{22}}={{0,2}}",
    ),
    _pattern("New Relic key", "NRAL", rf"(?<![a-f0-9]){_HEX}{{36}}NRAL"),
    _pattern("Datadog key", "ddapp_", rf"ddapp_{_WORD}{{30,40}}"),
    _pattern(
        "Grafana key", "eyJrIjoi", rf"eyJrIjoi(?<!{_DEEP}eyJrIjoi)[A-Za-z0-9+/]{{60,400}}={{0,2}}"
    ),
    _pattern("Dynatrace token", "dt0", r"dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    _pattern("Honeycomb key", ("hcaik_", "hcbik_", "hcamk_"), r"hc(?:ai|bi|am)k_[a-z0-9]{30,70}"),
    _pattern("PostHog key", "phx_", rf"phx_{_WORD}{{40,50}}"),
    _gated_pattern("LaunchDarkly key", rf"sdk-{_UUID}", rf"sdk-{_UUID}"),
    _gated_pattern("LaunchDarkly key", rf"api-{_UUID}", rf"api-{_UUID}"),
    _pattern(
        "Statsig key", ("secret-", "console-"), r"(?:secret|console)-[A-Za-z0-9]{40,60}", is_mixed
    ),
    _pattern(
        "Snyk token",
        ("snyk_uat", "snyk_sat"),
        rf"snyk_[us]at\.{_HEX}{{8}}\.[A-Za-z0-9_.-]{{20,200}}",
    ),
    _gated_pattern("SonarQube token", rf"sq[pua]_{_HEX}{{40}}", rf"sq[pua]_{_HEX}{{40}}"),
    _gated_pattern(
        "Asana token", r"/[0-9]{14}", rf"[12]/[0-9]{{12,20}}(?:/[0-9]{{12,20}})?:{_HEX}{{32}}"
    ),
    _gated_pattern("ClickUp token", r"pk_[0-9]{5,12}_[A-Z0-9]{32}", r"pk_[0-9]{5,12}_[A-Z0-9]{32}"),
    _pattern("Intercom token", "dG9rO", r"(?<![A-Za-z0-9+/]{8})dG9rO[A-Za-z0-9+/]{40,80}={0,2}"),
    _pattern("HubSpot token", ("pat-na", "pat-eu"), rf"pat-(?:na|eu)[0-9]-{_UUID}"),
    _gated_pattern(
        "Salesforce token",
        r"00D[A-Za-z0-9]{12}(?:[A-Za-z0-9]{3})?!",
        r"00D[A-Za-z0-9]{12}(?:[A-Za-z0-9]{3})?![A-Za-z0-9._]{80,140}",
        of_line=True,
    ),
    _word_pattern(
        "PayPal token",
        "access_token",
        rf"access_token\$(?:production|sandbox)\${_WORD}{{16}}\${_HEX}{{32}}",
    ),
    _pattern("PayPal token", "A21AA", rf"{_APART}A21AA{_URL}{{80,120}}"),
    _pattern("Plaid token", "access-", rf"access-(?:sandbox|development|production)-{_UUID}"),
    _pattern(
        "Flutterwave key", "FLWSECK", rf"FLWSECK(?:_TEST)?-{_WORD}{{12,60}}(?:-X)?", has_digit
    ),
    _gated_pattern("EasyPost key", rf"EZ[AT]K{_WORD}{{54}}", rf"EZ[AT]K{_WORD}{{54}}"),
    _pattern(
        "Shippo token", ("shippo_live_", "shippo_test_"), rf"shippo_(?:live|test)_{_HEX}{{40}}"
    ),
    _pattern("Contentful token", "CFPAT-", rf"CFPAT-{_URL}{{43}}"),
    _pattern("Typeform token", "tfp_", r"tfp_[A-Za-z0-9_.=-]{44,70}"),
    _pattern(
        "RapidAPI key",
        "jsn",
        rf"(?<![a-f0-9]){_HEX}{{10}}msh{_HEX}{{15}}p{_HEX}{{6}}jsn{_HEX}{{12}}",
    ),
    _gated_pattern("ReadMe key", r"rdme_[a-z0-9]{70}", r"rdme_[a-z0-9]{70}"),
    _pattern("Frame.io token", "fio-u-", rf"fio-u-{_URL}{{64}}"),
    _pattern(
        "Duffel token", ("duffel_test_", "duffel_live_"), rf"duffel_(?:test|live)_{_URL}{{43}}"
    ),
    _pattern("MaxMind key", "_mmk", rf"{_EDGE}{_WORD}{{6,16}}_{_WORD}{{29}}_mmk"),
    _pattern("Prefect key", ("pnu_", "pnb_"), rf"pn[ub]_{_WORD}{{36}}"),
    _pattern("Scalingo token", "tk-us-", rf"tk-us-{_URL}{{48}}"),
    _pattern("dbt token", ("dbtc_", "dbtu_"), rf"dbt[cu]_{_URL}{{30,100}}"),
    _pattern("Tinybird token", "p.eyJ", rf"p\.eyJ{_URL}{{40,400}}\.{_URL}{{20,80}}"),
    _pattern("Aiven password", "AVNS_", rf"AVNS_{_URL}{{16,24}}"),
    _pattern(
        "Tailscale key",
        "tskey-",
        rf"tskey-(?:auth|api|client|scim|webhook|reusable)?-?{_WORD}{{6,40}}-{_WORD}{{16,60}}",
    ),
    _gated_pattern(
        "ngrok token",
        rf"2{_WORD}{{26}}_",
        rf"(?<![A-Za-z0-9])[12]{_WORD}{{26}}_{_WORD}{{20,22}}",
        is_random,
    ),
    _word_pattern("Okta token", "SSWS", rf"SSWS\s{{1,3}}({_URL}{{20,60}})", has_digit),
    _pattern(
        "Stytch secret",
        ("secret-live-", "secret-test-"),
        r"secret-(?:live|test)-[A-Za-z0-9_=-]{30,60}",
    ),
    _pattern(
        "TeamCity token",
        "eyJ0eXAiOiAiVENWMiJ9",
        rf"eyJ0eXAiOiAiVENWMiJ9\.{_URL}{{20,80}}\.{_URL}{{20,80}}",
    ),
    _gated_pattern(
        "Harness token",
        rf"at\.{_URL}{{22}}\.",
        rf"[ps]at\.{_URL}{{22}}\.{_HEX}{{24}}\.{_WORD}{{20}}",
    ),
    _pattern("Octopus key", "API-", r"API-[A-Z0-9]{25,32}", has_digit),
    _pattern(
        "Teams webhook",
        ("webhook.office.com/", "outlook.office.com/webhook/"),
        r"https://[a-z0-9.-]{1,60}office\.com/webhook(?:b2)?/([A-Za-z0-9@/-]{60,300})",
    ),
    _pattern(
        "Zapier webhook",
        "hooks.zapier.com/",
        r"hooks\.zapier\.com/hooks/catch/([0-9]{4,12}/[a-z0-9]{5,20})",
    ),
    _pattern(
        "IFTTT key",
        "maker.ifttt.com/",
        rf"maker\.ifttt\.com/[^\s\"'<>]{{1,100}}/key/({_URL}{{20,60}})",
    ),
    _pattern("Infura key", "infura.io/", rf"infura\.io/(?:ws/)?v3/({_HEX}{{32}})"),
    _pattern("Alchemy key", "alchemy.com/", rf"alchemy\.com/v2/({_URL}{{32}})"),
    _gated_pattern("wallet key", rf"xprv{_WORD}{{100}}", rf"xprv{_WORD}{{100,112}}"),
    _pattern("Nostr key", "nsec1", r"nsec1[a-z0-9]{58}"),
    _gated_pattern(
        "Convex key",
        r"\|[A-Za-z0-9+/=]{40}",
        r"(?:prod|dev|preview):[a-z0-9-]{6,40}\|[A-Za-z0-9+/=]{40,200}",
        of_line=True,
    ),
    SecretPattern(
        "Kubernetes bootstrap token",
        r"(?:--token|--discovery-token)[ =]([a-z0-9]{6}\.[a-z0-9]{16})" + END,
        (b"--token=", b"-token="),
        ("--token", "--discovery-token"),
        has_digit,
    ),
    _pattern("age key", "AGE-PLUGIN-", r"AGE-PLUGIN-[A-Z0-9]{1,20}-1[0-9A-Z]{20,200}"),
    _pattern(
        "Cloudflare tunnel token",
        "eyJhIjoi",
        rf"eyJhIjoi(?<!{_DEEP}eyJhIjoi)[A-Za-z0-9+/=]{{100,400}}",
    ),
    _gated_pattern("Cursor key", rf"key_{_HEX}{{64}}", rf"(?<![A-Za-z0-9_])key_{_HEX}{{64}}"),
    _pattern("Context7 key", "ctx7sk-", rf"ctx7sk-{_UUID}"),
    _gated_pattern(
        "Modal token", rf"a[ks]-{_WORD}{{22}}", rf"(?<![A-Za-z0-9-])a[ks]-{_WORD}{{22}}", is_random
    ),
    _word_pattern(
        "Vault unseal key", "Unseal", r"Unseal Key [0-9]{1,2}: ([A-Za-z0-9+/]{43,64}={0,2})"
    ),
    _gated_pattern("Adobe secret", r"p8e-[a-z0-9]{32}", r"p8e-[a-z0-9]{32}", has_digit),
    _gated_pattern("Infracost key", rf"ico-{_WORD}{{32}}", rf"{_EDGE}ico-{_WORD}{{32}}", is_mixed),
    _gated_pattern("42 secret", rf"s-s4t2(?:ud|af)-{_HEX}{{64}}", rf"s-s4t2(?:ud|af)-{_HEX}{{64}}"),
    _pattern(
        "SettleMint token",
        ("sm_pat_", "sm_aat_", "sm_sat_"),
        rf"sm_[pas]at_{_WORD}{{16}}",
        has_digit,
    ),
    _pattern("Defined Networking key", "dnkey-", r"dnkey-[a-z0-9=_-]{26}-[a-z0-9=_-]{52}"),
    _pattern(
        "Authress key",
        (".acc_", ".acc-"),
        r"(?:sc|ext|scauth|authress)_[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}"
        r"\.[A-Za-z0-9+/_=-]{30,120}",
    ),
    _gated_pattern(
        "ClickHouse key", rf"4b1d{_WORD}{{38}}", rf"{_EDGE}4b1d{_WORD}{{38}}", is_random
    ),
    _gated_pattern(
        "Artifactory token", rf"AKC{_WORD}{{64}}", rf"{_APART}AKC{_WORD}{{64,80}}", is_mixed
    ),
    _pattern("Brave key", "BSA", rf"{_EDGE}BSA{_URL}{{28}}", is_mixed),
    _pattern("Baidu key", "bce-v3/ALTAK-", rf"bce-v3/ALTAK-{_WORD}{{21}}/{_HEX}{{40}}"),
    _pattern("Polar token", ("polar_oat_", "polar_pat_"), rf"polar_[op]at_{_WORD}{{30,60}}"),
    _pattern("n8n key", "n8n_api_", rf"n8n_api_{_WORD}{{40,120}}"),
    _pattern("Apify token", "apify_api_", rf"apify_api_{_WORD}{{30,50}}"),
    _pattern(
        "Microsoft token",
        ("0.A", "1.A"),
        rf"{_EDGE}[01]\.A{_URL}{{150,2000}}",
        is_mixed,
    ),
    _pattern(
        "Lark webhook",
        ("open.feishu.cn/", "open.larksuite.com/"),
        rf"open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/(?:v2/)?hook/({_URL}{{30,60}})",
    ),
    _pattern(
        "WeCom webhook",
        "qyapi.weixin.qq.com/",
        rf"qyapi\.weixin\.qq\.com/cgi-bin/webhook/[a-z_]{{4,20}}\?key=({_URL}{{30,60}})",
    ),
    _pattern("Elastic token", "essu_", rf"essu_{_WORD}{{40,120}}={{0,2}}"),
)
"""In the order of trust: where two fit the same text, the first gives the name."""
