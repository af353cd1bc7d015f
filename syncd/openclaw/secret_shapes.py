"""Keys and tokens that show what they are by their shape, nearly all of them by how they begin.

Those that OpenClaw masks in its own logs, and those that the usual scanners of repositories know. Only what can hardly
be anything else: what needs a name beside it is for `assigned_secrets`. Each is linear in the length of the text.
"""

from __future__ import annotations

import re
from typing import Final

_PEM: Final = (
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----))*+"
    r"(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?+"
)
_BY_FORM: Final = {
    "private key": (("PRIVATE KEY",), _PEM),
    "json web token": (("eyJ",), r"eyJ(?<![\w-]eyJ)[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}"),
    "encrypted json web token": (("eyJ",), r"eyJ(?<![\w-]eyJ)[\w-]{10,}\.\.[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}"),
    "telegram token": ((":",), r"\d{8,12}:[\w-]{34,36}(?![\w-])"),
    "slack token": (("xox", "xapp-"), r"xox[a-z](?:\.xox[a-z])?-[\w-]{10,}|xapp-[\w-]{10,}"),
    "slack webhook": (("hooks.slack",), r"https://hooks\.slack\.com/(?:services|workflows|triggers)/[\w/-]{20,}"),
    "discord webhook": (("/webhooks/",), r"https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/\d{15,22}/[\w-]{40,}"),
    "teams webhook": (("webhook.office.com",), r"https://[\w-]{1,100}\.webhook\.office\.com/webhookb2/[\w@/-]{40,}"),
    "discord token": (("M", "N", "O"), r"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])"),
    "azure secret": (("Q~",), r"(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])"),
    "aws key": (
        ("AKIA", "ASIA", "ABIA", "ACCA"),
        r"A(?:KI|SI|BI|CC)A(?<![A-Za-z0-9+/]....)[A-Z0-9]{16}(?![A-Za-z0-9+/])",
    ),
    "terraform token": ((".atlasv1.",), r"(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,}"),
    "mailchimp key": (("-us",), r"(?<![0-9a-f])[0-9a-f]{32}-us\d{1,2}(?!\d)"),
    "signature": (("-Signature=", "sig="), r"(?<=[?&-]sig=)[\w%+/=-]{20,}|(?<=-Signature=)[0-9a-f]{32,}"),
    "key": (("key=",), r"(?<=[?&]key=)[\w-]{20,}"),
}  # fmt: skip
"""By what they are: words without which there is none, quick to look for, and the shape itself."""

