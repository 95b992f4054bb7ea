"""Sphinx's settings for the pages that pages.py has written; build.py passes the options on."""

import json
import os
import re
from html import escape
from textwrap import shorten

from docutils import nodes
from latex2mathml.converter import convert
from sphinx import addnodes

OPTIONS = json.loads(os.environ.get("SITE_OPTIONS", "{}"))
BASE_URL = OPTIONS.get("base_url", "")

project = "Learn PyTorch from the inside"
author = "the authors of the course"
language = "en"
extensions = ["myst_nb", "sphinx_copybutton"]
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb"}
nitpicky = False
toc_object_entries = False  # the sidebars of 200 pages would be resolved with 1700 names each

nb_execution_mode = "off"  # the stored outputs are the truth, and the suite compares them
nb_merge_streams = True
nb_code_prompt_show = "Show"
nb_code_prompt_hide = "Hide"
nb_ipywidgets_js = {}  # nothing from another host
myst_enable_extensions = ["dollarmath", "colon_fence", "html_image"]
myst_heading_anchors = 3
suppress_warnings = ["misc.highlighting_failure"]  # three dots are no Python in a hint

html_math_renderer = "mathml"
html_theme = "furo"
pygments_dark_style = "github-dark"
html_title = project
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_favicon = "static/icon.svg"
templates_path = ["templates"]
html_baseurl = BASE_URL  # "" leaves canonical links out
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
html_use_index = True
html_domain_indices = False
html_search_scorer = OPTIONS.get("scorer", "")
html_context = {"versions": OPTIONS.get("versions", False)}
html_theme_options = {"navigation_with_keys": False}
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
        "sidebar/versions.html",
    ]
}
copybutton_selector = "div.cell_input pre, div.highlight-python pre"
copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True


# ---- formulas ---------------------------------------------------------------------------------


def formula(self, node):
    """A formula as MathML, which browsers show by themselves and screen readers read."""
    self.body.append(convert(node.astext()))
    raise_skip()


def displayed_formula(self, node):
    self.body.append(f'<div class="math">{convert(node.astext(), display="block")}</div>')
    raise_skip()


def raise_skip():
    raise nodes.SkipNode


# ---- pages ------------------------------------------------------------------------------------


def plain_types(app, doctree):
    """Of the types in signatures only Tensor is a link: `int` is Python's, and not `torch.int`."""
    for node in list(doctree.findall(addnodes.pending_xref)):
        if node.get("refdomain") == "py" and node["reftarget"] != "Tensor":
            node.replace_self(node.children)


def short_sidebar(app, pagename, templatename, context, doctree):
    """Unfold the branch of this page only: 240 links on every page were a third of the site."""
    if whole := context.get("toctree"):
        context["toctree"] = lambda **options: whole(**{**options, "collapse": True})


def for_readers_by_ear(app, pagename, templatename, context, doctree):
    """What readers by ear need: levels of headings in the sidebar, and names that can be read."""
    if "body" in context:  # a name that hides what can be read: "Show", "Show a solution"
        context["body"] = context["body"].replace(' aria-label="Toggle hidden content"', "")
    tree = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = re.sub(
        r'role="heading"(?! aria-level)', 'role="heading" aria-level="2"', tree
    )


OF_GENERATED_PAGES = {  # which have no text of their own
    "genindex": "Every public name of the library, from A to Z.",
    "search": "Ask a question, and find the lesson that answers it.",
}


def described(app, pagename, templatename, context, doctree):
    """What a search engine and a shared link show: the first words, and the picture of the site."""
    if doctree is None and pagename not in OF_GENERATED_PAGES:
        return
    said = OF_GENERATED_PAGES.get(pagename) or app.env.metadata[pagename].get("description")
    paragraphs = doctree.findall(nodes.paragraph) if doctree else ()
    first = next((node.astext() for node in paragraphs), project)
    words = shorten(said or first, 160, placeholder=" …")
    tags = {"og:title": context.get("title", "Index"), "og:description": words}
    tags |= {"og:type": "website", "og:site_name": project}
    if BASE_URL:
        tags["og:url"] = f"{BASE_URL}{pagename}.html"
        tags["og:image"] = f"{BASE_URL}_static/social.png"
        tags["og:image:alt"] = "The graph of a loss: one saved tensor was overwritten"
    lines = [f'<meta name="description" content="{escape(words)}">']
    if BASE_URL:
        lines.append('<meta name="twitter:card" content="summary_large_image">')
    for name, value in tags.items():
        lines.append(f'<meta property="{name}" content="{escape(re.sub("<.*?>", "", value))}">')
    context["metatags"] = context.get("metatags", "") + "\n".join(lines) + "\n"


def setup(app):
    app.add_html_math_renderer("mathml", (formula, None), (displayed_formula, None))
    app.connect("html-page-context", described)
    app.connect("doctree-read", plain_types)
    app.connect("html-page-context", short_sidebar, priority=100)
    app.connect("html-page-context", for_readers_by_ear, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
