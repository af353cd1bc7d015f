"""Masking secrets: every well-known shape goes, ordinary words stay, and a line of JSON stays one."""

import json
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings

from syncd.openclaw.secret_names import is_secret_name
from syncd.openclaw.secrets import redacted, redacted_line, redacted_value
from tests.examples import examples
from tests.unit.openclaw.json_shapes import JSON

# Put together here so that no scanner of secrets takes this file for a leak.
SECRETS = [
    "sk-" + "proj-Ab12Cd34Ef56Gh78Ij90Kl",
    "sk-" + "ant-api03-" + "a1B2" * 10,
    "gh" + "p_" + "a1B2c3D4" * 5,
    "github" + "_pat_" + "11ABCDEFG0" * 4,
    "glp" + "at-" + "abcdefghij0123456789",
    "xo" + "xb-123456789012-abcdefABCDEF",
    "https://hooks" + ".slack.com/services/T000AAAA/B000BBBB/abcdefghijABCDEFGHIJ1234",
    "123456789" + ":AAF" + "x_9-" * 8,
    "AK" + "IAIOSFODNN7EXAMPLE",
    "AI" + "zaSyA1234567890abcdefghijklmnopqrstuv",
    "ya" + "29.a0AfH6SMBx-yz_1234567890",
    "ey" + "JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N",
    "sk" + "_live_" + "4eC39HqLyjWDarjtT1zdp7dc",
    "np" + "m_" + "a1B2c3D4e5" * 4,
    "hf" + "_" + "AbCdEfGhIjKlMnOpQrSt",
    "-----BEGIN " + "RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\nProc-Type: x\nabc/+=\n-----END RSA PRIVATE KEY-----",
    "-----BEGIN " + "OPENSSH PRIVATE KEY-----\\nb3BlbnNzaC1rZXk\\n",
    "hv" + "s.CAESIAbcdefghijklmnopqrstuvwx",
    "gl" + "rt-abcdefghij0123456789",
    "gl" + "dt-abcdefghij0123456789",
    "AGE-" + "SECRET-KEY-1" + "QPZRY9X8" * 7 + "QQ",
    "xo" + "xe.xoxp-1-Mi0yLTEyMzQ1Njc4",
    "abc" + "8Q~" + "abcdefghijklmnopqrstuvwxyz_-~1234"[:33],
    "nv" + "api-" + "a1B2c3D4" * 8,
    "ls" + "v2_pt_" + "a1b2c3d4" * 4,
    "pc" + "sk_" + "a1B2c3D4" * 6,
    "rub" + "ygems_" + "a1b2c3d4" * 6,
    "dp." + "pt." + "a1B2c3D4" * 5 + "xyz",
    "PM" + "AK-" + "a1b2c3d4" * 3 + "-" + "a1b2c3d4" * 4 + "ff",
    "NR" + "AK-" + "A1B2C3D4E" * 3,
    "a1b2c3d4e5f6g7" + ".atlas" + "v1." + "a1B2c3D4" * 8,
    "xkey" + "sib-" + "a1b2c3d4" * 8 + "-a1B2c3D4a1B2c3D4",
    "sntr" + "yu_" + "a1b2c3d4" * 8,
    "pat" + "A1b2C3d4E5f6G7" + "." + "a1b2c3d4" * 8,
    "A3-" + "A1B2C3-D4E5F6-G7H8I-J9K0L-M1N2O-P3Q4R",
    "LT" + "AI5tAbCdEfGhIjKlMnOpQr",
    "ops" + "_eyJ" + "a1B2c3D4" * 20,
    "sb" + "_secret_" + "a1B2c3D4e5" * 3,
    "fig" + "d_" + "a1B2c3D4" * 5,
    "re" + "_a1B2c3D4_" + "a1B2c3D4e5" * 2,
]


@pytest.mark.parametrize("secret", SECRETS)
def test_a_key_or_token_of_a_known_shape_is_masked_wherever_it_stands(secret: str) -> None:
    for text in (secret, f"use {secret}, please", f'{{"x":"{secret}"}}', f"curl https://host/?k={secret}&x=1"):
        masked = redacted(text)
        assert secret not in masked
        assert "[redacted: " in masked
        assert secret[8:-8] not in masked
    assert redacted(f"before {secret} ") == redacted(redacted(f"before {secret} "))


