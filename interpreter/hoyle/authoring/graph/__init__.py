"""Control-flow diagrams of games: steps, decisions, actions and ends.

In: the declarations of a game. Out: a graph, and its drawing as SVG or as text for Mermaid and Graphviz.
"""

from hoyle.authoring.graph.model import Edge, Graph, Node, build_graph
from hoyle.authoring.graph.notation import write_dot, write_mermaid
from hoyle.authoring.graph.svg import write_svg

__all__ = ["Edge", "Graph", "Node", "build_graph", "write_dot", "write_mermaid", "write_svg"]
