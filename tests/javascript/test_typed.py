"""What a learner types for a number: read as a person means it, in both languages, and safely."""

from __future__ import annotations

import math

import pytest

MODULE, NAME = "shared/typed.js", "typed"
SAME = {  # in either language
    "0": 0, "12": 12, "-0": 0, "+3": 3, "−3": -3, "–3": -3, "—3": -3, "‒3": -3, "－3": -3,
    "- 3": -3,
    "0.5": 0.5, "0,5": 0.5, ".5": 0.5, ",5": 0.5, "-.5": -0.5, "128.": 128, "0.926": 0.926,
    "-1,69e-1": -0.169, "-1.69e-1": -0.169, "8,12e-1": 0.812, "8.12E−1": 0.812, "1e3": 1000,
    "1,690e-1": 0.169, "1.690e-1": 0.169, "2e+2": 200,
    "1,69 × 10^-1": 0.169, "1.69×10^−1": 0.169, "1.69 · 10⁻¹": 0.169, "1.69*10**-1": 0.169,
    "1.69 x 10^(-1)": 0.169, "1.690 × 10⁻¹": 0.169, "1,690 × 10⁻¹": 0.169, "10^3": 1000, "2⁷": 128,
    "1 234": 1234, "12 300": 12300, "12\u202f300": 12300, "12\u00a0300,5": 12300.5,
    "12\u2009300.5": 12300.5, "12'300": 12300, "12’300": 12300, "12_300": 12300,
    "1,234,567": 1234567, "1.234.567": 1234567, "1.234,5": 1234.5, "1,234.5": 1234.5,
    "1,234,567.25": 1234567.25, "12,3456": 12.3456, "1234,5": 1234.5,
    "-1/3": -1 / 3, "512/4": 128, "512 ÷ 4": 128, "512:4": 128, "1⁄2": 0.5, "1/2/2": 0.25,
    "√64": 8, "sqrt(64)": 8, "SQRT 64": 8, "sqrt 64": 8, "√(60+4)": 8, "2√16": 8, "-√64": -8,
    "8/√64": 1, "√64/2": 4, "2^7": 128, "2**7": 128, "-2^2": -4, "(-2)^2": 4, "2^3^2": 512,
    "2^-1": 0.5,
    "1 - 0.25": 0.75, "1−0,25": 0.75, "2 + 3*4": 14, "(2+3)*4": 20, "2(3+4)": 14, "1.5 * 2": 3,
    "exp(0)": 1, "e^0": 1, "ln(1)": 0, "log2(8)": 3, "pi": math.pi, "2π": 2 * math.pi,
    "= 0.5": 0.5, "≈ 0,5": 0.5, "512/4 = 128": 128, "x = 3": 3, "  7  ": 7,
    "2 thousand": 2000, "3 millions": 3e6, "2 mille": 2000, "1,5 milliard": 1.5e9,
    "12.6 billion": 12.6e9, "12.6B": 12.6e9, "12.6 bn": 12.6e9, "12,6 Md": 12.6e9,
    "12,6 milliards": 12.6e9, "12,6 Mds": 12.6e9, "1.9 M": 1.9e6, "1.9M": 1.9e6,
    "1,9 million": 1.9e6, "3 milliers": 3000, "5k": 5000, "5 K": 5000,
    "about 13": 13, "~13": 13, "ca. 13": 13, "environ 13": 13, "À peu près 13": 13,
}  # fmt: skip
NONE = [
    "", " ", "abc", "-", ".", ",", "%", "1 2", "1 23", "12 34", "1.2.3", "1,2,3", "12,34,567",
    "1,23.456,7", "1..2", "1 2345", "--", "--1", "-+1", "1/", "/2", "1/0", "0/0", "√-1", "√",
    "(", "(1", "1)", "()",
    "2^", "^2", "1e999", "9^9^9^9^9", "10^400", "1e15e15", "5 apples", "5 e", "5 m", "5 b", "5kk5",
    "half", "NaN", "Infinity", "0x10", "1n", "[1]", "{}", "alert(1)", "constructor",
    "5 constructor",
    "5 __proto__",
    "exp", "exp 2", "ln(0)", "exp(exp(exp(9)))", "fetch('/')", "1;2", "`1`", "${1}", "1\n2",
    "１２", "½",
    "(" * 81, "√" * 80, "-" * 200 + "1", "9" * 90, "(" * 40 + "1" + ")" * 39, "<b>1</b>",
    "🍕", "\u202e12",
]  # fmt: skip


