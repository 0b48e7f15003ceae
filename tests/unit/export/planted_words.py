"""Made-up secrets that only the words around them tell, and tokens in odd company.

Each entry is the words with a gap, and what makes the secret; all are put together when a test
runs, so that nothing in the repository looks like a secret.
"""

import base64
import string
from collections.abc import Callable

from tests.unit.export.planted import (
    BASE,
    CAPITALS,
    HEX,
    SHAPED,
    URL,
    WORD,
    Maker,
    Planted,
    private_key,
)

LOWER = string.ascii_lowercase + string.digits
DIGITS = string.digits
ZERO_WIDTH = "\u200b"


def _some(letters: str, count: int, start: str = "", end: str = "") -> Callable[[Maker], str]:
    return lambda make: start + make.some(letters, count) + end


def typed(make: Maker) -> str:
    """Make a password as a person types it."""
    word = make.chance.choice(("orchard", "pelican", "granite", "lantern", "harbour"))
    return f"{word}{make.chance.randrange(1000, 9999)}{make.chance.choice('!#+')}q"


def phrase(make: Maker) -> str:
    """Make a password of words alone."""
    words = ["correct", "horse", "battery", "staple", "velvet", "copper", "meadow", "signal"]
    return "-".join(make.chance.sample(words, 4))


def letters(make: Maker) -> str:
    """Make a password that is one long word."""
    return "".join(make.chance.choice(string.ascii_lowercase) for _ in range(12))


def _basic(make: Maker) -> str:
    return base64.b64encode(f"dev:{make.some(WORD, 14)}".encode()).decode()


def _hash(make: Maker) -> str:
    return "$6" + f"${make.some(WORD, 12)}${make.some(WORD + './', 86)}"


def _shadow(make: Maker) -> str:
    return "$y" + f"$j9T${make.some(WORD, 22)}${make.some(WORD + './', 43)}"


def _pem_in_base64(make: Maker) -> str:
    return base64.b64encode(private_key(make, "RSA ").text.encode()).decode()


def _uuid(make: Maker) -> str:
    return "-".join(make.some(HEX, n) for n in (8, 4, 4, 4, 12))


def _words(make: Maker) -> str:
    names = [
        "apple",
        "brick",
        "cloud",
        "drift",
        "eagle",
        "frost",
        "grape",
        "hazel",
        "ivory",
        "jolly",
        "karma",
        "lemon",
    ]
    make.chance.shuffle(names)
    return " ".join(names)


