"""Words in the whole course: a student's question finds the lesson that answers it."""

import json
import re

import pytest

from course_lib.classroom import content
from course_lib.classroom.copies import text_of
from course_lib.classroom.search import find, search, terms

ASKED = {  # what students ask, and the lesson that explains it
    "how do I remove a dimension of size 1": "08",
    "zero_grad gradients add up": "23|24|14|Gl",
    "which tensors are leaves": "13",
    "tensor to numpy without a copy": "04",
    "modified by an inplace operation": "17|19",
    "difference between data and detach": "18",
    "view size is not compatible": "07",
    "make a batch of pictures": "08",
    "cuda gpu": "11",
    "same random numbers again": "01",
    "concatenate or stack": "10",
    "boolean mask": "10",
    "integer overflow": "02",
    "stride after transpose": "05|08",
    "retain_graph second backward": "15",
    "check gradients numerically": "22",
    "LSTM": "27",
    "padding in a batch of sequences": "26",
    "which tensors share memory": "06|12|04|07",
    "broadcasting two shapes": "09",
    "no_grad or inference_mode": "16",
    "matrix product": "03",
    "build my own engine": "21",
    "learning rate": "23|00",
    "why is my gradient None": "Gl|14",
    "how do I turn off gradients": "16|Gl",
    "what is a leaf tensor": "13|Gl",
    "why does loss.backward fail the second time": "15|14",
    "how to save a model": "24",
    "convert numpy array to tensor": "04",
    "what does keepdim do": "03",
    "in place operation error": "17|19",
    "how do gradients accumulate": "14|Gl",
    "mini batch dataloader": "25",
    "float64 or float32": "02",
    "move tensor to gpu": "11",
    "transpose not contiguous": "06|07|08",
    "embedding words": "26|Gl",
    "custom autograd function": "21",
}


@pytest.mark.parametrize("words", ASKED)
def test_a_question_finds_its_lesson_among_the_first_three(words):
    assert any(re.match(ASKED[words], found.title) for found in find(words, most=3))


def test_every_result_leads_to_a_heading_that_is_there():
    for found in (found for words in ASKED for found in find(words)):
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
    shown = [found.excerpt(set(terms(words))) for words in ASKED for found in find(words)]
    assert not any(re.search(r"`|\*\w|\w\*\s|\|", text) for text in shown)
    (stride,) = [found for found in find("what is a stride") if found.file.endswith("glossary.md")]
    assert stride.excerpt({"stride"}) == "Stride 0 reads the same element again."
    assert "view:" not in [found.excerpt({"view"}) for found in find("view or copy")]
    assert not any("<svg" in found.text + found.code for found in find("svg"))