def test_a_telegram_token_is_masked_in_the_address_of_its_bot_too() -> None:
    assert redacted(f"https://api.telegram.org/bot{SECRETS[7]}/getMe").endswith("/bot[redacted: telegram token]/getMe")


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("password=hunter2", "hunter2"),
        ("PASSWORD: hunter2!", "hunter2"),
        ("export AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "wJalr"),
        ('{"apiKey": "abcdefgh"}', "abcdefgh"),
        ("'client_secret' => 'qwertyuiop'", "qwertyuiop"),
        ("Authorization: Bearer abcdefghijklmnop1234", "abcdefghijklmnop1234"),
        ("curl -H 'Authorization: Basic dXNlcjpwYXNzd29yZA=='", "dXNlcjpwYXNzd29yZA"),
        ("tool --token s3cretvalue --verbose", "s3cretvalue"),
        ("postgres://app:s3cret@db/x", "s3cret"),
        ("https://host/path?access_token=abcd1234&x=1", "abcd1234"),
        ("botToken: `abc123def`", "abc123def"),
        ('password="a,b;c"', "a,b;c"),
        ('password="don\'tguess"', "don'tguess"),
        ("password='it\\'s mine'", "it\\'s mine"),
        ("password=don'tguess", "don'tguess"),
        ("password=abc(def)", "abc(def)"),
        ("password=$ecret", "$ecret"),
        ("PASSWORD=p&ss;w,rd", "p&ss;w,rd"),
        ("**Password:** swordfish", "swordfish"),
        ("**Password**: swordfish", "swordfish"),
        ("Cookie: session=abc; theme=dark", "session=abc; theme=dark"),
        ("curl -H 'Cookie: session=abc' https://host", "session=abc"),
        ("Set-Cookie: sid=abc; Path=/; HttpOnly", "sid=abc"),
        ("AccountName=me;AccountKey=abcd1234efgh==;EndpointSuffix=x", "abcd1234efgh=="),
        ("curl -u user:pass1 https://host", "pass1"),
        ('curl -u "user:my pass" https://host', "my pass"),
        ("curl -uuser:pass1 https://host", "pass1"),
        ("curl --user user:pass1 https://host", "pass1"),
        ("curl --proxy-user 'user:pass1' https://host", "pass1"),
        ('password="correct horse battery"', "correct horse battery"),
        ("--password 'correct horse battery' --x", "correct horse battery"),
        ('args: ["--api-key", "abcdefgh"]', "abcdefgh"),
        ('{\\"password\\": \\"correct horse\\"}', "correct horse"),
        ('config["password"] = "hunter2"', "hunter2"),
        ('password = """correct horse"""', "correct horse"),
        ("DB_PASS=hunter2", "hunter2"),
        ("API key: abc123def", "abc123def"),
        ("my password is hunter2", "hunter2"),
        ("the password is: hunter2", "hunter2"),
        ("Password:\nhunter2", "hunter2"),
        ("| user | bob |\n| **Password** | hunter2 |", "hunter2"),
        ("<password>hunter2</password>", "hunter2"),
        ('<add key="ApiKey" value="abcdefg" />', "abcdefg"),
        ("- name: DB_PASSWORD\n  value: hunter2", "hunter2"),
        ('{"value": "abcdefg", "name": "X_API_KEY"}', "abcdefg"),
        ("Authorization: Token abcdefg", "abcdefg"),
        ("Authorization: abcdef1234", "abcdef1234"),
        ("postgres://app:p@ss@db/x", "p@ss"),
        ("https://abcdefghijklmnop1234567@host/x", "abcdefghijklmnop1234567"),
        ("sshpass -p hunter2 ssh host", "hunter2"),
        ("mysql -u root -phunter2 db", "hunter2"),
        ("machine host login me password hunter2", "hunter2"),
        ("password=" + "a1(" * 5000, "a1("),
        ("password: |\n  hunter2", "hunter2"),
        ("the password was hunter2", "hunter2"),
        ("CREATE USER a WITH PASSWORD 'swordfish'", "swordfish"),
        ("identified by 'swordfish'", "swordfish"),
        ("docker login -u me -p hunter2", "hunter2"),
        ("echo hunter2 | docker login --password-stdin", "hunter2"),
        ("password 'hunter2'", "hunter2"),
        ("password=${X:-hunter2}", "${X:-hunter2}"),
        ("<secret><![CDATA[hunter2]]></secret>", "hunter2"),
        ("token: Bearer hunter2", "hunter2"),
        ("my pw: hunter2", "hunter2"),
        ("//registry/:_auth=aGk6aG8xMjM0", "aGk6aG8xMjM0"),
    ],
)
def test_what_stands_behind_a_name_like_password_is_masked_and_the_name_stays(text: str, secret: str) -> None:
    masked = redacted(text)
    assert secret not in masked
    assert masked.startswith(text[: text.index(secret)])
    assert redacted(masked) == masked


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("Passwort: hunter2", "hunter2"),
        ("Das Passwort lautet hunter2", "hunter2"),
        ("das WLAN-Passwort ist hunter2.", "hunter2"),
        ("PASSWORT=geheim", "geheim"),
        ("Kennwort: `geheim`", "geheim"),
        ("PIN: 4711", "4711"),
        ("Die PIN ist 4711", "4711"),
        ("pin=0815", "0815"),
        ("my PIN is 471100", "471100"),
        ("PIN-Code: 1234", "1234"),
        ("contraseña: hola1234", "hola1234"),
        ("la contraseña es hola1234", "hola1234"),
        ("contrasena=hola", "hola"),
        ("mot de passe : azerty12", "azerty12"),
        ("Le mot de passe est azerty12", "azerty12"),
        ("mdp: azerty12", "azerty12"),
        ("senha: abc123", "abc123"),
        ("wachtwoord: geheim1", "geheim1"),
        ("lösenord: hemligt1", "hemligt1"),
        (
            "\u043f\u0430\u0440\u043e\u043b\u044c: \u0441\u0435\u043a\u0440\u0435\u04421",
            "\u0441\u0435\u043a\u0440\u0435\u04421",
        ),
        ("\u5bc6\u7801\uff1ahunter2", "hunter2"),
        ("\u5bc6\u7801\u662fhunter2", "hunter2"),
        ("\u30d1\u30b9\u30ef\u30fc\u30c9: hunter2", "hunter2"),
        ("\ube44\ubc00\ubc88\ud638: hunter2", "hunter2"),
        ("hasło: tajne1", "tajne1"),
        ("| Passwort | hunter2 |", "hunter2"),
        ("**Passwort:** schwertfisch", "schwertfisch"),
        ("<passwort>schwert</passwort>", "schwert"),
        ("--pin 4711", "4711"),
        ("şifre: abc123", "abc123"),
        ("Datenbankpasswort: geheim1", "geheim1"),
        ("passwort = 'abc def'", "abc def"),
    ],
)
def test_other_languages_have_names_like_password_and_pin_too(text: str, secret: str) -> None:
    masked = redacted(text)
    assert secret not in masked
    assert masked.startswith(text[: text.index(secret)])
    assert redacted(masked) == masked