COMMANDS: dict[str, tuple[str, Callable[[Maker], str]]] = {
    "mysql": ("mysql -h db -u root -p{} shop", typed),
    "mysqldump": ("mysqldump --single-transaction -uroot -p'{}' shop > d.sql", typed),
    "sshpass": ("sshpass -p {} ssh dev@host", typed),
    "sshpass, quoted": ("sshpass -p '{}' scp a dev@host:", letters),
    "docker login": ("docker login -u dev -p {} registry.example.com", typed),
    "docker login, long": ("docker login --username dev --password {} ghcr.io", typed),
    "docker login on two lines": ("docker login \\\n  -u dev \\\n  -p {} ghcr.io", typed),
    "piped to docker login": ("echo {} | docker login -u dev --password-stdin", letters),
    "curl --user": ("curl --user dev:{} https://example.com/api", letters),
    "curl -u": ("curl -s -u 'dev:{}' https://example.com/api", typed),
    "wget": ("wget --user=dev --password={} https://example.com/a.zip", typed),
    "psql string": ('psql "host=db user=shop password={} dbname=orders"', letters),
    "PGPASSWORD": ("PGPASSWORD={} psql -h db -U shop", typed),
    "redis-cli": ("redis-cli -h cache -a {} ping", typed),
    "mongosh": ("mongosh --host db -u root -p {} admin", typed),
    "htpasswd": ("htpasswd -bc /etc/nginx/.htpasswd dev {}", typed),
    "openssl": ("openssl rsa -in a.pem -passin pass:{} -out b.pem", typed),
    "openssl enc": ("openssl enc -aes-256-cbc -k {} -in a -out b", typed),
    "kubectl": ("kubectl create secret generic db --from-literal=pw={}", letters),
    "kubectl registry": (
        "kubectl create secret docker-registry r --docker-password={} --docker-username=d",
        typed,
    ),
    "aws configure": ("aws configure set aws_secret_access_key {}", _some(BASE, 40)),
    "aws secret": ("aws secretsmanager create-secret --name a --secret-string '{}'", typed),
    "npm config": ("npm config set //registry.npmjs.org/:_authToken {}", _uuid),
    "npmrc": ("//npm.example.com/:_authToken={}", _uuid),
    "gh auth": ("gh auth login --with-token <<< {}", typed),
    "gh secret": ("gh secret set DEPLOY --body {}", typed),
    "ldapsearch": ("ldapsearch -x -D cn=admin -w {} -b dc=a", typed),
    "zip": ("zip -P {} out.zip a b", typed),
    "7z": ("7z a -p{} out.7z a", typed),
    "gpg": ("gpg --batch --passphrase {} -d a.gpg", typed),
    "keytool": ("keytool -list -keystore a.jks -storepass {}", typed),
    "sudo -S": ("echo {} | sudo -S apt update", typed),
    "chpasswd": ("echo 'root:{}' | chpasswd", typed),
    "smbclient": ("smbclient //host/share -U dev%{}", typed),
    "sqlcmd": ("sqlcmd -S db -U sa -P {} -Q 'select 1'", typed),
    "sqlplus": ("sqlplus scott/{}@orcl", typed),
    "plink": ("plink -pw {} dev@host", typed),
    "rabbitmqctl": ("rabbitmqctl add_user dev {}", typed),
    "heroku": ("heroku config:set SESSION_SECRET={} -a shop", typed),
    "fly": ("fly secrets set DB_PASSWORD={}", letters),
    "vault": ("vault kv put secret/db password={}", letters),
    "az": ("az keyvault secret set --vault-name v --name n --value {}", typed),
    "vercel": ("vercel deploy --token {}", _some(WORD, 24)),
    "PowerShell": ("$p = ConvertTo-SecureString '{}' -AsPlainText -Force", typed),
    "wandb": ("wandb login {}", _some(HEX, 40)),
    "ansible": ("ansible-playbook site.yml -e ansible_password={}", typed),
    "twine": ("twine upload -u dev -p {} dist/*", typed),
    "poetry": ("poetry config http-basic.internal dev {}", typed),
    "kubeadm": (
        "kubeadm join 10.0.0.1:6443 --token {} --discovery-token-ca-cert-hash x",
        lambda make: f"{make.some(LOWER, 6)}.{make.some(LOWER, 16)}",
    ),
}
"""Passwords on command lines."""

SQL: dict[str, tuple[str, Callable[[Maker], str]]] = {
    "create user": ("CREATE USER shop WITH PASSWORD '{}';", letters),
    "alter role": ("ALTER ROLE shop WITH LOGIN ENCRYPTED PASSWORD '{}';", typed),
    "identified by": ("CREATE USER 'shop'@'%' IDENTIFIED BY '{}';", letters),
    "identified with": ("ALTER USER a IDENTIFIED WITH mysql_native_password BY '{}';", typed),
    "set password": ("SET PASSWORD FOR 'root'@'localhost' = PASSWORD('{}');", typed),
    "login": ("CREATE LOGIN shop WITH PASSWORD = '{}';", typed),
    "Oracle": ("CREATE USER scott IDENTIFIED BY {};", typed),
    "crypt": ("UPDATE users SET h = crypt('{}', gen_salt('bf'));", typed),
}
"""Passwords in SQL."""

