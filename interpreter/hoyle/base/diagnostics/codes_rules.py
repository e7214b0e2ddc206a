"""Codes of the rule language: errors in names, types and forms of rules.

In: nothing. Out: `RULE_CODES`, merged into `CODES`.
"""

from __future__ import annotations

from hoyle.base.diagnostics.code import Code
from hoyle.base.diagnostics.code import declare as code
from hoyle.base.diagnostics.codes_data import DATA

NAMES = (
    code(
        "unknown-name",
        "A name stands in a rule that is declared nowhere: no option, state, zone, definition, attribute, card, "
        "value or word of the language bears it.",
        wrong="number of crad",
        right="number of card",
    ),
    code(
        "unknown-zone",
        "Cards lie in zones, and every zone is declared under `zones:`.",
        wrong="move card to hnad",
        right="move card to hand",
    ),
    code(
        "unknown-state",
        "Only what is declared under `state:` can be set.",
        wrong="set caled to named",
        right="set called to named",
    ),
    code(
        "unknown-action",
        "A menu offers actions, and every action is declared under `actions:`. A condition in a menu goes in "
        "parentheses, because `or` separates actions there.",
        wrong="player chooses plya",
        right="player chooses play",
    ),
    code(
        "unknown-step",
        "`do` and `end` name a step declared under `steps:`.",
        wrong="do renw_pack",
        right="do renew_pack",
    ),
    code(
        "unknown-rule",
        "A citation names a rule that is neither in the game's rules.yaml nor, of a variant, under its `rulings:`.",
        wrong="[BONUS-99]",
        right="[BONUS-9]",
    ),
    code(
        "unknown-type",
        "A type is wanted here: number, a range such as `0..31`, truth, seat, seats, card, or an attribute with "
        "named values; a state may add `or none`.",
        wrong="called: symbl or none",
        right="called: symbol or none",
    ),
    code(
        "no-values",
        "There can be a zone, state or pot for each seat, team or card, or for each value of a kind or an attribute; "
        "other things have no values to go through.",
        wrong="foundation: {of: pile, shows: all}",
        right="foundation: {of: suit, shows: all}",
    ),
    code(
        "no-bound",
        "A list in state says how long it may become, so that a position has a known size. Lists of seats, teams and "
        "cards need not: there are only so many.",
        wrong="bids: {type: list of number}",
        right="bids: {type: list of number, most: 40}",
    ),
    code(
        "family-too-big",
        "A family has a zone or state for each value, or for each pair of values, and these must not be too many.",
        wrong="seen: {of: [card, card], type: truth}",
        right="seen: {of: [seat, card], type: truth}",
    ),
    code(
        "too-many-dimensions",
        "A family is of one thing or of two, so that its members can be shown as a row or a table.",
        wrong="bid: {of: [seat, suit, rank], type: number}",
        right="bid: {of: [seat, suit], type: number}",
    ),
    code(
        "unknown-value",
        "A card is given a value that its attribute does not have.",
        wrong="{symbol: circels}",
        right="{symbol: circles}",
    ),
    code(
        "unknown-attribute",
        "A card is given an attribute that is not declared under `attributes:`.",
        wrong="{colour: red}",
        right="{symbol: circles}",
    ),
    code(
        "unknown-adjective",
        "After `is` stands a name that fits what is spoken of: a card's name, a value of an attribute or "
        "option, `empty`, `none`, or an adjective the game defines.",
        wrong="card is bonsu",
        right="card is bonus",
    ),
    code(
        "name-taken",
        "One name, one meaning: a name may not stand for two things, and a local name may not hide another.",
        wrong="let pile be top of hand",
        right="let shown be top of hand",
    ),
    code(
        "reserved-name",
        "Words of the language cannot be declared as names.",
        wrong="options: {top: …}",
        right="options: {top_score: …}",
    ),
    code(
        "bad-name",
        "A name begins with a letter and holds letters, digits and `_`.",
        wrong="suit: [1st, 2nd]",
        right="suit: [first_suit, second_suit]",
    ),
    code(
        "declared-twice",
        "Two keys declare the same name.",
        wrong="fits of card: …\ncard fits other: …",
        right="card fits other: …",
    ),
    code(
        "whose",
        "A rule says `hand` where it is not clear whose: no seat is spoken of, or two are.",
        wrong="gather hand",
        right="gather hand of dealer",
    ),
    code("nobodys", "A zone or state of the table is said to be somebody's.", wrong="pack of dealer", right="pack"),
    code(
        "no-owner",
        "`shows: owner` or `all_but_owner` stands on something nobody owns.",
        wrong="pack: {shows: owner}",
        right="pack: {shows: nothing}",
    ),
    code("word-alone", "A word that is said of something stands alone.", wrong="count > 3", right="count of hand > 3"),
    code(
        "not-said-of",
        "A word is used with `of`, `as` or an argument though it takes none, or the other way round.",
        wrong="hand_size of seat",
        right="hand_size",
    ),
    code(
        "not-a-value",
        "An action, step or choice stands where a value is wanted.",
        wrong="if draw: …",
        right="if seat can draw: …",
    ),
    code(
        "unclear-value",
        "Two kinds have a value of this name and nothing tells which is meant.",
        wrong="announce high",
        right="risk is high",
    ),
    code(
        "unclear-and-or",
        "`and` and `or`, or `or else` and `if … otherwise`, stand side by side, and readers take such a line in two "
        "ways. Parentheses say which is meant.",
        wrong="pile is empty and card is wild or card is joker",
        right="pile is empty and (card is wild or card is joker)",
    ),
    code(
        "counts-zones",
        "`each hand` is a list of the hands of all seats; counting it gives how many hands there are. What lies in "
        "them is added up.",
        wrong="count of each hand = 0",
        right="sum count of each hand = 0",
    ),
    code(
        "several-cards",
        "The deck holds several cards of this name, so the name cannot stand for one card.",
        wrong="move bonus to pile",
        right="move (card in hand where card is bonus) to pile",
    ),
    code(
        "need-unmet",
        "A module the game uses needs a definition the game does not give.",
        wrong="use: [cut]",
        right="use: [cut]\ndefinitions: {cut_rank of card: number of card}",
    ),
)