@pytest.mark.parametrize(
    "text",
    [
        "the token was wrong, so ask for the password again",
        "maxTokens = 4096, total_tokens: 120000",
        "password: required",
        "API_KEY=$OPENAI_API_KEY and token=${TOKEN}",
        "apiKey: process.env.API_KEY",
        "const token: string = next()",
        "see https://example.org/a:b and mail me@example.org",
        "commit 4e1243bd22c66e76c2ba9eddc1f91394e57f9f83, sha256 " + "ab12" * 16,
        "0a000001-0000-4000-8000-000000000001",
        "12:30 is the time, 1794802930000:5 the offset",
        "a sk-eleton and a task-force-of-many-people-in-the-house",
        "password is required",
        "password: required.",
        "def login(user: str, password: str, token: Optional[str] = None) -> None:",
        "token count: 12, the token is 4096 characters long",
        "max_tokens=100 max_token=4096 --max-tokens 100000",
        "password=$PASSWORD token=$token 'password': \"${PASSWORD}\"",
        '--password "$PASSWORD" -p "$PASS"',
        "token = get_token(user)\ntoken = tokenizer.encode(text)\nself.password = password",
        'password = os.environ["X"] or input("Password: ")',
        'f"token={token}" and {{ password }}',
        '"tokens": ["the", "cat", "sat", "down"]',
        "PWD=/home/claw OLDPWD=/home",
        "--- PASS: TestFoo (0.00s)\npass: 1200, fail: 3",
        "docker run -u 1000:1000 --user node:node image",
        'curl -u "$USER:$PASS" https://host',
        "primary key: id12345, keyboard: qwertz123, monkey=banana",
        "Cookie: a small biscuit",
        "netrc_auth = netrc(url)\nto do so, pass `dtype1` on",
        '"sessionKey": "agent:main:telegram:direct:4242", session_key=agent:main:main, storageKey: "my-app-1"',
        "token = next(tokens)\ntoken = tuple(kinds)\nheaders['Authorization'] = self.header(url)",
        "the --username and --password options are optional",
        "(?i:token|secret|password|key|pwd1)",
        "Authorization: required",
        "password: <your password>",
        "| Token | Count |\n|---|---|\n| a | 1 |",
        "Antwort: 42 ist richtig",
        "Passwort vergessen? Hier klicken",
        "Passwort: erforderlich",
        "das Passwort ist falsch",
        "mot de passe oublié ?",
        "**Mot de passe:** obligatoire",
        "pin: 13, pin=D13, LED_PIN=13",
        "shipping: 12345, spinning=4096, mapping: 1234",
        "pin the session with `syncd pin 1234`",
        "PIN: required",
        "MDP: M=(S,A,P,R) is a Markov decision process",
        "ele desenha: 1234 linhas",
        "pinned: 4096",
        "la contraseña es obligatoria",
        "password is es",
        "pip install pin==1234.5",
        "Kennwort ändern: siehe unten",
        "the pin is 12 cm long",
        "pinout=1234",
    ],
)
def test_ordinary_words_stay_as_they_are(text: str) -> None:
    assert redacted(text) == text