SETTINGS: dict[str, tuple[str, Callable[[Maker], str]]] = {
    "APP_KEY": ("APP_KEY=base64:{}", _some(BASE, 43, "", "=")),
    "PRIVATE_KEY_HEX": ("PRIVATE_KEY_HEX=0x{}", _some(HEX, 64)),
    "LDAP_BIND_PW": ("LDAP_BIND_PW={}", typed),
    "algolia": ("algolia_admin_key={}", _some(HEX, 32)),
    "SSWS": ("Authorization: SSWS {}", _some(URL, 40, "00")),
    "weak password in JSON": ('{{"password": "{}"}}', letters),
    "phrase in JSON": ('{{"db": {{"password": "{}"}}}}', phrase),
    "JSON in JSON": ('{{"body": "{{\\"password\\": \\"{}\\"}}"}}', letters),
    "phrase in .env": ("DB_PASSWORD={}", phrase),
    "word in .env": ("export DB_PASSWORD={}", letters),
    "odd marks in .env": (
        "MAIL_PASSWORD={}",
        lambda make: f"a(b){make.some(WORD, 8)};c&{make.some(WORD, 5)}",
    ),
    "phrase in YAML": ("db:\n  password: {}\n", phrase),
    "quoted in YAML": ('passphrase: "{}"', letters),
    "passwd": ("passwd: '{}'", letters),
    "client_secret": ('"client_secret": "{}"', letters),
    "camel case": ('dbPassword = "{}"', letters),
    "by index": ('config["password"] = "{}"', letters),
    "define": ("define('DB_PASSWORD', '{}');", typed),
    "XML": ("<password>{}</password>", letters),
    "properties": ("spring.datasource.password={}", typed),
    "Java option": ("-Djavax.net.ssl.keyStorePassword={}", typed),
    "connection string": ("Server=db;Database=shop;User Id=sa;Password={};Encrypt=true", letters),
    "ODBC": ("Driver={{x}};Server=db;Uid=sa;Pwd={};", typed),
    "kennwort": ('kennwort = "{}"', letters),
    "senha": ("senha: '{}'", letters),
    "docker auth": ('{{"auths": {{"ghcr.io": {{"auth": "{}"}}}}}}', _basic),
    "basic header": ("Authorization: Basic {}", _basic),
    "pgpass": ("db.example.com:5432:orders:shop:{}", letters),
    "pgpass, any": ("*:5432:*:postgres:{}", typed),
    "shadow": ("root:{}:19800:0:99999:7:::", _hash),
    "shadow, yescrypt": ("dev:{}:19800:0:99999:7:::", _shadow),
    "base64 of a key": ("  tls.key: {}", _pem_in_base64),
    "client-key-data": ("    client-key-data: {}", _pem_in_base64),
    "WireGuard": ("PrivateKey = {}", _some(BASE, 43, "", "=")),
    "seed phrase": ("mnemonic: {}", _words),
    "Datadog": ("DD_API_KEY={}", _some(HEX, 32)),
    "Twilio": ("TWILIO_AUTH_TOKEN={}", _some(HEX, 32)),
    "Rails": ("RAILS_MASTER_KEY={}", _some(HEX, 32)),
    "Django": ("SECRET_KEY = '{}'", _some(WORD + "!@#", 50)),
    "refresh token": ('"refresh_token": "{}"', _some(URL, 48)),
    "X-Api-Key": ("X-Api-Key: {}", _some(WORD, 32)),
    "Ethereum": ("PRIVATE_KEY=0x{}", _some(HEX, 64)),
    "SharedAccessKey": (
        "Endpoint=sb://a.servicebus.windows.net/;SharedAccessKeyName=R;SharedAccessKey={}",
        _some(BASE, 43, "", "="),
    ),
    "webhook": (
        "https://a.webhook.office.com/webhookb2/{}",
        lambda make: f"{_uuid(make)}@{_uuid(make)}/IncomingWebhook/{make.some(HEX, 32)}",
    ),
    "query": ("https://maps.example.com/v1?key={}&z=3", _some(WORD, 32)),
}
"""Values of settings, also such as nobody would call random."""

