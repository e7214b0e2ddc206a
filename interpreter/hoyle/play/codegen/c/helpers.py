"""Templates of C functions that are generic in element types, instantiated on demand.

In: nothing. Out: `HELPERS`, by name: format strings over the types.
"""

HELPERS = {
    "holds": """
INLINE int holds_{0}(const {0} *list, int32_t n, int64_t wanted) {{
  int32_t i;
  for (i = 0; i < n; i++) if (list[i] == wanted) return 1;
  return 0;
}}""",
    "same": """
INLINE int same_{0}_{1}(const {0} *a, int32_t n, const {1} *b, int32_t m) {{
  int32_t i;
  if (n != m) return 0;
  for (i = 0; i < n; i++) if (a[i] != b[i]) return 0;
  return 1;
}}""",
    "before": """
INLINE int before_{0}_{1}(const {0} *a, int32_t n, const {1} *b, int32_t m) {{
  int32_t i;
  for (i = 0; i < n && i < m; i++) if (a[i] != b[i]) return a[i] < b[i];
  return n < m;
}}""",
    "twins": """
INLINE int twins_{0}(const int32_t *at, int32_t k, const {0} *twins) {{ /* no copy without the one before it */
  int32_t i, j;
  for (i = 0; i < k; i++)
    if (twins[at[i]]) {{
      for (j = 0; j < i; j++) if (at[j] == (int32_t)twins[at[i]] - 1) break;
      if (j == i) return 0;
    }}
  return 1;
}}""",
    "nth": """
/* unrank a combination, by size, then lexicographically; its size */
INLINE int32_t nth_{0}(const {0} *from, int32_t n, int32_t least, int32_t most, int32_t number, {0} *to) {{
  int32_t i = 0, d, k;
  for (k = max32(0, least); k < min32(n, most); k++) {{
    int32_t ways = combinations(n, k);
    if (number < ways) break;
    number -= ways;
  }}
  for (d = 0; d < k; d++, i++) {{
    if (d == k - 1) i = min32(i + number, n - 1);
    else if (d == k - 2) {{ /* the last but one: branchless scan of the prefix sums */
      int32_t first, before = 0, passed = 0, j;
      for (j = n - i - 1, first = 0; j > 1; j--) {{
        first += j;
        before = number >= first ? first : before;
        passed += number >= first;
      }}
      number -= before;
      i += passed;
    }} else for (;; i++) {{
      int32_t ways = combinations(n - i - 1, k - d - 1);
      if (number < ways || i >= n - 1) break;
      number -= ways;
    }}
    to[d] = from[i];
  }}
  return k;
}}""",
    "mix": """
INLINE void mix_{0}(uint64_t *state, {0} *list, int32_t n) {{ /* Fisher-Yates */
  Stream stream;
  if (n < 2) return;
  begin_stream(&stream, draw_bits(state));
  for (n--; n > 0; n--) {{
    uint32_t other = take_below(&stream, (uint32_t)n + 1, INT64_MAX);
    {0} x = list[n];
    list[n] = list[other];
    list[other] = x;
  }}
}}""",
    "memo_place": """
INLINE int32_t memo_place_{0}(const {0} *cards, int32_t n, const uint8_t *shifts, const uint64_t *ones,
                              const uint32_t *starts, const uint32_t *ranks, int32_t most) {{
  uint64_t counts = 0; /* a histogram of classes, four bits each; then its prefix sums */
  int32_t i;
  uint32_t place;
  if (n > most) return -1;
  for (i = 0; i < n; i++) counts += ones[cards[i]];
  counts *= UINT64_C(0x1111111111111111);
  place = starts[n];
  for (i = 0; i < n; i++) {{
    uint32_t shift = shifts[cards[i]];
    place += ranks[4 * shift + (uint32_t)(counts >> shift & 15)];
    counts -= ones[cards[i]];
  }}
  return (int32_t)place;
}}""",
    "list_held": """
/* the static groups among cards, as bit sets of places; their number, or -1 if they are too many, or if the reference,
   which enumerates them card by card, might have to visit too many */
NOINLINE int32_t list_held_{0}_{1}(const uint64_t *groups, const uint16_t *past, const uint16_t *starts,
                                   const uint64_t *mates, const {0} *cards, int32_t n, {1} *to, int32_t most,
                                   int64_t looked) {{
  uint64_t held = 0;
  uint8_t place[64];
  int32_t i, k, made = 0;
  for (i = n - 1; i >= 0; i--) {{
    if (looked >> n == 0) looked -= INT64_C(1) << POPCOUNT(mates[cards[i]] & held); /* else 2^n is few enough */
    held |= UINT64_C(1) << cards[i];
    place[cards[i]] = (uint8_t)i;
  }}
  if (looked < 0) return -1;
  for (i = 0; i < n; i++) for (k = starts[cards[i]]; k < starts[cards[i] + 1];) {{
    uint64_t group = groups[k], places = 0;
    if (group & ~held) {{ k = past[k]; continue; }}
    if (made == most) return -1;
    for (; group; group &= group - 1) places |= UINT64_C(1) << place[LOWEST_BIT(group)];
    to[made++] = ({1})places;
    k++;
  }}
  return made;
}}""",
    "lightest": """
/* branch on the first card left: the group that takes it in a partition of least weight left over, 0 for none; of equal
   ones the smallest group. Every step is charged to `work` */
NOINLINE void lightest_{0}_{1}(const {0} *groups, int32_t many, const {1} *weights, uint32_t left, uint32_t *taken,
                               int32_t *work) {{
  /* an explicit stack, since devices have little; each level has at least one card less, of 32 at most */
  struct {{ int64_t best; uint32_t left, taken, tried; int32_t next; }} steps[33], *top = steps;
  int64_t rest;
  top->left = left;
  top->best = INT64_MAX;
  top->taken = top->next = 0;
  for (;;) {{
    uint32_t first = top->left & (0u - top->left);
    int32_t i = top->next;
    if (i == 0 && (!top->left || --*work < 0)) rest = 0;
    else if (i > many) rest = top->best;
    else {{ /* try the next group with the first card, or at last none */
      for (top->tried = 0; i < many && !top->tried; i++) {{
        uint32_t group = (uint32_t)groups[i];
        if (group & first && !(group & ~top->left)) top->tried = group;
      }}
      top->next = top->tried ? i : i + 1;
      /* bound: leaving it over cannot be better, unless weights are negative */
      if (!top->tried && ({1})-1 > 0 && top->best <= (int64_t)weights[LOWEST_BIT(first)]) continue;
      left = top->left & ~(top->tried ? top->tried : first);
      (++top)->left = left;
      top->best = INT64_MAX;
      top->taken = top->next = 0;
      continue;
    }}
    if (top == steps) break;
    top--;
    if (!top->tried) rest += (int64_t)weights[LOWEST_BIT(top->left)];
    if (rest < top->best || (rest == top->best && top->tried && POPCOUNT(top->tried) < POPCOUNT(top->taken))) {{
      top->best = rest;
      top->taken = top->tried;
    }}
  }}
  *taken = top->taken;
}}""",
    "divide": """
/* the best partition of cards into some of their groups, encoded as group * CARDS + card; how many cards are in a
   group, or -1 if there are too many cards or it is too much work */
NOINLINE int32_t divide_{0}_{1}_{2}_{3}(const {0} *groups, int32_t many, const {2} *cards, const {1} *weights,
                                        {3} *to, uint64_t held, int32_t most, int32_t work) {{
  uint32_t left = 0, taken;
  int32_t i, number = 0, made = 0;
  if ((int32_t)POPCOUNT(held) > most) return -1;
  for (i = 0; i < many; i++) if (!((uint64_t)groups[i] & ~held)) left |= (uint32_t)groups[i];
  while (left) {{
    lightest_{0}_{1}(groups, many, weights, left, &taken, &work);
    if (work < 0) return -1;
    left &= taken ? ~taken : left - 1;
    number += taken != 0;
    for (; taken; taken &= taken - 1) to[made++] = ({3})((number - 1) * CARDS + cards[LOWEST_BIT(taken)]);
  }}
  return made;
}}""",
    "descend_set": """
INLINE void descend_set_{0}({0} *list, int32_t n) {{
  uint64_t left = 0;
  int32_t i;
  for (i = 0; i < n; i++) left |= UINT64_C(1) << list[i];
  for (i = 0; left; i++) {{
    list[i] = ({0})HIGHEST_BIT(left);
    left ^= UINT64_C(1) << list[i];
  }}
}}""",
    "descend": """
INLINE void descend_{0}({0} *list, int32_t n) {{
  int32_t i, j;
  for (i = 1; i < n; i++) {{
    {0} x = list[i];
    for (j = i; j > 0 && list[j - 1] < x; j--) list[j] = list[j - 1];
    list[j] = x;
  }}
}}""",
}