TYPES = (
    code(
        "wrong-type",
        "A value of one type stands where another is needed.",
        wrong="set player to pile",
        right="set player to dealer",
    ),
    code(
        "different-types",
        "Things of different types are compared or put into one list; they can never be equal.",
        wrong="hand = 3",
        right="count of hand = 3",
    ),
    code(
        "may-be-none",
        "A value that may be none stands where there must be one. `or else` says what holds instead.",
        wrong="score number of card to seat",
        right="score (number of card or else 20) to seat",
    ),
    code(
        "never-none",
        "Something is tested for none, or given an `or else`, although it is never none.",
        wrong="dealer is none",
        right="called is none",
    ),
    code(
        "compare-none",
        "Nothing is equal to none, not even none; `is none` tests for it.",
        wrong="called = none",
        right="called is none",
    ),
    code(
        "said-of-one",
        "An attribute is said of one card, but several are named.",
        wrong="score points of hand to seat",
        right="score sum points of hand to seat",
    ),
    code(
        "is-before-value",
        "`is` stands before a name such as `empty` or `bonus`; values are compared with `=` and `!=`.",
        wrong="seat is dealer",
        right="seat = dealer",
    ),
    code(
        "equals-before-name",
        "A value said by its name is asked for with `is`; `=` compares what two expressions come to.",
        wrong="called = hearts",
        right="called is hearts",
        severity="warning",
    ),
    code(
        "no-order",
        "Only numbers, values of attributes and options, and keys can be higher or lower.",
        wrong="highest of hand",
        right="highest number of hand",
    ),
    code(
        "no-domain",
        "A name runs over something, and nothing says over what.",
        wrong="for each card: …",
        right="for each card in hand: …",
    ),
    code(
        "zone-satisfies",
        "With `satisfies`, a zone's name would be both the zone and the name for each of them.",
        wrong="some hand satisfies (count of hand > 9)",
        right="some seat satisfies (count of hand of seat > 9)",
    ),
    code(
        "list-in-list",
        "`(a, b)` is a list of two things; lists are joined with `+`.",
        wrong="((1, 2), (3, 4))",
        right="((1, 2) + (3, 4))",
    ),
    code(
        "not-weighed",
        "A division leaves what weighs least: the rest is weighed card by card.",
        wrong="(group in division of hand where group is run leaving lowest highest rank of rest)",
        right="(group in division of hand where group is run leaving lowest sum rank of rest)",
    ),
    code(
        "too-many-groups",
        "`subsets` of a long list are too many to look at.",
        wrong="subsets of pack",
        right="subsets of hand",
    ),
    code(
        "huge-number",
        "A number is larger than any game needs, or a loop longer.",
        wrong="score 99999999999 to seat",
        right="score 20 to seat",
    ),
    code(
        "out-of-range",
        "A value lies outside the range declared for it.",
        wrong="count: {type: 0..31, start: 40}",
        right="count: {type: 0..31}",
    ),
    code(
        "definition-ring",
        "A definition is defined by itself, directly or around a ring; its value could never be worked out.",
        wrong="points of card: points of card + 1",
        right="points of card: number of card + 1",
    ),
    code(
        "step-ring",
        "A step does itself, directly or around a ring. `repeat` does something again.",
        wrong="turn: do turn",
        right="turn: |\n  repeat until …:",
    ),
    code(
        "leak",
        "What a seat may do depends on something it cannot see. Its choices would tell it what is hidden. Who is asked "
        "may depend on everything; what they may do may not.",
        wrong="possible: top of pack is bonus",
        right="possible: top of pile is bonus",
    ),
    code(
        "unseen",
        "What happens depends on cards or states that nobody at the table can see, so nobody could carry out the rule. "
        "What a player holds may decide what happens, because he sees it and says so; a face-down card decides nothing "
        "until it is turned up or shown.",
        wrong="if rank of top of pack > 7: dealer chooses tell",
        right="show top of pack to seats",
    ),
    code(
        "not-remembered",
        "`remembered: all` says that everybody knows the cards of a zone because everybody saw them come. So they come "
        "from where they lay open, or one at a time to where the top card is seen, and they are not shuffled there.",
        wrong="move top 2 of pack to surplus",
        right="move top of pack to surplus",
    ),
    code(
        "hidden-visibility",
        "Who sees a zone may depend on what happens in the game, but only on what everybody knows: else whoever sees "
        "it, or does not, learns from that what is hidden.",
        wrong="hand: {of: seat, shows: all if rank of top of pack > 7 otherwise owner}",
        right="hand: {of: seat, shows: all if seat = declarer otherwise owner}",
    ),
    code(
        "visibility-ring",
        "Who sees a zone would depend on which cards lie face up, and that depends on who sees the zone.",
        wrong="hand: {of: seat, shows: all if count of face_up of row > 3 otherwise owner}",
        right="hand: {of: seat, shows: all if count of row > 3 otherwise owner}",
    ),
    code(
        "shown-to-nobody",
        "`all_but_owner` shows cards to all others; where there are none, nobody would see them.",
        wrong="players: 1, hand: {of: seat, shows: all_but_owner}",
        right="players: 2..5, hand: {of: seat, shows: all_but_owner}",
    ),
    code(
        "never-open",
        "`face_up of` a zone is what everybody sees of it; of a zone that never shows anything to all that is nothing.",
        wrong="face_up of pack",
        right="face_up of pile",
    ),
    code(
        "not-turned",
        "Cards are turned up and down where it makes a difference which side is up: in a zone that shows `face_up`. In "
        "others `show` lets seats see cards.",
        wrong="turn up top of pack",
        right="show top of pack to seats",
    ),
)

