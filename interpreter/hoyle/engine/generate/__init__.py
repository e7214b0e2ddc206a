"""Python source from the IR: the generated executor's code.

In: a program. Out: source text, in parts that are made when they are needed: `choices` (what may be chosen, who
chooses, who has won), `plain` (what happens, as fast as can be), `recorded` (what happens, with its events), `drawn`
(a whole match without stops, choices being drawn) and `asked` (the same, somebody being asked which choice it is).

The way through: `facts` and `simplify` make expressions plain; `values`, `words`, `loops`, `growing` and `keys` write
them, `choices` and `tiers` what may be chosen, `instructions` and `moving` what is done; `graph`, `flow` and `segment`
put blocks together, one function for each stretch of play; `drawn` plays on through decisions, with `refuted`,
`running`, `liveness`, `registers` and `tidying` for speed; `module` collects the functions, `assemble` makes the parts.
"""
