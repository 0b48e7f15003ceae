"""Passwords on command lines and in SQL: what stands behind an option or a word of a command.

Commands are found by their name. What stands between the name and the option may go over
several lines where each ends with a backslash, and is bounded.
"""

from collections.abc import Callable
from typing import Final

from bough.export.secrets.heuristics import is_bare_password, is_secret, is_typed_password
from bough.export.secrets.secret_pattern import SecretPattern

_KIND: Final = "password on a command line"
# Also behind the sign of a line that a diff takes away.
_EDGE: Final = r"(?:(?<![\w-])|(?<=^-))"
_REST: Final = r"(?:[^\n|;&`]|(?<=\\)\n){0,200}?"
_QUOTED: Final = r"(\\{0,7}[\"'])((?:(?!\1)[^\n]){1,200})\1"
_BARE: Final = r"([^\s\"'`\\|;&<>()-][^\s\"'`\\|;&<>()]{0,200})"
_VALUE: Final = rf"(?:{_QUOTED}|{_BARE})"
# A name and a password with a colon between them, in quotes or not.
_AFTER_COLON: Final = r"\\{0,7}[\"']?[^\s:\"'/\\]{1,100}:([^\s\"'`\\|;&<>]{1,200})"


def _is_argument(text: str) -> bool:
    """Tell whether an argument is a password, and no option, variable or path."""
    return is_typed_password(text) and not text.startswith(("-", "/", "./", "~"))


def _command(
    words: str,
    options: str,
    value: str = _VALUE,
    holds: Callable[[str], bool] = _is_argument,
    *,
    command: str = "",
    gate: str = "",
) -> SecretPattern:
    name = command or f"(?:{'|'.join(words.split())})"
    return SecretPattern(
        _KIND,
        rf"{_EDGE}{name}(?:\.exe)?\\{{0,7}}[\"']?(?=[\s:]){_REST}(?:{options}){value}",
        (),
        tuple(words.split()),
        holds,
        gate,
    )


def _sql(expression: str, words: str) -> SecretPattern:
    return SecretPattern(
        "password in SQL",
        expression,
        (),
        tuple(words.split()),
        is_typed_password,
        ignores_case=True,
    )


_SQL_TEXT: Final = (
    r"(?:\\{0,7}'((?:[^'\n\\]|''){1,200})\\{0,7}'|\\{0,7}\"([^\"\n\\]{1,200})\\{0,7}\")"
)