FAMILIES = (
    code(
        "which-pile",
        "A family of zones, declared with `many`, stands for all its piles. Where one pile is wanted, it must be said "
        "which: a new one, the first, or one that a rule chooses or goes through.",
        wrong="move card to table_pile",
        right="move card to new table_pile",
    ),
    code(
        "not-a-family",
        "`new` opens the next pile of a family of zones, declared with `many`.",
        wrong="move card to new hand",
        right="move card to new surplus",
    ),
)

FORMS = (
    code(
        "too-many-picks",
        "An action chooses so many things one after the other that the ways of choosing could not be tried.",
        wrong="choose: {a: deck, b: deck, c: deck, d: deck}",
        right="choose: {cards: 4 cards from hand}",
    ),
    code(
        "action-ring",
        "Whether an action may be done asks whether another may be done, and that asks back.",
        wrong="pass: {forbidden: {draw: seat may draw}}\ndraw: {forbidden: {pass: seat may pass}}",
        right="pass: {forbidden: {draw: seat may draw}}\ndraw: {forbidden: {lead: pile is empty}}",
    ),
    code(
        "choice-inside",
        "An action that is chosen together with others, secretly, asks for another choice in its `do:`.",
        wrong="seats choose trade together  (and `trade` does `seat chooses price`)",
        right="for each seat: seat chooses trade",
    ),
    code(
        "not-a-state",
        "Something is set that is not a state: a name given here, a zone, an option, or a pot, which is paid.",
        wrong="set hand_size to 7",
        right="set called to named",
    ),
    code(
        "unknown-label",
        "Under `labels:` something is named that the game does not have, so its label would never be shown.",
        wrong="labels: {fr: {actions: {plya: jouer}}}",
        right="labels: {fr: {actions: {play: jouer}}}",
    ),
    code(
        "unknown-look",
        "Under `table:` a zone, a state or an attribute is named that the game does not have.",
        wrong="table: {zones: {hnad: {sort: [suit, rank]}}}",
        right="table: {zones: {hand: {sort: [suit, rank]}}}",
    ),
    code(
        "unknown-pot",
        "Chips are paid from pot to pot, and every pot is declared under `pots:`.",
        wrong="pay 2 from prse to stake",
        right="pay 2 from purse to stake",
    ),
    code(
        "not-a-pot",
        "Chips are paid from pot to pot; something else stands where a pot must.",
        wrong="pay 2 from dealer to stake",
        right="pay 2 from purse of dealer to stake",
    ),
    code(
        "pays-itself",
        "Chips are paid from a pot to the same pot, so nothing changes.",
        wrong="pay 2 from purse of other to purse of other",
        right="pay 2 from purse of seat to purse of other",
    ),
    code(
        "not-running",
        "`end` or `take back` names a step that has not led here.",
        wrong="end match  (in a step nothing calls)",
        right="end round",
    ),
    code(
        "taken-back-twice",
        "One position is kept to be taken back to: that before an error that was called, or that in which a step "
        "began. A game with called errors, or with another step that is taken back, cannot have a second.",
        wrong="take back turn … take back laying",
        right="take back turn",
    ),
    code(
        "picks-multiply",
        "In a trial match an action could be chosen in so many ways that they could not all be tried: groups of cards "
        "are as many as their subsets, and picks multiply. Play stops there, by `too-much-work` or `too-many-choices`.",
        wrong="choose: {group: 3..13 cards from desk}",
        right="choose: {group: 3..4 cards from hand where rank of card > 9}",
        severity="warning",
    ),
    code(
        "endless-loop",
        "A loop has no `until`, no limit, and nothing inside it or under `ends:` can leave it.",
        wrong="repeat: …",
        right="repeat until some hand is empty: …",
    ),
    code(
        "may-go-on",
        "A loop goes on until something that nothing must bring about: a player can choose, again and again, what "
        "changes nothing that its `until` looks at. Where it is meant, a comment on its line says why: `# goes on: "
        "whoever passes out deals again`.",
        wrong="repeat until hand is empty: seat chooses play or pass",
        right="repeat at most 100 times until hand is empty: seat chooses play or pass",
        severity="warning",
    ),
    code(
        "not-constant",
        "Decks, options and numbers of cards to choose are fixed before the game begins, so they may use options and "
        "`players` only.",
        wrong="copies: count of hand",
        right="copies: 2 * players",
    ),
    code(
        "number-tested",
        "A number chosen from more than 64, or from a range whose bounds only the game itself knows, is offered as the "
        "range. Which number it will be is not known when it is asked what is legal, so only `do:` may use it.",
        wrong="choose: {amount: 0..9999}\nallowed: amount mod 5 = 0",
        right="choose: {fives: 0..1999}\ndo: set price to 5 * fives",
    ),
    code(
        "number-not-last",
        "A number chosen from a long range is offered as the range, so it is the last thing an action chooses, and an "
        "action has at most one.",
        wrong="choose: {amount: 0..9999, named: any suit}",
        right="choose: {named: any suit, amount: 0..9999}",
    ),
    code(
        "case-order",
        "Cases are tried in order; all but the last have a `when:`, and the last has none.",
        wrong="cases: {a: {value: 1}, b: {value: 2}}",
        right="cases: {a: {when: pile is empty, value: 1}, b: {value: 2}}",
    ),
    code("always-true", "A condition that always holds says nothing.", wrong="allowed: true", right="(leave it out)"),
    code(
        "forbidden-group",
        "Each line under `forbidden:` forbids by itself.",
        wrong="forbidden: {any: {a: …, b: …}}",
        right="forbidden: {a: …, b: …}",
    ),
    code(
        "tier-in-tier",
        "`otherwise` in an `offer:` would begin another tier; each tier is a line of its own.",
        wrong="offer: play, otherwise pass",
        right="first: {offer: play}\nthen: {offer: pass}",
    ),
    code(
        "step-name",
        "Steps are called `NAME` or `NAME of SOMETHING`.",
        wrong="card beats other: do …",
        right="compare of card: do …",
    ),
    code(
        "escaped-text",
        "Rule texts in double quotes may not hold backslash escapes: places in them could not be told.",
        wrong='do: "announce \\"hm\\""',
        right='do: announce "hm"',
    ),
    code(
        "incomplete-game",
        "A game needs a deck, zones, a step `match` and winners.",
        wrong="(no `winners:`)",
        right="winners: (seat in seats with highest score of seat)",
    ),
    code(
        "who-sees",
        "Every zone says who sees its cards.",
        wrong="hand: {of: seat}",
        right="hand: {of: seat, shows: owner}",
    ),
    code(
        "no-start",
        "A state must say what it is at first, unless it may be none.",
        wrong="trump: symbol",
        right="trump: symbol or none",
    ),
)

RULE_CODES: tuple[Code, ...] = NAMES + TYPES + FAMILIES + FORMS + DATA
