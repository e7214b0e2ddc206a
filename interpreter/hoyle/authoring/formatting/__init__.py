"""The formatter of rule files: `hoyle fmt`.

In: the text of a rule file or of examples. Out: the same file in the canonical layout, with all comments and values
unchanged.
"""

from hoyle.authoring.formatting.formatter import Formatted, format_source
from hoyle.authoring.formatting.style import STYLE, Style

__all__ = ["STYLE", "Formatted", "Style", "format_source"]
