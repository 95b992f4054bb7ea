"""Text that is more than text where results are read: HTML, CSV, terminals, templates.

The word `INJECTED` marks it. It may stand in a result as text, never inside a tag or a script.
"""

from collections.abc import Callable

from grading.hostile.kinds import ALL, Kind, beside, called, cell_of, cheat, loaded, of_notebook

INJECTED = "course-hostile-injected"

TEXTS = {
    "script": "<script>alert('INJECTED')</script>",
    "script-after-the-end": "</pre></code></td></table></body></html><script>INJECTED</script>",
    "image-with-a-handler": "<img src=x onerror=alert('INJECTED')>",
    "attribute": "\\\" onmouseover=\\\"INJECTED\\\" x=\\\"' onmouseover='INJECTED' x='",
    "link": "<a href=javascript:INJECTED>click</a> [click](javascript:INJECTED)",
    "comment": "--> INJECTED <!-- ]]> <![CDATA[ <? INJECTED ?>",
    "entity": "&lt;script&gt;INJECTED&lt;/script&gt; &#60;script&#62;INJECTED",
    "script-in-json": "</script><script>INJECTED</script>\\u2028\\u2029",
    "formula": "=cmd|' /C INJECTED'!A0",
    "formula-after-a-tab": "\\t=HYPERLINK(INJECTED)",
    "row-of-a-table": 'x\\",INJECTED,100\\ngood-all,welcome,100,correct\\r\\n',
    "colours-of-a-terminal": "\\x1b[31mINJECTED\\x1b[2J\\x1b]0;INJECTED\\x07\\x9b31m",
    "carriage-return": "wrong\\rINJECTED correct\\x08\\x08",
    "right-to-left": "\\u202eINJECTED\\u202d\\u2066\\u200b\\ufeff",
    "template": "{{ 7*7 }} {0.__class__} %(word)s %s $word ${word} {INJECTED} {% INJECTED %}",
    "half-letters": "\\ud800INJECTED\\udfff",
    "zero-letters": "a\\0INJECTED\\0",
    "markdown": "```\\n# INJECTED\\n![x](https://INJECTED/x.png)\\n| a | b |",
}
TEXTS = {name: text.replace("INJECTED", INJECTED) for name, text in TEXTS.items()}


def _in_the_text(code: str, **facts: object) -> list[Kind]:
    """`code` with each of the texts in it, in place of TEXT."""
    word = code.partition(" ")[0].partition("(")[0]
    return [
        called(f"{word}-of-{name}", code.replace("TEXT", f'"{text}"'), **facts)
        for name, text in TEXTS.items()
    ]


def _everywhere(book: dict) -> None:
    """The text as a comment, a title, an extra cell, an output, a key and a name."""
    text = "".join(TEXTS.values()).encode().decode("unicode_escape", "replace")
    text = text.encode("latin-1", "replace").decode("latin-1")
    book["metadata"]["course"][text] = book["metadata"]["title"] = text
    book["metadata"]["authors"] = [{"name": text}]
    book["metadata"]["kernelspec"]["display_name"] = text
    for cell in book["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = text
        elif "# Answer to" in "".join(cell["source"]):
            comment = "".join(letter if letter.isprintable() else "?" for letter in text)
            cell["source"] += f"\n# {comment}"
            output = {"output_type": "display_data", "metadata": {}, "data": {"text/html": text}}
            cell["outputs"] = [output]


def _in_the_code(letter: str) -> Callable[[dict], None]:
    def change(book: dict) -> None:
        cell_of(book, "3")["source"] += f"\n# {letter} no letter"

    return change


KINDS: list[Kind] = [
    *_in_the_text("return TEXT"),
    *_in_the_text("raise ValueError(TEXT)"),
    beside("prints-every-text", "\n".join(f'print("{text}")' for text in TEXTS.values())),
    cheat(
        "displays-every-text",
        "from IPython.display import HTML, Markdown, display\n"
        + "\n".join(
            f'display(HTML("{text}"), Markdown("{text}"))'
            for name, text in TEXTS.items()
            if name != "half-letters"
        ),
        doubtful=False,
    ),
    loaded("error-of-a-named-type", f"raise type('<b>{INJECTED}', (Exception,), {{}})()"),
    called("value-of-a-named-type", f"return type('<script>{INJECTED}', (), {{}})()"),
    of_notebook("texts-everywhere", _everywhere, keep=ALL),
    of_notebook("half-a-letter-in-the-code", _in_the_code("\ud800"), keep="t1245"),
    of_notebook("no-letter-in-the-code", _in_the_code("\0"), keep="t1245"),
]
