"""Words in the whole course: a student's question finds the lesson that answers it.

tests/site/test_site_search.py asks 158 more questions of site/questions.json.
"""

import json
import re

import pytest

from course_lib import cli
from course_lib.classroom import content
from course_lib.classroom.commands.explain import entry, fitting
from course_lib.classroom.copies import text_of
from course_lib.classroom.search import find, search, terms, weigh_terms

QUESTIONS = json.loads((content.root() / "site/questions.json").read_bytes())
BEGINNERS, STRANGERS = QUESTIONS["beginners"], QUESTIONS["strangers"]
MET = QUESTIONS["met"]  # what people type when something has gone wrong, and the page about it


@pytest.mark.parametrize("questions", [BEGINNERS, STRANGERS], ids=["tuned", "hidden"])
def test_of_twenty_questions_of_beginners_nineteen_find_their_place_among_the_first_three(
    questions,
):
    lost = [
        words
        for words, place in questions.items()
        if not any(re.match(place, found.title) for found in find(words, most=3))
    ]
    assert len(lost) <= len(questions) / 20, lost


def test_a_sign_and_a_word_of_beginners_mean_words_of_the_course():
    assert {"elementwise", "matrix"} <= set(weigh_terms("difference between * and @"))
    assert terms("It doesn't, and I don't") == []
    assert "power" in weigh_terms("x ** 2") and "elementwise" in weigh_terms("x*2")
    asked = weigh_terms("my GPU")
    assert asked["device"] < asked["gpu"] and "device" not in terms("my GPU")


def test_the_terminal_searches_too(capsys):
    assert cli.main(["search", "average", "of", "all", "columns"]) == 0
    assert "03 · Arithmetic" in capsys.readouterr().out
    assert cli.main(["search", "xylophone"]) == 1


def test_every_result_leads_to_a_heading_that_is_there():
    for found in (found for words in BEGINNERS for found in find(words)):
        texts = [(content.root() / found.file).read_text("utf-8")]
        if found.file.endswith(".ipynb"):
            cells = json.loads(texts[0])["cells"]
            here = [one for one in cells if content.cell_place(one["id"]) == found.place]
            texts = [text_of(one) for one in here or cells[:1]]
        assert any(re.search(rf"(?m)^#+ {re.escape(found.heading)}$", text) for text in texts)


def test_the_page_shows_a_sentence_with_a_link_or_says_that_there_is_nothing(capsys):
    search("storage offset")
    shown = capsys.readouterr().out
    assert "05 · Storage and strides › The offset" in shown and "offset" in shown.lower()
    search("xylophone")
    assert "Nothing in the course speaks of 'xylophone'" in capsys.readouterr().out
    with pytest.raises(TypeError, match="words in quotes"):
        search(3)


def test_an_excerpt_is_a_sentence_without_marks_and_never_what_a_cell_shows():
    shown = [found.excerpt(set(terms(words))) for words in BEGINNERS for found in find(words)]
    assert not any(re.search(r"`|\*\w|\w\*\s|\|", text) for text in shown)
    stride, *_ = [found for found in find("what is a stride") if found.file.endswith("glossary.md")]
    assert stride.excerpt({"stride"}) == "Stride 0 reads the same element again."
    assert "view:" not in [found.excerpt({"view"}) for found in find("view or copy")]
    assert not any("in which you add" in found.text for found in find("add different size"))
    assert not any("<svg" in found.text + found.code for found in find("svg"))


@pytest.mark.parametrize("words", MET)
def test_words_of_a_message_find_its_page_at_once_and_in_the_course_among_the_first_three(words):
    wanted = re.compile(f"{content.ERRORS}/({MET[words]})")
    assert wanted.match(fitting(words)[0].file)
    assert any(wanted.match(found.file) for found in find(words, most=3))


def test_every_page_is_found_by_its_own_title_and_has_a_story_and_a_cure():
    names = {name for name in content.names(content.root()) if name.startswith(content.ERRORS)}
    pages = {page.file: page for page in find("torch import", most=999, within=content.ERRORS)}
    written = {name for name in names if name.endswith(".md")} - {f"{content.ERRORS}/README.md"}
    assert set(pages) == written and len(pages) > 100
    for name, page in pages.items():
        assert name == fitting(page.title)[0].file
        assert entry(page).happened and "import torch" in entry(page).code


def test_explain_says_what_happened_and_how_to_mend_it_or_that_no_page_fits(capsys):
    assert cli.main(["explain", "view", "size", "is", "not", "compatible"]) == 0
    shown = capsys.readouterr().out
    for part in ("RuntimeError", "`view` never copies", "x.t().reshape(6)", "view-size-is-not"):
        assert part in shown
    assert cli.main(["explain", "--json", "zero_grad", "forgotten"]) == 0
    best, *_ = json.loads(capsys.readouterr().out)["pages"]
    assert "zero_grad" in best["sentence"] and best["code"].startswith("import torch")
    assert cli.main(["explain", "bake", "a", "chocolate", "cake"]) == 1
    assert "No page of the error index fits" in capsys.readouterr().out