def read(call, texts, language="en", **about):
    found = call(MODULE, NAME, [(text, about) for text in texts], language)
    return dict(zip(texts, found, strict=True))


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_number_is_taken_as_people_write_it(call, language):
    found = read(call, list(SAME), language)
    assert {text: one["value"] for text, one in found.items()} == pytest.approx(SAME)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_what_is_no_number_is_none_however_long_or_hostile(call, language):
    found = read(call, NONE, language)
    assert {text: one["value"] for text, one in found.items() if one["value"] is not None} == {}


@pytest.mark.parametrize(("language", "text", "value", "other"), [
    ("en", "5,000", 5000, 5), ("en", "5.000", 5, 5000), ("en", "1.234", 1.234, 1234),
    ("fr", "5,000", 5, 5000), ("fr", "5.000", 5, 5000), ("fr", "1,234", 1.234, 1234),
    ("en", "0.234", 0.234, None), ("en", "0,234", 0.234, None), ("fr", "1234,567", 1234.567, None),
])  # fmt: skip
def test_what_may_be_thousands_or_decimals_says_what_else_it_may_be(
    call, language, text, value, other
):
    found = read(call, [text], language)[text]
    assert (found["value"], found["other"]) == (value, other)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_whole_number_has_no_decimals_so_these_are_thousands(call, language):
    found = read(call, ["5.000", "5,000", "127.5", "0.500"], language, whole=True)
    assert [one["value"] for one in found.values()] == [5000, 5000, 127.5, 0.5]


def test_per_cent_is_told_from_a_number(call):
    texts = ["17 %", "17%", "0,5 %", "-3 %", "17 per cent", "17 percent", "17 pour cent", "0.17"]
    found = read(call, texts, "fr").values()
    assert [one["value"] for one in found] == pytest.approx(
        [0.17, 0.17, 0.005, -0.03, 0.17, 0.17, 0.17, 0.17]
    )
    assert [one["percent"] for one in found] == [True] * 7 + [False]


def test_a_unit_may_stand_behind_and_so_may_words_of_the_question(call):
    about = {"unit": "bits", "words": "How many components has the query of one head?"}
    found = read(call, ["5 bits", "5bits", "5 bit", "128 components", "128 component."], **about)
    assert [one["value"] for one in found.values()] == [5, 5, 5, 128, 128]
    assert read(call, ["5 bytes"], **about)["5 bytes"]["value"] is None
    billions = read(call, ["2.6 billion", "2.6 billions", "2600 million"], unit="billion")
    assert [one["value"] for one in billions.values()] == [2.6, 2.6, 2.6]
    assert read(call, ["2,6 milliards"], "fr", unit="milliards")["2,6 milliards"]["value"] == 2.6


IN_BILLIONS = ["12.6", "12,6", "12.6 billion", "12.6 billions", "12.6B", "12.6 bn", "12,6 Md",
               "12,6 milliards", "12600 million", "12 600 M", "12.6 billion parameters",
               "12,600,000,000", "12.6e9", "12.6 × 10^9", "about 12.6"]  # fmt: skip


@pytest.mark.parametrize("about", [
    {"unit": "billion"}, {"unit": "billion parameters"}, {"unit": "milliards"},
    {"words": "About how many billion parameters does it have?", "unit": "parameters"},
    {"words": "Combien de milliards de parameters a-t-il ?", "unit": "parameters"},
])  # fmt: skip
def test_what_is_counted_in_billions_may_be_written_with_them_or_out(call, about):
    found = read(call, IN_BILLIONS, **about)
    if about.get("unit") in ("billion", "milliards"):
        found.pop("12.6 billion parameters")
    assert {text: one["value"] for text, one in found.items()} == pytest.approx(
        dict.fromkeys(found, 12.6)
    )