CODE: dict[str, tuple[str, Callable[[Maker], str]]] = {
    "basic login": ("requests.get(url, auth=HTTPBasicAuth('dev', '{}'))", typed),
    "pair of a login": ("requests.get(url, auth=('dev', '{}'))", typed),
    "mail login": ('server.login("dev@example.com", "{}")', typed),
    "credential": ('new NetworkCredential("dev", "{}")', typed),
    "PDO": ("new PDO($dsn, 'root', '{}')", typed),
    "mysqli": ("mysqli_connect('db', 'root', '{}')", typed),
    "Go": ('sql.Open("mysql", "root:{}@tcp(127.0.0.1:3306)/shop")', letters),
    "JDBC": ("jdbc:oracle:thin:scott/{}@//db:1521/x", typed),
    "Twilio client": (f"Client('A{'C' + 'a1' * 16}', '{{}}')", _some(HEX, 32)),
    "AWS as downloaded": (
        "User,Access key ID,Secret access key\ndev,AK" + "IA" + "Q7" * 8 + ",{}",
        _some(BASE, 40),
    ),
    "signed token": ("jwt.sign(claims, '{}')", _some(WORD, 32)),
    "HMAC": ("hmac.new(b'{}', body, 'sha256')", _some(WORD, 32)),
    "HMAC in JavaScript": ("crypto.createHmac('sha256', '{}')", _some(WORD, 32)),
    "Fernet": ("Fernet(b'{}')", _some(URL, 43, "", "=")),
    "JSON web key": ('{{"kty": "EC", "crv": "P-256", "d": "{}"}}', _some(URL, 43)),
    "declared in Swift": ('let apiKey: String = "{}"', _some(WORD, 32)),
    "declared in TypeScript": ("const API_TOKEN: string = `{}`", _some(WORD, 32)),
    "declared in Python": ('password: str = "{}"', letters),
    "Dockerfile": ("ENV MYSQL_ROOT_PASSWORD {}", typed),
    "csh": ("setenv DB_PASSWORD {}", typed),
    "fish": ("set -gx OPENAI_KEY {}", _some(WORD, 40)),
    "setx": ('setx API_KEY "{}"', _some(WORD, 32)),
    "name and value": ('- name: DB_PASSWORD\n  value: "{}"', typed),
    "name and value in JSON": ('{{"name": "API_TOKEN", "value": "{}"}}', _some(WORD, 32)),
    "value and name": ('{{"value": "{}", "name": "DB_PASSWORD"}}', letters),
    "Wi-Fi": ('network={{\n  ssid="home"\n  psk="{}"\n}}', letters),
    "LDAP": ("bindpw {}", typed),
    "Redis": ("requirepass {}", typed),
    "expect": ('expect "assword:" {{ send "{}\\r" }}', typed),
    "Rails": ("secret_key_base: {}", _some(HEX, 128)),
    "NTLM": (f"Administrator:500:{'aad3b435b51404ee' * 2}:{{}}:::", _some(HEX, 32)),
    "Composer": ('{{"github-oauth": {{"github.com": "{}"}}}}', _some(HEX, 40)),
    "wallet": (
        "WIF={}",
        lambda make: "L" + make.some(WORD.translate({48: 49, 73: 74, 79: 80, 108: 109}), 51),
    ),
    "signature in a URL": ("https://a.example/k?Signature={}&Expires=12", _some(WORD, 40)),
    "Opsgenie": ("Authorization: GenieKey {}", _uuid),
    "column of a table": ("| user | password |\n|---|---|\n| dev | {} |", typed),
    "column of a query": (" id | name | password \n----+------+----\n  1 | dev  | {}\n", typed),
    "column of CSV": ("name,password,role\nadmin,,x\ndev,{},y", typed),
    "row of a table": ("| host | db |\n|---|---|\n| password | {} |", typed),
}
"""Secrets in code and in files of settings, where no sign of equality stands before them."""