_BY_PREFIX: Final = {
    "github token": {
        "ghp_": r"[A-Za-z0-9]{16,}", "gho_": r"[A-Za-z0-9]{16,}", "ghr_": r"[A-Za-z0-9]{16,}",
        "ghs_": r"[A-Za-z0-9]{16,}", "ghu_": r"[A-Za-z0-9]{16,}", "github_pat_": r"\w{16,}",
    },
    "gitlab token": {
        "glpat-": r"[\w.=-]{20,}", "gloas-": r"[A-Fa-f0-9]{32,}", "glrt-": r"[\w.-]{20,}", "glrtr-": r"[\w.-]{20,}",
        "gldt-": r"[\w-]{20,}", "glcbt-": r"[\w-]{16,}", "glptt-": r"[A-Fa-f0-9]{40}", "glft-": r"[\w-]{20,}",
        "glimt-": r"[\w-]{20,}", "glagent-": r"[\w-]{40,}", "glsoat-": r"[\w-]{20,}", "glffct-": r"[\w-]{20,}",
        "glwt-": r"[\w-]{20,}", "GR1348941": r"[\w-]{20}",
    },
    "google key": {
        "AIza": r"[\w-]{30,}", "ya29.": r"[\w./+=-]{10,}", "GOCSPX-": r"[\w-]{20,}",
        "1//0": r"(?<!/1//0)[\w./+=-]{10,}",
    },
    "stripe key": {
        **dict.fromkeys(("pk_live_", "pk_test_", "rk_live_", "rk_test_", "sk_live_", "sk_test_"), r"[A-Za-z0-9]{10,}"),
        "whsec_": r"[A-Za-z0-9+/=]{20,}",
    },
    "vault token": {"hvs.": r"[\w-]{20,}", "hvb.": r"[\w-]{20,}", "hvr.": r"[\w-]{20,}"},
    "age key": {"AGE-SECRET-KEY-1": r"[0-9A-Za-z]{20,}", "AGE-SECRET-KEY-PQ-1": r"[0-9A-Za-z]{20,}"},
    "aws key": {"ABSK": r"[A-Za-z0-9+/]{100,}={0,2}", "bedrock-api-key-": r"[A-Za-z0-9+/=]{20,}"},
    "api key": {
        # models and search
        "sk-": r"[\w-]{16,}", "sk_": r"[0-9a-f]{40,}", "gsk_": r"\w{16,}", "xai-": r"[A-Za-z0-9]{30,}",
        "hf_": r"[A-Za-z0-9]{16,}", "api_org_": r"[A-Za-z0-9]{30,}", "r8_": r"[A-Za-z0-9]{16,}",
        "csk-": r"[a-z0-9]{40,}",
        "pplx-": r"[\w-]{16,}", "tvly-": r"[\w-]{10,}", "exa_": r"[A-Za-z0-9]{10,}", "fc-": r"[a-f0-9]{16,}",
        "nvapi-": r"[\w-]{40,}", "jina_": r"\w{40,}", "pcsk_": r"\w{40,}", "lsv2_pt_": r"\w{30,}",
        "lsv2_sk_": r"\w{30,}",
        # where code is kept and packages are published
        "npm_": r"[A-Za-z0-9]{16,}", "pypi-": r"[\w-]{20,}", "rubygems_": r"[a-f0-9]{48}", "CLOJARS_": r"[a-z0-9]{60}",
        "dckr_pat_": r"[\w-]{20,}", "dckr_oat_": r"[\w-]{20,}", "oy2": r"[a-z0-9]{43}(?![a-z0-9])",
        "ATBB": r"[A-Za-z0-9]{32}",
        "AKCp": r"[A-Za-z0-9]{69}", "CCIPAT_": r"\w{30,}", "CCIPRJ_": r"\w{30,}", "bkua_": r"[a-f0-9]{40}",
        "sqp_": r"[a-f0-9]{40}", "squ_": r"[a-f0-9]{40}", "sqa_": r"[a-f0-9]{40}",
        # where things run
        "doo_v1_": r"[A-Za-z0-9]{16,}", "dop_v1_": r"[A-Za-z0-9]{16,}", "dor_v1_": r"[A-Za-z0-9]{16,}",
        "dapi": r"[0-9a-f]{32}", "LTAI": r"[A-Za-z0-9]{20}(?![A-Za-z0-9])", "HRKU-": r"[\w-]{36,}",
        "fo1_": r"[\w-]{40,}",
        "fm2_": r"[A-Za-z0-9+/=]{100,}", "FlyV1 ": r"[\w,+/=-]{100,}", "pul-": r"[a-f0-9]{40}",
        "rnd_": r"[A-Za-z0-9]{28,}",
        "nfp_": r"[A-Za-z0-9]{36,}", "vercel_blob_rw_": r"\w{20,}", "pscale_pw_": r"[\w=.-]{32,}",
        "pscale_tkn_": r"[\w=.-]{32,}", "pscale_oauth_": r"[\w=.-]{32,}", "sbp_": r"[a-z0-9]{40}",
        "sb_secret_": r"[\w-]{20,}",
        "tskey-": r"[\w-]{16,}", "sha256~": r"[\w-]{43}", "dp.pt.": r"[A-Za-z0-9]{40,}", "dp.st.": r"[\w.-]{40,}",
        "dp.ct.": r"[A-Za-z0-9]{40,}", "dp.sa.": r"[A-Za-z0-9]{40,}", "ops_eyJ": r"[\w+/=-]{100,}",
        "A3-": r"[A-Z0-9]{6}-[A-Z0-9]{6}-?[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}",
        # what watches over them
        "glsa_": r"\w{32,}", "glc_": r"[A-Za-z0-9+/=]{32,}", "NRAK-": r"[A-Z0-9]{27}", "NRII-": r"[\w-]{32}",
        "dt0c01.": r"[A-Z0-9]{24}\.[A-Z0-9]{64}", "dt0s01.": r"[A-Z0-9]{8}\.[A-Z0-9]{64}", "sntrys_": r"[\w+/=-]{40,}",
        "sntryu_": r"[a-f0-9]{64}",
        # mail, messages, shops, offices
        "SG.": r"[\w-]{10,100}\.[\w-]{10,}", "xkeysib-": r"[a-f0-9]{64}-[A-Za-z0-9]{16}",
        "key-": r"[0-9a-f]{32}(?![0-9a-f])",
        "re_": r"[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}", "SK": r"[0-9a-f]{32}(?![0-9a-f])",
        **dict.fromkeys(("shpat_", "shpca_", "shppa_", "shpss_"), r"[a-fA-F0-9]{32}"),
        "shippo_live_": r"[a-f0-9]{40}", "shippo_test_": r"[a-f0-9]{40}", "sq0atp-": r"[\w-]{22,}",
        "sq0csp-": r"[\w-]{22,}",
        "EZAK": r"[A-Za-z0-9]{54}", "EZTK": r"[A-Za-z0-9]{54}", "FLWSECK": r"[_A-Z]{0,6}-[0-9a-fA-F]{12,}-X",
        "lin_api_": r"\w{20,}", "ntn_": r"\w{20,}", "secret_": r"[A-Za-z0-9]{40,}", "ATATT": r"[\w+/=-]{20,}",
        "ATCTT": r"[\w+/=-]{20,}", "PMAK-": r"[a-f0-9]{24}-[a-f0-9]{34}", "figd_": r"[\w-]{36,}",
        "figdr_": r"[\w-]{36,}",
        "tfp_": r"[\w.=-]{40,}", "CFPAT-": r"[\w-]{40,}", "duffel_live_": r"[\w=-]{40,}",
        "duffel_test_": r"[\w=-]{40,}",
        "pat-na1-": r"[0-9a-f-]{36}", "pat-eu1-": r"[0-9a-f-]{36}", "fio-u-": r"[\w=-]{60,}", "rdme_": r"[a-z0-9]{60,}",
        "pat": r"[A-Za-z0-9]{14}\.[a-f0-9]{64}", "p8e-": r"[a-z0-9]{32}", "pnu_": r"[A-Za-z0-9]{36}",
        "y0_": r"[\w-]{50,}",
        "AQVN": r"[\w-]{35,}", "EAACEdEose0cBA": r"[A-Za-z0-9]{20,}", "access-production-": r"[0-9a-f-]{36}",
    },
}  # fmt: skip
"""By how they begin, at the beginning of a word, and what must follow."""
_BEGINS_ANYWHERE: Final = frozenset({"ya29.", "AGE-SECRET-KEY-1", "github_pat_", "glpat-"})


def _from_prefix(prefix: str, rest: str) -> re.Pattern[str]:
    """The literal first, so that `re` looks for it quickly; what stands before it is asked afterwards."""
    literal = re.escape(prefix)
    before = "" if prefix in _BEGINS_ANYWHERE else rf"(?<![A-Za-z0-9_-]{literal})"
    return re.compile(literal + before + rest)


_LONG_WORDS: Final = re.compile(r"[\w.:/+=~@%-]{14,}|PRIVATE KEY|FlyV1 ")
"""What may hold one, or be part of it: less to look through for each."""
_COMPILED: Final = tuple(
    [(kind, needles, re.compile(shape)) for kind, (needles, shape) in _BY_FORM.items()]
    + [(kind, (prefix,), _from_prefix(prefix, rest)) for kind, by in _BY_PREFIX.items() for prefix, rest in by.items()]
)


def without_shapes(text: str) -> str:
    """The text with every key and token of a known shape replaced by what it was."""
    words = "\n".join(_LONG_WORDS.findall(text))
    if not words:
        return text
    for kind, needles, shape in _COMPILED:
        if any(map(words.__contains__, needles)):
            text = shape.sub(mask(kind), text)
    return text


def mask(kind: str) -> str:
    return f"[redacted: {kind}]"
