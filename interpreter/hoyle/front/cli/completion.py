"""`hoyle completion`: prints the completion script of a shell.

In: the name of a shell. Out: its script.
"""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

# Bash splits words at `=`; this script splits the line itself, so that OPTION=VALUE stays one word.
BASH = """\
_hoyle_completion() {
    local -a words
    local line="${COMP_LINE:0:COMP_POINT}" current="" answer kind value
    read -ra words <<< "$line"
    if [[ "$line" == *" " ]]; then words+=(""); fi
    current="${words[${#words[@]}-1]}"
    answer="$(COMP_WORDS="${words[*]}" COMP_CWORD=$((${#words[@]} - 1)) _HOYLE_COMPLETE=bash_complete hoyle)"
    COMPREPLY=()
    while IFS=, read -r kind value; do
        case "$kind" in
            file) compopt -o default; COMPREPLY=() ;;
            dir) compopt -o dirnames; COMPREPLY=() ;;
            plain)
                if [[ "$current" == *=* && "$COMP_WORDBREAKS" == *=* ]]; then value="${value#*=}"; fi
                if [[ "$value" == *= || "$value" == */ ]]; then compopt -o nospace; fi
                COMPREPLY+=("$value") ;;
        esac
    done <<< "$answer"
}
complete -F _hoyle_completion hoyle
"""


@click.command("completion", epilog='Example: hoyle completion bash >> ~/.bashrc')
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print what makes SHELL complete commands, games, options and their values.

    For one session: eval "$(hoyle completion bash)".
    """
    if shell == "bash":
        click.echo(BASH, nl=False)
        return
    from hoyle.front.cli.group import commands

    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(commands, {}, "hoyle", "_HOYLE_COMPLETE").source(), nl=False)