def test_what_is_counted_in_millions_or_thousands_is_not_taken_for_another(call):
    texts = ["1.9 M", "1,9 million", "1.9", "1,900,000", "1.9 billion", "1900"]
    found = read(call, texts, unit="million")
    assert [one["value"] for one in found.values()] == pytest.approx([1.9] * 4 + [1900, 1900])
    assert read(call, ["5000"], unit="thousand")["5000"]["value"] == 5000
    assert read(call, ["5 B"], unit="bits")["5 B"]["value"] is None
    said = "A model of 1.5 billion parameters. How many layers has it?"
    assert read(call, ["48"], words=said)["48"]["value"] == 48


def test_what_is_written_as_the_language_writes_it_needs_no_reading(call):
    plain = {"en": ["12", "0.5", "-3", "−0.17", "17 %"], "fr": ["12", "0,5", "−3", "17 %"]}
    other = {"en": ["0,5", "1e3", "√64", "5.000", "5 bits"], "fr": ["0.5", "1/3", "5,000"]}
    for code, texts in plain.items():
        assert all(one["asis"] for one in read(call, texts, code, unit="bits").values()), code
    for code, texts in other.items():
        assert not any(one["asis"] for one in read(call, texts, code, unit="bits").values()), code


LABELS = {"read": "Read as {number}.", "read_not": "Read as {number}, not as {other}.",
          "no_share": "No share.", "a_number": "No number."}  # fmt: skip


READ = {
    "en": [
        ("", "0.169", ""), ("", "", ""), ("", "√", ""), ("", "8,12e-1", "Read as 0.812."),
        ("", "-1/3", "Read as −0.333333."), ("", "√64", "Read as 8."), ("", "92.6 %", "No share."),
        ("", "5.000", "Read as 5, not as 5,000."), ("whole", "5.000", "Read as 5,000, not as 5."),
        ("share", "0.926", "Read as 92.6 %."), ("share", "92.6", "Read as 92.6 %."),
        ("share", "92.6 %", ""), ("", "12,300,000", ""), ("", "1e-9", "Read as 10⁻⁹."),
        ("", "(0.121+8.343+9.791+2.085)/4", "Read as 5.085."),
        ("", "2^(5.104/4)", "Read as 2.42167."),
    ],
    "fr": [
        ("", "0,169", ""), ("", "-1,69e-1", "Read as −0,169."), ("", "5 bits", "Read as 5."),
        ("whole", "5.000", "Read as 5\u202f000, not as 5."), ("whole", "100 %", "No share."),
        ("share", "-5,3", "Read as −5,3\u202f%."), ("", "12\u202f300", ""),
    ],
}  # fmt: skip


@pytest.mark.parametrize("language", READ)
def test_it_is_said_how_a_number_was_read(call, language):
    payload = {"unit": "bits", "ask": [["How much?", ""]], "labels": LABELS}
    calls = [(payload | {"sort": sort}, text) for sort, text, _said in READ[language]]
    said = call("question/numeral.js", "reading", calls, language)
    assert said == [one for _sort, _text, one in READ[language]]


def test_what_is_no_share_is_not_sent_in_per_cent(call):
    payload = {"sort": "", "unit": "", "ask": "?", "labels": LABELS}
    share = payload | {"sort": "share"}
    calls = [(payload, "92.6 %"), (share, "92.6 %"), (share, "92.6"), (payload, "x"), (payload, 7)]
    sent = call("question/numeral.js", "answerIn", calls)
    assert sent == [
        {"refused": "No share."}, {"value": pytest.approx(0.926), "percent": True},
        {"value": 92.6}, {"refused": "No number."}, {"value": 7},
    ]  # fmt: skip