@pytest.mark.parametrize("secret", SECRETS)
def test_a_redacted_line_is_json_with_the_same_shape(secret: str) -> None:
    value = {"a": [1.50, 2**70, {"text": f'said "{secret}"\n\u2028'}], secret: None, "n": {"password": "abcdef"}}
    raw = json.dumps(value).encode() + b"\n"
    masked = redacted_line(raw)
    assert json.dumps(secret)[1:-1].encode() not in masked
    given = json.loads(masked)
    assert given["a"][:2] == [1.5, 2**70]
    assert given["n"]["password"] == "[redacted: secret]"
    assert masked.endswith(b"}\n")


def test_a_line_without_a_secret_comes_back_byte_for_byte() -> None:
    for raw in (b'{"a" : 1.0,"b":"\\ud800\\u00e9 x"}\r\n', b'{"bad":"\xff\xfe"}\n', b"no json at all\n", b"", b'"'):
        assert redacted_line(raw) == raw
    torn = b'{"token":"abcd' + SECRETS[2].encode() + b'","x":"\xff ' + SECRETS[0].encode()
    assert SECRETS[2].encode() not in redacted_line(torn)


@settings(max_examples=examples(30))
@given(JSON)
def test_any_json_stays_json(value: object) -> None:
    raw = json.dumps({"token": value, "text": f"password=abc123 {value}"}).encode()
    assert json.loads(redacted_line(raw))["text"].startswith("password=[redacted: secret]")