SENTENCES: dict[str, tuple[str, Callable[[Maker], str]]] = {
    "English": ("The password is {}, please do not share it.", typed),
    "in quotes": ("my password is `{}` for now", letters),
    "phrase": ("Set the passphrase to {} and go on.", phrase),
    "with a purpose": ("password for the staging db: {}", typed),
    "Chinese": ("数据库密码是{}\uff0c请改一下", typed),
    "Chinese, colon": ("密码\uff1a{}", letters),
    "Traditional": ("密碼: {}", typed),
    "Japanese": ("パスワードは {} です", typed),
    "Korean": ("비밀번호는 {} 입니다", typed),
    "Russian": ("пароль: {}", typed),
    "Spanish": ("la contraseña es {}", typed),
    "German": ("Das Passwort lautet {}.", typed),
    "French": ("le mot de passe est {}", typed),
    "Polish": ("hasło: {}", typed),
    "token": ("Use the token {} to log in", _some(WORD, 40)),
    "key": ("here is my api key: {}", _some(WORD, 32)),
    "key in hex": ("the access key is {}.", _some(HEX, 40)),
    "user and password": ("username admin and password {}", typed),
    "login": ("login: dev / {}", typed),
    "PIN": ("the PIN is {}", _some(DIGITS, 6)),
}
"""Passwords that somebody tells somebody."""

MORE_TOKENS: dict[str, Callable[[Maker], str]] = {
    "Bitbucket": _some(WORD, 32, "AT" + "BB"),
    "Vercel": _some(WORD, 56, "vc" + "p_"),
    "Azure DevOps": lambda make: make.some(WORD, 76) + "AZ" + "DO" + make.some(WORD, 4),
    "Alibaba": _some(WORD, 20, "LT" + "AI"),
    "Brevo": lambda make: "xkey" + f"sib-{make.some(HEX, 64)}-{make.some(WORD, 16)}",
    "Resend": lambda make: "r" + f"e_{make.some(WORD, 8)}_{make.some(WORD, 24)}",
    "NuGet": _some(LOWER, 43, "oy" + "2"),
    "Artifactory": _some(WORD, 69, "AK" + "Cp8"),
    "Pinecone": _some(WORD, 60, "pc" + "sk_"),
    "NVIDIA": _some(URL, 64, "nv" + "api-"),
    "Tavily": _some(WORD, 32, "tv" + "ly-dev-"),
    "Langfuse": lambda make: "sk" + f"-lf-{_uuid(make)}",
    "Dynatrace": lambda make: "dt" + f"0c01.{make.some(CAPITALS, 24)}.{make.some(CAPITALS, 64)}",
    "HubSpot": lambda make: "pat" + f"-na1-{_uuid(make)}",
    "Asana": lambda make: f"1/12{make.some(DIGITS, 14)}:{make.some(HEX, 32)}",
    "SonarQube": _some(HEX, 40, "sq" + "p_"),
    "PostHog": _some(WORD, 43, "ph" + "x_"),
    "Tailscale": lambda make: "ts" + f"key-auth-{make.some(WORD, 17)}-{make.some(WORD, 32)}",
    "Contentful": _some(URL, 43, "CF" + "PAT-"),
    "Aiven": _some(WORD, 19, "AV" + "NS_"),
    "GitLab runner": _some(URL, 20, "GR" + "1348941"),
    "OpenShift": _some(URL, 43, "sha" + "256~"),
    "age": _some(CAPITALS, 58, "AGE-SECRET" + "-KEY-1"),
    "bcrypt": lambda make: "$2" + f"b$12${make.some(WORD + './', 53)}",
    "Terraform": lambda make: make.some(WORD, 14) + ".atlas" + f"v1.{make.some(URL, 67)}",
    "Pulumi": _some(HEX, 40, "pu" + "l-"),
    "Supabase": _some(HEX, 40, "sb" + "p_"),
    "New Relic": _some(CAPITALS, 27, "NR" + "AK-"),
    "Mapbox": lambda make: "sk." + "ey" + f"J{make.some(URL, 60)}.{make.some(URL, 22)}",
    "Heroku": _some(URL, 60, "HR" + "KU-AA"),
    "Azure SAS": lambda make: (
        "https://a.blob.core.windows.net/c?sv=2024&sig=" + make.some(WORD, 43) + "%3D"
    ),
    "Adobe": _some(LOWER, 32, "p8" + "e-"),
    "Infracost": _some(WORD, 32, "ic" + "o-"),
    "42": _some(HEX, 64, "s-s4t2" + "ud-"),
    "SettleMint": _some(WORD, 16, "sm" + "_pat_"),
    "Defined Networking": lambda make: "dn" + f"key-{make.some(LOWER, 26)}-{make.some(LOWER, 52)}",
    "Authress": lambda make: (
        f"s{'c'}_{make.some(LOWER, 15)}.{make.some(LOWER, 6)}.acc_{make.some(LOWER, 20)}."
        + make.some(URL, 60)
    ),
    "ClickHouse": _some(WORD, 38, "4b" + "1d"),
    "Brave": _some(WORD, 28, "BS" + "A"),
    "Baidu": lambda make: "bce-v3/ALT" + f"AK-{make.some(WORD, 21)}/{make.some(HEX, 40)}",
    "Polar": _some(WORD, 43, "polar" + "_oat_"),
    "n8n": _some(HEX, 80, "n8n" + "_api_"),
    "Apify": _some(WORD, 36, "apify" + "_api_"),
    "Microsoft": _some(URL, 300, "0." + "AXEA"),
    "Lark": lambda make: "https://open.feishu.cn/open-apis/bot/v2/hook/" + _uuid(make),
    "WeCom": lambda make: "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=" + _uuid(make),
    "AWS signature": _some(HEX, 64, "https://s3.amazonaws.com/b/k?X-Amz-Signature="),
}
"""More kinds of tokens."""


