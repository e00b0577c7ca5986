"""The site: pages in Markdown, the library from its docstrings. Builds without a network."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "extensions"))

import headproof

project = "headproof"
author = "The headproof authors"
copyright = author
version = release = headproof.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "myst_nb",
    "mathml",
    "command_help",
]
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb"}
exclude_patterns = ["_build", "extensions"]
nitpicky = False

myst_enable_extensions = ["deflist", "dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "off"  # the notebooks are executed by a test, and carry their output

autodoc_default_options = {"members": True}
autodoc_class_signature = "separated"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_custom_sections = ["Source"]
default_role = "code"
smartquotes = False  # they would turn --option into a dash
pygments_dark_style = "monokai"

html_theme = "furo"
html_title = f"headproof {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
templates_path: list[str] = []

_LITERAL = re.compile(r"(``.+?``|`[^`]+`)")


def _plain(line: str) -> str:
    """A docstring line in which asterisks, bars and trailing underscores mean themselves."""
    parts = _LITERAL.split(line)
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"([*|\\])", r"\\\1", parts[i])
        parts[i] = re.sub(r"(\w)_(?!\w)", r"\1\\_", parts[i])
    return "".join(parts)


def _docstring(app, what, name, obj, options, lines):
    """Docstrings are written for readers of the source: here they become reStructuredText.

    Formulas in plain text must not be read as markup. Field lists (``:param x:``) and examples are
    left alone; what is indented further than its paragraph is literal already or a formula.
    """
    example = False
    for number, line in enumerate(lines):
        if line.strip().startswith(">>>"):
            example = True
        elif not line.strip():
            example = False
        if example or line.lstrip().startswith(".. "):
            continue
        field = re.match(r"\s*:\w+( \\?\*?[\w]+)?:", line)
        start = field.end() if field else 0
        lines[number] = line[:start] + _plain(line[start:])


def setup(app):
    """Register what this file adds."""
    app.connect("autodoc-process-docstring", _docstring, priority=400)