@pytest.mark.parametrize(
    ("value", "secrets"),
    [
        ({"api_keys": ["first key", "second", {"text": "stays"}, ["third"]]}, ["first key", "second", "third"]),
        ({"token": ["aaaa", "bbbb", "cccc"], "after": "stays"}, ["aaaa", "bbbb", "cccc"]),
        ({"tokens": ["a1B2c3D4e5F6g7H8i9", "stays"]}, ["a1B2c3D4e5F6g7H8i9"]),
        ({"name": "X_API_KEY", "value": "abcd"}, ["abcd"]),
        ({"value": "abcd", "other": "stays", "name": "X_API_KEY"}, ["abcd"]),
        ({"key": "db.password", "value": "two words"}, ["two words"]),
        ([{"name": "HOME", "value": "stays"}, {"name": "TOKEN", "value": "abcd"}], ["abcd"]),
        ({"args": ["--verbose", "stays", "--api-key", "abcd", "--file", "stays too"]}, ["abcd"]),
        ({"headers": [["Authorization", "Weird abcd"], ["Accept", "stays"]]}, ["Weird abcd"]),
        ({"password": 12345678, "token": 4096, "text": "stays"}, ["12345678"]),
        ({"password": "half sk-" + "a1B2" * 8 + " and more"}, ["half", "and more"]),
        ({"headers": {"Cookie": "a=bc", "Set-Cookie": "sid=x", "accept": "stays"}}, ["a=bc", "sid=x"]),
        ({"smtp_pass": "abcd", "dbPass": "efgh", "compass": "stays"}, ["abcd", "efgh"]),
        ({"passwort": "abcd", "motDePasse": "efgh", "antwort": "stays"}, ["abcd", "efgh"]),
        ({"pin": "4711", "userPin": 4712, "led_pin": "stays", "shipping": 1234}, ["4711", "4712"]),
    ],
)
def test_what_json_says_of_a_value_is_heard(value: object, secrets: list[str]) -> None:
    for written in (json.dumps(value), json.dumps(value, separators=(",", ":")), json.dumps(value, indent=2)):
        masked = redacted_line(written.encode()).decode()
        json.loads(masked)
        assert [secret for secret in secrets if secret in masked] == []
        assert masked.count("stays") == written.count("stays")
        as_text = redacted(f"{written}\n")
        assert [secret for secret in secrets if secret in as_text] == [], "what a tool gave back is text"
    assert redacted_value(value) == json.loads(masked)


def test_a_value_without_a_secret_is_the_same_and_numbers_stay_exact() -> None:
    value = {"a": [2**70, "x" * 20], "token": None}
    assert redacted_value(value) is value
    assert redacted_value({**value, "password": "abcd"})["a"] == value["a"]
    deep: object = {"password": "abcd"}
    for _ in range(3000):
        deep = [deep]
    assert "abcd" not in str(redacted_value(deep))


@pytest.mark.parametrize(
    "raw", [b'password="two words" and more', b'two words","x":1,"password":"two words"}', b'{"password":"two words']
)
def test_a_line_that_is_no_json_leaks_nothing_either(raw: bytes) -> None:
    masked = redacted_line(raw)
    assert masked.count(b"two words") == (1 if raw.startswith(b"two") else 0)


HOSTILE = [
    "-----BEGIN PRIVATE KEY-----", "token=", "password: ", "sk-", "a://b:", '"', "eyJ", 'token=\\"', "password='",
    "password=a,",
    "tokens: [", '"tokens": ["a",', "value=", 'value="', "name=key value=", "| password |", "--password ", "-u a:",
    "mysql ",
    "login a ", "<password>", "password:\n", "cookie: a=$", "Authorization: ", "authorization:${", "password=(",
    "password=${",
    '["--token",', '{"name":"api_key","value":"', "{", "[", "\\", 'password="""', "password=$", "a_", "SG.a",
    "password is ", "passwort: ", "pin=", "mot de passe ", "pin is ",
]  # fmt: skip


@pytest.mark.parametrize("redact", [redacted, lambda text: redacted_line(text.encode())])
@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_repetition_costs_no_more_than_its_length(piece: str, redact: Callable[[str], object]) -> None:
    """Sixteen times as much may cost sixteen times as much, and more for noise; to the square it were 256 times."""
    small, large = (min(cost(redact, piece * (length // len(piece))) for _ in range(3)) for length in (1000, 16_000))
    assert large < 64 * max(small, 0.0005)


def cost(redact: Callable[[str], object], text: str) -> float:
    begun = time.process_time()
    redact(text)
    return time.process_time() - begun


def test_names_of_secret_fields_are_known_in_every_spelling() -> None:
    assert all(map(is_secret_name, ["apiKey", "api_key", "botToken", "OPENAI_API_KEY", "password", "x-auth-token"]))
    assert not any(map(is_secret_name, ["text", "tokens", "totalTokens", "monkey", "id", "textSignature", ""]))
