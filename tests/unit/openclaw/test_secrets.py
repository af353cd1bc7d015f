"""Masking secrets: every well-known shape goes, ordinary words stay, and a line of JSON stays one."""

import json

import pytest
from hypothesis import given, settings

from syncd.openclaw.secrets import is_secret_name, redacted, redacted_line
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
    ],
)
def test_what_stands_behind_a_name_like_password_is_masked_and_the_name_stays(text: str, secret: str) -> None:
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


@pytest.mark.parametrize("piece", ["-----BEGIN PRIVATE KEY-----", "token=", "password: ", "sk-", "a://b:", '"', "eyJ"])
def test_hostile_repetition_costs_no_more_than_its_length(piece: str) -> None:
    """A search that walks back and forth would not end within the test's limit."""
    assert len(redacted(piece * 20_000)) <= len(piece) * 20_000 + 40 * 20_000
    assert redacted_line((piece * 20_000).encode())


def test_names_of_secret_fields_are_known_in_every_spelling() -> None:
    assert all(map(is_secret_name, ["apiKey", "api_key", "botToken", "OPENAI_API_KEY", "password", "x-auth-token"]))
    assert not any(map(is_secret_name, ["text", "tokens", "totalTokens", "monkey", "id", "textSignature", ""]))