def behind(start: str, kinds: dict[str, Callable[[Maker], str]], make: Maker) -> list[Planted]:
    """Put a token of each kind right behind some letters."""
    made = [(kind, maker(make)) for kind, maker in kinds.items()]
    return [Planted(f"{kind} behind {start}", start + secret, (secret,)) for kind, secret in made]


def split_by_unseen(make: Maker) -> list[Planted]:
    """Put characters that nobody sees into tokens."""
    found = []
    for kind in ("GitHub", "Anthropic", "AWS access key", "Slack", "JSON web token"):
        secret = SHAPED[kind](make)
        cuts = (3, len(secret) // 2, len(secret) - 4)
        pieces = [secret[a:b] for a, b in zip((0, *cuts), (*cuts, len(secret)), strict=True)]
        found.append(Planted(f"{kind}, split", ZERO_WIDTH.join(pieces), (pieces[2], secret)))
    return found


def parts_of_keys(make: Maker) -> list[Planted]:
    """Give the middle and the end of private keys, as a read from an offset shows them."""
    middle = tuple(make.some(BASE, 64) for _ in range(4))
    long = tuple(make.some(BASE, 70) for _ in range(3))
    tail = private_key(make, "RSA ")
    lines = tail.text.split("\n")[3:]
    return [
        Planted("middle of a key", "\n".join(middle), middle),
        Planted("middle of an OpenSSH key", "\n".join(long), long),
        Planted("end of a key", "\n".join(lines), tuple(lines[:-1])),
    ]


def planted_words(seed: int = 5) -> list[Planted]:
    """Make one of everything here."""
    make = Maker(seed)
    found: list[Planted] = []
    for group in (COMMANDS, SQL, SETTINGS, CODE, SENTENCES):
        for kind, (words, maker) in group.items():
            secret = maker(make)
            found.append(Planted(kind, words.format(secret), (secret,)))
    for kind, token in MORE_TOKENS.items():
        secret = token(make)
        found.append(Planted(kind, secret, (secret,)))
    found += behind("TOKEN_", SHAPED, make)
    found += behind("x", SHAPED, make)
    found += behind("mcp__", MORE_TOKENS, make)
    found += [*split_by_unseen(make), *parts_of_keys(make)]
    return found
