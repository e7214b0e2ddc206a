"""Codes for declarations: cards, options, visibility, unused names, excessive sizes.

In: nothing. Out: `DATA`, a part of `RULE_CODES`.
"""

from __future__ import annotations

from hoyle.base.diagnostics.code import declare as code

DATA = (
    code(
        "unknown-column",
        "The ledger has only the columns declared under `ledger: columns:`.",
        wrong="score 5 to seat in rte",
        right="score 5 to seat in ret",
    ),
    code(
        "unknown-mark",
        "A line of the ledger can bear only the marks declared under `ledger: marks:`.",
        wrong="mark seat as skunkd",
        right="mark seat as skunked",
    ),
    code(
        "bad-teams",
        "The players cannot be divided into teams of this size.",
        wrong="teams: {size: 2}  (three players)",
        right="players: 4\nteams: {size: 2}",
    ),
    code(
        "bad-range",
        "A range is two numbers with two dots between, the lower first.",
        wrong="players: 8..2",
        right="players: 2..8",
    ),
    code(
        "bad-players",
        "The numbers of players are out of bounds, or the usual ones not among the allowed.",
        wrong="players: 0..9",
        right="players: 2..9",
    ),
    code(
        "player-count",
        "The game cannot be played by so many.",
        wrong="hoyle play my-game --players 12",
        right="hoyle play my-game --players 4",
    ),
    code(
        "bad-option",
        "An option is a truth, has a `range:`, or has `values:`.",
        wrong="{default: 1, range: 1..9, values: [a]}",
        right="{default: 1, range: 1..9}",
    ),
    code(
        "bad-option-value",
        "An option is set to something it cannot be.",
        wrong="--set turn_cap=many",
        right="--set turn_cap=500",
    ),
    code(
        "option-requires",
        "The options and the number of players do not go together.",
        wrong="--players 8 --set packs=1",
        right="--players 8 --set packs=2",
    ),
    code(
        "option-without-text",
        "Players are shown a sentence for each option.",
        wrong="fast: {default: false}",
        right="fast: {default: false, text: Only five cards are dealt.}",
        severity="warning",
    ),
    code(
        "deck-too-big",
        "The deck would have more cards than can be handled.",
        wrong="copies: 1000000",
        right="copies: 10",
    ),
    code(
        "empty-deck",
        "No card is in the deck for this number of players and these options.",
        wrong="{if: players > 99, number: 1}",
        right="{number: 1}",
    ),
    code(
        "same-code",
        "Two different cards would be written the same way.",
        wrong="{name: star, short: S}  (beside S1 … without number)",
        right="{name: star, short: St}",
    ),
    code(
        "deal-short",
        "More cards are dealt than there are, for this number of players.",
        wrong="deal 7 cards … (8 players, 54 cards)",
        right="deal 6 cards …",
    ),
    code(
        "never-offered",
        "An action or choice is declared but nothing offers it.",
        wrong="actions: {pass: …}",
        right="player chooses play, otherwise pass",
        severity="warning",
    ),
    code(
        "trial-stopped",
        "Random matches are played to try a game out, and one could not go on: somebody must choose but nothing is "
        "legal, a deal runs short, nothing moves, everybody passes for ever. The line shown is the rule that was "
        "carried out then.",
        wrong="player chooses play   (with no card that may be played)",
        right="player chooses play, otherwise pass",
    ),
    code(
        "never-playable",
        "In random matches players held a card again and again and could never choose it. Perhaps a condition compares "
        "something the card does not have, and such a comparison is false. Where the rules alone play such a card, a "
        "comment on the line that is shown says so: `# unreached: why`.",
        wrong="allowed: rank of card <= 9   (a joker has no rank)",
        right="allowed: card is joker or rank of card <= 9",
        severity="warning",
    ),
    code(
        "never-possible",
        "In random matches an action was offered again and again and could never be done: there was nothing to choose "
        "from, or what `possible:` asks for never held.",
        wrong="choose: {card: hand where card is joker}   (no joker is in the deck)",
        right="remove the action, or put a joker into the deck",
        severity="warning",
    ),
    code(
        "statement-missing",
        "A variant changes the statements of its parent and names one by its first words, or by what it cites. No "
        "statement there begins so: it is misspelt, or the parent has changed.",
        wrong="- {after: shufle pack, do: cut pack}",
        right="- {after: shuffle pack, do: cut pack}",
    ),
    code(
        "statement-unclear",
        "A variant changes the statements of its parent and names one by its first words, but several begin so. Write "
        "more of it, or put the statement before it on a line of its own above it.",
        wrong="- {after: set player, do: announce player}",
        right="- {after: set player to left of player, do: announce player}",
    ),
    code(
        "too-much-to-check",
        "The rules are so many, or use one another in so many ways, that checking them takes more steps than are "
        "allowed. Steps are counted, so every machine gives the same answer. Shorten what is long, split the game into "
        "a parent and variants, or allow fewer players or values of options, at which numbers are checked.",
        wrong="players: 1..64",
        right="players: 2..6",
    ),
    code(
        "options-together",
        "Whether rules keep secrets, and set a state before they ask for it, is shown for all options at once; where "
        "that does not succeed, for each option alone, and for all together as long as there are few. There are too "
        "many here, so a fault that needs several options at once would not be found. Let the rules that go together "
        "stand under one test, or leave options out.",
        wrong="if advance: set first to dealer … if advance: score 1 to first",
        right="first_seat: first or else dealer",
        severity="warning",
    ),
    code(
        "never-done",
        "A step is declared but nothing does it.",
        wrong="steps: {renew_pack: …}",
        right="if pack is empty: do renew_pack",
        severity="warning",
    ),
    code(
        "never-used",
        "An option, zone, state, pot, kind, definition or score table is declared, but nothing that happens in the "
        "game leads to it. Most likely a line that was to use it is missing, or it is left over.",
        wrong="state: {mood: {type: number}}",
        right="set mood to mood + 1",
        severity="warning",
    ),
    code(
        "maybe-unset",
        "A state of a seat or a card begins as none, and a rule asks for it where nothing is sure to have set it: on "
        "some way through the steps nobody did. A list that begins with it is then empty, and a comparison false.",
        wrong="state: {opener: {type: seat}}",
        right="state: {opener: {type: seat or none}}",
        severity="warning",
    ),
    code(
        "always-empty",
        "A rule asks for the cards of a zone at a point where all of them have been moved away, whatever has led "
        "there, such as the trick after it has been taken.",
        wrong='move trick to won\nif some card in trick is QS: announce "the lady"',
        right='if some card in trick is QS: announce "the lady"\nmove trick to won',
        severity="warning",
    ),
    code(
        "forgotten",
        "A state lasts for a round unless it says otherwise: when the step `round` begins it is back at its start. "
        "This one is set outside the round and read only inside it, so that what is set is never seen.",
        wrong="state: {stake: {type: number}}",
        right="state: {stake: {type: number, lasts: match}}",
        severity="warning",
    ),
    code(
        "nothing-to-take-back",
        "`take back` undoes what was done against the rules, but in this game nothing ever is: it does not say that "
        "errors are called.",
        wrong="take back",
        right="errors: called",
        severity="warning",
    ),
    code(
        "overwritten",
        "A game sets a state of a module, and then does a step of the module that sets it itself. Which states a "
        "module takes from the game is said by it (`inputs:`); what else it asks for is defined, not set.",
        wrong="set taker to dealer",
        right="first_leader: dealer",
        severity="warning",
    ),
    code(
        "cut-short",
        "An end may come about in the middle of an action or a step, and then the rest of it is left out, although it "
        "would have mattered: points, chips, cards. `waits_for` says which is meant: what must be finished before the "
        "end is looked at, `action` for any action or the names of steps, or `nothing` if it ends at once.",
        wrong="play_on: {when: some hand is empty}",
        right="play_on: {when: some hand is empty, waits_for: action}",
        severity="warning",
    ),
)