COMMAND_PATTERNS: Final = (
    _command(
        "mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlsh mariadb mycli "
        "7z 7za 7zr rar unrar sshpass lftp",
        r"\s-p",
    ),
    _command(
        "sshpass mongosh mongo mongodump mongorestore mongoexport mongoimport cqlsh "
        "twine vncdo influx rabbitmqadmin ipmitool kinit snowsql impala beeline",
        r"\s-p\s{1,3}|\s--?p(?:assword|ass|wd)[ =]",
    ),
    _command(
        "docker podman nerdctl buildah skopeo helm az oc argocd cf ibmcloud",
        r"\s-p[ =]?",
        gate="login",
        command=r"(?:(?:docker|podman|nerdctl|buildah|skopeo|oc|argocd|az|cf|ibmcloud)\s{1,3}(?:acr\s)?login"
        r"|helm\s{1,3}registry\s{1,3}login)",
    ),
    _command(
        "curl wget http https httpie lwp aria2c xh",
        r"\s(?:-u|-U|--user|--proxy-user|-a|--auth)(?:[ =]\s{0,2})?",
        _AFTER_COLON,
        gate=r" (?:-u|-a|--user|--proxy-user|--auth)",
    ),
    _command(
        "curl wget",
        r"\s--(?:(?:http-|ftp-|proxy-)?password|pass|oauth2-bearer|key-pass)[ =]",
        gate=r" --(?:[a-z]{3,5}-)?(?:pass|oauth2)",
    ),
    _command(
        "redis-cli valkey-cli keydb-cli",
        r"\s(?:-a|--pass)[ =]?",
        command=r"(?:redis|valkey|keydb)-cli",
    ),
    _command(
        "ldapsearch ldapadd ldapmodify ldapwhoami ldapdelete ldappasswd ldapcompare",
        r"\s-[ws]\s{0,3}",
    ),
    _command(
        "zip unzip sqlcmd bcp osql isql mosquitto_pub mosquitto_sub mosquitto ipmitool",
        r"\s-P\s{0,3}",
    ),
    _command(
        "htpasswd", r"\s-(?=[a-zA-Z]{0,8}b)(?=[a-zA-Z]{0,8}n)[a-zA-Z]{2,8}\s{1,3}\S{1,200}\s{1,3}"
    ),
    _command(
        "htpasswd",
        r"\s-(?=[a-zA-Z]{0,8}b)(?![a-zA-Z]{0,8}n)[a-zA-Z]{1,8}\s{1,3}(?:\S{1,200}\s{1,3}){2}",
    ),
    _command(
        "openssl",
        r"(?:pass(?:in|out|word)?|\s-k|\s-K)?\s{0,2}\\{0,7}[\"']?pass:",
    ),
    _command("openssl", r"\s-(?:k|password|passin|passout)\s{1,3}(?!pass:|env:|file:|stdin|fd:)"),
    _command(
        "kubectl oc",
        r"--(?:docker-password|token|password)[ =]",
    ),
    SecretPattern(
        _KIND,
        r"--from-literal[ =]\\{0,7}[\"']?[\w.-]{1,100}=([^\s\"'`\\|;&]{1,300})",
        (),
        ("--from-literal",),
        _is_argument,
    ),
    _command(
        "aws",
        r"\sconfigure\s{1,3}set\s{1,3}(?:\S{1,60}\.)?aws_(?:secret_access_key|session_token)\s{1,3}",
    ),
    _command(
        "aws az gcloud vault doppler",
        r"\s--(?:secret-string|secret-value|master-user-password|admin-password|password|"
        r"client-secret|account-key|sas-token|root-password)[ =]\s{0,2}",
    ),
    _command(
        "az aws",
        r"\s--value[ =]\s{0,2}",
        command=r"(?:az\s{1,3}keyvault\s{1,3}secret\s{1,3}set|aws\s{1,3}ssm\s{1,3}put-parameter(?=[^\n]{0,300}SecureString))",
    ),
    _command("npm pnpm yarn bun", r"_(?:auth[tT]oken|password|auth)[ =]\s{0,2}"),
    _command("gh", r"\s(?:--body|-b)[ =]\s{0,2}", command=r"gh\s{1,3}secret\s{1,3}set"),
    _command("gh glab", r"<<<\s{0,3}", command=r"(?:gh|glab)\s{1,3}auth\s{1,3}login"),
    SecretPattern(
        _KIND,
        # echo secret | docker login --password-stdin
        r"(?:echo|printf)\s{1,3}(?:-n\s|-e\s|'%s(?:\\n)?'\s|\"%s(?:\\n)?\"\s)?\s{0,3}"
        + _VALUE
        + r"\s{0,3}\|\s{0,3}(?:sudo\s{1,3}-[a-zA-Z]{0,6}S|gh\s{1,3}auth|"
        r"[\w. /:-]{1,100}-(?:password|passphrase|token)-?"
        r"(?:stdin|fd)|gpg|openssl|(?:sudo\s{1,3})?(?:chpasswd|passwd|cryptsetup|kinit|mkpasswd)|"
        r"(?:npx\s{1,3})?(?:wrangler|vercel|gh|fly|flyctl|heroku|doppler|gcloud|pass|vault)\s[^\n|]{0,60}(?:secret|env|insert|write|put))",
        (),
        ("echo", "printf"),
        _is_argument,
        r"\|(?: |\\n){0,3}[a-z]",
    ),
    _command("chpasswd", r"<<<\s{0,3}", _AFTER_COLON),
    _command("sudo", r"<<<\s{0,3}", gate="<<<"),
    _command(
        "heroku fly flyctl railway doppler supabase wrangler netlify eb dokku gigalixir vercel",
        r"\s[\"']?[A-Z0-9_]{0,40}(?:PASS|PASSWORD|SECRET|TOKEN|KEY|PWD|CREDENTIALS?|DSN)[A-Z0-9_]{0,20}=",
        r"\\{0,7}[\"']?([^\s\"'`\\|;&<>]{1,300})",
    ),
    _command(
        "vercel netlify railway surge snyk wandb ngrok cargo wakatime render modal hf",
        r"\s(?:-t|--token|--auth|--authtoken|--api-key|--key)[ =]\s{0,2}",
    ),
    _command(
        "wandb cargo vault ngrok cachix snyk",
        r"\s",
        r"([A-Za-z0-9._-]{16,300})(?![A-Za-z0-9._-])",
        is_secret,
        command=r"(?:wandb\s{1,3}login|cargo\s{1,3}login|vault\s{1,3}login|ngrok\s{1,3}(?:config\s{1,3}add-)?authtoken|"
        r"snyk\s{1,3}auth|cachix\s{1,3}authtoken)",
    ),
    _command(
        "vault",
        r"\s(?:[\w./-]{1,80}\s{1,3})(?:[\w-]{1,40}=\S{1,80}\s{1,3}){0,4}[\w-]{0,30}(?:pass|secret|token|key|pw|value)[\w-]{0,20}=",
        command=r"vault\s{1,3}(?:kv\s{1,3}put|write)",
    ),
    _command(
        "poetry",
        r"\s(?:pypi-token\.\S{1,40}|http-basic\.\S{1,40}\s{1,3}\S{1,100})\s{1,3}",
        command=r"poetry\s{1,3}config",
    ),
    _command(
        "gpg gpg2 iwctl wpa_cli borg restic duplicity cryptsetup",
        r"\s--?(?:passphrase|password)[ =]\s{0,2}",
    ),
    _command(
        "wpa_passphrase",
        r"\s(?:\S{1,64}|[\"'][^\"'\n]{1,64}[\"'])\s{1,3}",
        command="wpa_passphrase",
    ),
    _command(
        "keytool jarsigner apksigner",
        r"\s-(?:storepass|keypass|srcstorepass|deststorepass)\s{1,3}(?:pass:)?",
    ),
    _command("plink pscp psftp putty winscp", r"\s-pw\s{1,3}"),
    _command("xfreerdp wfreerdp rdesktop cmdkey mstsc", r"\s(?:/p:|/pass:|-p\s{1,3})"),
    _command(
        "net",
        gate=r"net us",
        options=r"\s(?:user\s{1,3}\S{1,60}|use\s{1,3}\S{1,200}(?:\s{1,3}/user:\S{1,100}))\s{1,3}(?!/)",
        holds=is_bare_password,
    ),
    _command(
        "smbclient mount smbget rpcclient",
        r"\s-U\s{0,3}\\{0,7}[\"']?[^\s%\"']{1,100}%",
        r"([^\s\"'`\\|;&<>]{1,200})",
    ),
    _command("mount", r"[ ,](?:password|pass)=", r"([^\s\"'`\\|;&<>,]{1,200})"),
    _command(
        "sqlplus expdp impdp sqlldr",
        r"\s\\{0,7}[\"']?[\w$#]{1,60}/",
        r"([^\s\"'`\\|;&<>@/]{1,200})(?=@|\s|$|[\"'\\])",
    ),
    _command("lftp ncftpput", r"\s-u\s{1,3}[^\s,]{1,100},", r"([^\s\"'`\\|;&<>]{1,200})"),
    _command("rabbitmqctl", r"\s(?:add_user|change_password)\s{1,3}\S{1,100}\s{1,3}"),
    _command(
        "mc",
        r"\s",
        r"([^\s\"'`\\|;&<>]{8,200})(?=\s|$|[\"'\\])",
        is_secret,
        command=r"mc\s{1,3}(?:alias|config\s{1,3}host)\s{1,3}(?:set|add)\s{1,3}\S{1,60}\s{1,3}\S{1,200}\s{1,3}\S{1,100}",
    ),
    _command("snmpwalk snmpget snmpset", r"\s-[AX]\s{1,3}"),
    _command("usermod useradd", r"\s(?:-p|--password)[ =]\s{0,2}"),
    _command("nmcli", r"\s(?:password|wifi-sec\.psk|802-11-wireless-security\.psk)\s{1,3}"),
    _command(
        "ansible ansible-playbook",
        r"(?:ansible_(?:password|ssh_pass|become_pass(?:word)?|sudo_pass)|vault_password)=",
    ),
    _command("svn hg cvs", r"\s--password[ =]\s{0,2}"),
    SecretPattern(
        _KIND,
        r"(?<![\w-])--?[a-z0-9-]{0,30}(?:password|passwd|passphrase|pass|pwd)[ =]\s{0,2}" + _VALUE,
        (b"pass", b"pwd"),
        holds=is_bare_password,
        gate=r"-[a-z0-9-]{0,30}(?:pass|pwd)[a-z]{0,8}[ =]",
        ignores_case=True,
    ),
    SecretPattern(
        _KIND,
        r"(?<![\w-])--[a-z0-9-]{0,30}(?:token|secret|(?:api|access|auth)-?key|credentials?)[ =]"
        r"\s{0,2}" + _VALUE,
        (b"token", b"secret", b"key", b"credential"),
        holds=is_secret,
        gate=r"--[a-z0-9-]{0,30}(?:token|secret|key|credentials?)[ =]",
        ignores_case=True,
    ),
    SecretPattern(
        "password",
        # A connection string of psql, ODBC or ADO: words with an equals sign, or with semicolons.
        r"(?:host|hostaddr|dbname|server|data source|database|user id|uid|dsn|driver|account)"
        r"\s{0,2}=[^\n\"']{1,200}?[ ;]"
        r"(?:password|pwd)\s{0,2}=\s{0,2}(\\{0,7}'?[^\s;'\"\\]{1,200})",
        (b"password", b"pwd"),
        holds=is_typed_password,
        gate=r"[ ;](?:password|pwd) {0,2}=",
        ignores_case=True,
    ),
    SecretPattern(
        "password",
        r"ConvertTo-SecureString\s{1,3}(?:-String\s{1,3})?" + _QUOTED,
        (),
        ("ConvertTo-SecureString",),
        is_typed_password,
        ignores_case=True,
    ),
    _sql(
        rf"\bpassword(?:\s{{0,3}}=\s{{0,3}}|\s{{1,3}}(?:for\s{{1,3}}\S{{1,100}}\s{{0,3}}(?:=|to)\s{{0,3}})?)(?:password\s{{0,2}}\(\s{{0,2}})?N?{_SQL_TEXT}",
        "password",
    ),
    _sql(
        rf"\bset\s{{1,3}}password[^\n;]{{0,100}}?=\s{{0,3}}(?:password\s{{0,2}}\(\s{{0,2}})?{_SQL_TEXT}",
        "password",
    ),
    _sql(
        rf"\bidentified\s{{1,3}}(?:with\s{{1,3}}\S{{1,60}}\s{{1,3}})?(?:by|as)\s{{1,3}}(?:password\s{{1,3}})?{_SQL_TEXT}",
        "identified",
    ),
    SecretPattern(
        "password in SQL",
        r"\bidentified\s{1,3}by\s{1,3}(?:values\s{1,3})?([^\s\"'`\\;,()]{4,100})",
        (),
        ("identified",),
        is_bare_password,
        ignores_case=True,
    ),
    _sql(rf"\bcrypt\s{{0,2}}\(\s{{0,2}}{_SQL_TEXT}\s{{0,2}},\s{{0,2}}gen_salt", "crypt"),
)
"""In the order of trust."""
