"""The formatter of rule files: `hoyle fmt`.

In: the text of a YAML file of ours. Out: the same file in one layout, with every comment and every value as before.
"""

from hoyle.formatting.formatter import Formatted, format_source
from hoyle.formatting.style import STYLE, Style

__all__ = ["STYLE", "Formatted", "Style", "format_source"]
