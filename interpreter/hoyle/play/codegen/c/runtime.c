/* The runtime library of all printed programs: random numbers, lists, moves of cards between zones.
 *
 * Before this come the sizes of the game (PLAYERS, CARDS, ZONES and so on), its types and its tables. Functions here report faults
 * by the flag `P->fault`, which is tested wherever the program can return. No declaration that a goto could jump over has an
 * initialiser: C++ compilers take the same text. */

/* ---- random numbers: docs/dev/random.md ---- */
typedef struct {
  uint64_t seed, taken; /* counter-based: the number of 16-bit pieces taken */
#if !ON_DEVICE
  uint64_t bits; /* prefetched, with the next piece in the low bits: off the critical path */
#endif
} Stream;

#define STEP UINT64_C(0x9E3779B97F4A7C15)
INLINE uint64_t draw_bits(uint64_t *state) {
  uint64_t z = *state += STEP;
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

INLINE uint64_t draw_pieces(const Stream *S) { /* recomputed for every piece: branching on a used-up word mispredicts */
  uint64_t state = S->seed + (S->taken >> 2) * STEP;
  return draw_bits(&state) >> (S->taken & 3) * 16;
}

#if ON_DEVICE /* a store costs more than recomputing the word */
INLINE void begin_stream(Stream *S, uint64_t seed) { S->seed = seed; S->taken = 0; }
INLINE uint32_t take_piece(Stream *S) {
  uint32_t piece = (uint32_t)draw_pieces(S) & 65535u;
  S->taken++;
  return piece;
}
#else
INLINE void begin_stream(Stream *S, uint64_t seed) { S->seed = seed; S->taken = 0; S->bits = draw_pieces(S); }
INLINE uint32_t take_piece(Stream *S) {
  uint32_t piece = (uint32_t)S->bits & 65535u;
  S->taken++;
  S->bits = draw_pieces(S);
  return piece;
}
#endif

NOINLINE uint32_t take_two_pieces(Stream *S, uint64_t bound) {
  for (;;) {
    uint64_t low = take_piece(S), both = low + ((uint64_t)take_piece(S) << 16);
    if (both < (UINT64_C(1) << 32) - (UINT64_C(1) << 32) % bound) return (uint32_t)(both % bound);
  }
}

/* piece % bound for a bound of at most CARDS, by the reciprocal INVERSE, the next number above 2^32 / bound. */
INLINE uint32_t piece_modulo(uint32_t piece, uint32_t bound) {
  NARROW(bound)
  return (uint32_t)((uint64_t)(uint32_t)(piece * INVERSE[bound]) * bound >> 32);
}

NOINLINE uint32_t take_exactly(Stream *S, uint32_t piece, uint32_t bound) { /* with rejection, against bias */
  while (piece >= 65536u - 65536u % bound) piece = take_piece(S);
  return piece % bound;
}

INLINE uint32_t take_below(Stream *S, uint64_t bound, int64_t most) { /* `most` is a compile-time upper bound of `bound` */
  uint32_t piece;
  if (bound == 1) return 0;
  if (most > 65536 && bound > 65536) return take_two_pieces(S, bound);
  piece = take_piece(S);
  if (piece >= 65536u - (uint32_t)bound) return take_exactly(S, piece, (uint32_t)bound);
  return most <= CARDS || bound <= CARDS ? piece_modulo(piece, (uint32_t)bound) : piece % (uint32_t)bound;
}

INLINE uint32_t pick_below(uint64_t *state, uint32_t bound) {
  Stream stream;
  if (bound == 1) return 0;
  begin_stream(&stream, draw_bits(state));
  return take_below(&stream, bound, INT64_MAX);
}

INLINE uint64_t derive_seed(uint64_t seed, uint64_t step) {
  uint64_t bits = draw_bits(&seed) + step;
  return draw_bits(&bits);
}

/* The protocol between `run` and its caller. `stops` == PLAYS: choices are drawn from the streams of the seats. STOPS: `run`
 * returns at decisions with the `seat` that is asked and the `size` of the menu; if a choice is `given` it resumes with it:
 * `place` is its index, and `number` the index of its number parameter among `many`. PEEKS: it returns as soon as the `action` is
 * known and the picks are in their slots; `erred`: the choice is an offence. ROLLS: choices are drawn as in rollouts until the
 * round is no longer `only_round` (-1: any), `most` decisions were made, or `until_seat` is asked. `*stop` may be set by another
 * thread, to cancel the match. */
typedef struct {
  Stream seats[PLAYERS];
  uint64_t habits, offered, errors;
  int64_t number, many;
  const volatile int32_t *stop;
  int32_t stops, given, place, policy, size, seat, action, widest, only_round, most, until_seat, window, erred;
#ifdef ENVIRONMENT
  int32_t lists; /* whoever peeks wants all choices, one after the other: `tell_choice` */
#endif
} Ask;
#ifdef ENVIRONMENT
HOST_DEVICE int32_t tell_choice(Pos *P, Ask *A);
#endif

/* ---- numbers ---- */
INLINE int32_t max32(int32_t a, int32_t b) { return a > b ? a : b; }
INLINE int32_t min32(int32_t a, int32_t b) { return a < b ? a : b; }
INLINE int64_t max64(int64_t a, int64_t b) { return a > b ? a : b; }
INLINE int64_t min64(int64_t a, int64_t b) { return a < b ? a : b; }
INLINE int64_t floor_divide(int64_t a, int64_t b) { int64_t q = a / b; return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q; }
INLINE int64_t floor_modulo(int64_t a, int64_t b) { int64_t r = a % b; return r != 0 && (r < 0) != (b < 0) ? r + b : r; }
INLINE int64_t widen(int32_t a) { return a == NONE32 ? NONE64 : (int64_t)a; }
INLINE int product_fits(int64_t a, int64_t b) {
  uint64_t x = a < 0 ? 0 - (uint64_t)a : (uint64_t)a, y = b < 0 ? 0 - (uint64_t)b : (uint64_t)b;
  return x == 0 || y <= (uint64_t)LIMIT / x;
}
INLINE int32_t combinations(int32_t n, int32_t k) {
  uint64_t ways = 1;
  int32_t i;
  if (k > n) return 0;
  if (k == 1) return n;
  if (k == 2 && n < 256) return n * (n - 1) / 2;
  for (i = 0; i < k; i++) {
    ways = ways * (uint64_t)(n - i) / (uint64_t)(i + 1);
    if (ways > MOST_COUNTED) return MOST_COUNTED + 1;
  }
  return (int32_t)ways;
}
INLINE int32_t combinations_of_sizes(int32_t n, int32_t least, int32_t most) {
  int32_t ways = 0, k;
  for (k = max32(0, least); k <= min32(n, most) && ways <= MOST_COUNTED; k++) ways += combinations(n, k);
  return ways;
}

/* ---- memo tables: shared by threads without locks, since all that store an entry store the same byte ---- */
INLINE void remember(uint8_t *table, int32_t place, int32_t rows, int64_t value, int64_t none, int64_t low) {
  if (place < 0) return;
  if (value == none) STORE_BYTE(table + place * rows, 255);
  else if (value - low < 254) STORE_BYTE(table + place * rows, (uint8_t)(value - low + 1));
}

/* ---- cards ---- */
#define CARD_WORDS ((CARDS + 63) / 64)
#ifdef ENVIRONMENT /* which cards each seat has seen since the last shuffle, as bit sets */
INLINE void expose(Pos *P, int32_t card, uint64_t seats) {
  int32_t seat;
  for (seat = 0; seat < PLAYERS; seat++) P->exposed[seat * CARD_WORDS + (card >> 6)] |= (seats >> seat & 1) << (card & 63);
}
#endif
#define PILE(zone) (TABLE(cards) + AT[zone])
#define HELD_IN_ZONE (ON_DEVICE && HOLDERS_FIT)
#if HELD_IN_ZONE /* packed: zone and last holder of a card in one byte, for one store */
#define ZONE_OF(card) (TABLE(loc)[card] & 15)
#define HOLDER_OF(card) (TABLE(loc)[card] >> 4 == 15 ? NOBODY : TABLE(loc)[card] >> 4)
INLINE uint8_t lie(int32_t zone, int32_t before) { return (uint8_t)(OWNER[zone] >= 0 ? zone | OWNER[zone] << 4 : zone | (before & 240)); }
INLINE void put_at(Pos *P, int32_t card, int32_t zone) { TABLE(loc)[card] = lie(zone, TABLE(loc)[card]); }
INLINE void put_all_at(Pos *P, int32_t zone, int32_t holder) { FILL(TABLE(loc), zone | (holder & 15) << 4, CARDS); }
#else
#define ZONE_OF(card) TABLE(loc)[card]
#define HOLDER_OF(card) TABLE(hold)[card]
INLINE void put_at(Pos *P, int32_t card, int32_t zone) {
  TABLE(loc)[card] = (zone_t)zone;
#if HOLDERS
  if (OWNER[zone] >= 0) TABLE(hold)[card] = (seat_t)OWNER[zone];
#endif
#ifdef ENVIRONMENT
  expose(P, card, SHOWN_TO[zone]);
#endif
}
INLINE void put_all_at(Pos *P, int32_t zone, int32_t holder) {
  int32_t i;
  if (sizeof(zone_t) == 1) FILL(TABLE(loc), zone, CARDS);
  else for (i = 0; i < CARDS; i++) TABLE(loc)[i] = (zone_t)zone;
#if HOLDERS
  FILL(TABLE(hold), holder >= 0 ? holder : NOBODY, CARDS);
#endif
#ifdef ENVIRONMENT
  FILL(P->exposed, 0, sizeof(P->exposed));
#endif
  (void)holder;
}
#endif

INLINE void swap_with(card_t *cards, int32_t place, uint32_t other) {
  card_t x = cards[place];
  cards[place] = cards[other];
  cards[other] = x;
}

/* Fisher-Yates from index `place` down to `down`, resumable: gives the index to go on from, 0 when done. Draws are taken four at
 * a time from one word; the state after the last whole word is left in `reached`. */
#define LANES(x) (UINT64_C(0x0001000100010001) * (x))
#define LAST_PIECES (65536u - (CARDS <= 64 ? 64u : CARDS <= 256 ? 256u : 4096u)) /* above it, rejection is possible */
NOINLINE int32_t mix_down(card_t *cards, int32_t place, uint64_t *reached, int32_t down) {
  uint64_t state = *reached;
  uint32_t first, second, third, fourth;
  int32_t least = max32(4, down);
  for (; place >= least; place -= 4) { /* the same draws as four calls of take_below */
    uint64_t next = state, bits = draw_bits(&next), short_of = ~bits & LANES(LAST_PIECES);
    if (CARDS > 4096 || ((short_of - LANES(1)) & bits & LANES(32768u))) break; /* a lane is zero: take the slow path */
    state = next;
    first = piece_modulo((uint32_t)bits & 65535u, (uint32_t)place + 1); /* all four indices before the first store */
    second = piece_modulo((uint32_t)bits >> 16, (uint32_t)place);
    third = piece_modulo((uint32_t)(bits >> 32) & 65535u, (uint32_t)place - 1);
    fourth = piece_modulo((uint32_t)(bits >> 48), (uint32_t)place - 2);
    swap_with(cards, place, first);
    swap_with(cards, place - 1, second);
    swap_with(cards, place - 2, third);
    swap_with(cards, place - 3, fourth);
  }
  if (place < down) { *reached = state; return place; }
  while (place > 0) {
    uint64_t bits = draw_bits(&state);
    int32_t left;
    for (left = 4; left > 0 && place > 0; left--, bits >>= 16) {
      uint32_t piece = (uint32_t)bits & 65535u, bound = (uint32_t)place + 1;
      if (piece >= 65536u - bound && piece >= 65536u - 65536u % bound) continue;
      swap_with(cards, place--, piece_modulo(piece, bound));
    }
  }
  return 0;
}

/* Lazy shuffle: in playouts the LATE_ZONE is shuffled on demand, from the top down; indices up to `late` are still pending, none
 * if it is 0. A shuffle has a random stream of its own, so that laziness changes no other draw. */
INLINE void settle(Pos *P, int32_t zone, int32_t down) {
  if (LATE_ZONE >= 0 && zone == LATE_ZONE && P->late > 0 && P->late >= down)
    P->late = mix_down(PILE(zone), P->late, &P->late_state, down);
}
#define ORDERED(zone, down) (settle(P, zone, down), PILE(zone)) /* final from index `down` up */

INLINE void shuffle(Pos *P, int32_t zone, int32_t at_once) {
  int32_t place = TABLE(n)[zone] - 1;
  uint64_t state;
  settle(P, zone, 0);
#ifdef ENVIRONMENT
  FILL(P->exposed, 0, sizeof(P->exposed));
#endif
  if (place < 1) return;
  state = draw_bits(&P->rng);
  if (zone != LATE_ZONE || at_once) mix_down(PILE(zone), place, &state, 0);
  else { P->late = place; P->late_state = state; }
}

#if FACES /* some zones track which side of a card is up; a card moved there is face up if it was public before */
INLINE void turn_cards(Pos *P, const card_t *cards, int32_t many, int32_t up) {
  int32_t i;
  for (i = 0; i < many; i++) if (TABLE(up)[cards[i]] != up && !FACED[ZONE_OF(cards[i])]) { P->fault = 1; return; }
  for (i = 0; i < many; i++) TABLE(up)[cards[i]] = (uint8_t)up;
}

HOST_DEVICE int32_t list_shown(Pos *P, int64_t *found);
NOINLINE void see(Pos *P) { /* snapshot which cards are public, before a move */
  int64_t shown[ZONES];
  int32_t zone, i;
  if (RULES_OF_SIGHT && list_shown(P, shown)) { P->fault = 1; return; }
  for (zone = 0; zone < ZONES; zone++) {
    int32_t last = TABLE(n)[zone] - 1, sight = SIGHT[zone];
    if (RULES_OF_SIGHT && sight < 0) sight = SIGHT_IN_CASE[-sight + shown[zone]];
    if (sight == 2) settle(P, zone, last);
    for (i = 0; i <= last; i++) {
      int32_t card = PILE(zone)[i];
      P->open[card] = sight == 1 || (sight == 2 && i == last) || (sight == 3 && TABLE(up)[card]);
    }
  }
}
#define SEE see(P);
#else
#define SEE
#endif

INLINE void lay_all(Pos *P, int32_t zone, const card_t *cards, int32_t many, int32_t apart) { /* with a stride */
  int32_t i, n = TABLE(n)[zone];
  card_t *pile = PILE(zone) + n;
  if (ROOM[zone] < CARDS && n + many > ROOM[zone]) { P->fault = 1; return; }
  TABLE(n)[zone] = (count_t)(n + many);
  for (i = 0; i < many; i++) {
    card_t card = cards[i * apart];
    pile[i] = card;
    put_at(P, card, zone);
#if FACES
    TABLE(up)[card] = FACED[zone] && P->open[card];
#endif
  }
}

INLINE void lay(Pos *P, int32_t zone, int32_t card) {
  card_t only = (card_t)card;
  lay_all(P, zone, &only, 1, 1);
}

#if WORDS
INLINE uint64_t bytes_like(uint64_t word, int32_t card) { /* SWAR: high bit of the first equal byte, exact up to there */
  word ^= UINT64_C(0x0101010101010101) * (uint64_t)card;
  return (word - UINT64_C(0x0101010101010101)) & ~word & UINT64_C(0x8080808080808080);
}
#endif

INLINE int32_t find_in(const Pos *P, int32_t card, int32_t zone) {
  int32_t i = 0, n = TABLE(n)[zone];
#if WORDS
  for (; i < n; i += 8) {
    uint64_t found;
    COPY(&found, PILE(zone) + i, 8);
    found = bytes_like(found, card);
    if (found) return min32(i + (LOWEST_BIT(found) >> 3), n);
  }
  return n;
#else
  while (i < n && PILE(zone)[i] != card) i++;
  return i;
#endif
}

INLINE int32_t index_in(Pos *P, int32_t card, int32_t zone) { settle(P, zone, 0); return find_in(P, card, zone); }

INLINE int32_t place_of(Pos *P, int32_t card) {
  int32_t zone = ZONE_OF(card);
  return TABLE(n)[zone] - index_in(P, card, zone);
}

INLINE int take(Pos *P, int32_t card, int32_t zone) { /* remove a card from a zone; whether it was there */
  int32_t i, n = TABLE(n)[zone];
  card_t *pile = PILE(zone);
#if WORDS
  uint64_t word, found, ours;
  if (n <= 8 && n > 0) { /* a small pile is one word: search and removal without a loop */
    settle(P, zone, 0);
    COPY(&word, pile, 8);
    found = bytes_like(word, card) & ~UINT64_C(0) >> (64 - 8 * n);
    if (!found) return 0;
    word ^= (word ^ word >> 8) & (0 - ((found & (0 - found)) >> 7)); /* shift that byte and all above down */
    COPY(pile, &word, 8);
    TABLE(n)[zone] = (count_t)(n - 1);
    return 1;
  }
#endif
  i = n > 0 && pile[n - 1] == card ? n - 1 : find_in(P, card, zone); /* fast path: the top of a large pile */
  if (zone == LATE_ZONE && i <= P->late) i = index_in(P, card, zone); /* in the part not yet shuffled */
  if (i >= n) return 0;
  n = --TABLE(n)[zone];
#if WORDS
  for (; n - i >= 8; i += 8) { COPY(&word, pile + i + 1, 8); COPY(pile + i, &word, 8); }
  if (i < n) {
    ours = ~UINT64_C(0) >> (64 - 8 * (n - i));
    COPY(&word, pile + i + 1, 8);
    COPY(&found, pile + i, 8);
    word = (word & ours) | (found & ~ours);
    COPY(pile + i, &word, 8);
  }
#else
  for (; i < n; i++) pile[i] = pile[i + 1];
#endif
  return 1;
}

INLINE void gather(Pos *P, int32_t zone, int32_t holder) { /* -1: nobody holds the cards */
  int32_t i;
  for (i = 0; i < ZONES; i++) TABLE(n)[i] = 0;
  TABLE(n)[zone] = CARDS;
  P->late = 0;
  COPY(PILE(zone), IN_ORDER, sizeof(IN_ORDER));
  put_all_at(P, zone, holder);
#if FACES
  FILL(TABLE(up), 0, CARDS);
#endif
}

INLINE void turn_over(Pos *P, int32_t zone) {
  card_t *pile = PILE(zone);
  int32_t i, n = TABLE(n)[zone];
  settle(P, zone, 0);
  for (i = 0; i < n / 2; i++) { card_t x = pile[i]; pile[i] = pile[n - 1 - i]; pile[n - 1 - i] = x; }
#if FACES
  if (FACED[zone]) for (i = 0; i < n; i++) TABLE(up)[pile[i]] ^= 1;
#endif
}

INLINE void rotate(Pos *P, int32_t zone, int32_t at) { /* the cards from index `at` up go to the bottom */
  card_t cards[CARDS], *pile = PILE(zone);
  int32_t i, n = TABLE(n)[zone];
  settle(P, zone, 0);
  for (i = 0; i < n; i++) cards[i] = pile[i];
  for (i = 0; i < n; i++) pile[i] = cards[i + at < n ? i + at : i + at - n];
}

INLINE void cut(Pos *P, int32_t zone) {
  int32_t n = TABLE(n)[zone];
  if (n > 1) rotate(P, zone, 1 + (int32_t)pick_below(&P->rng, (uint32_t)n - 1));
}

INLINE void move_all(Pos *P, int32_t from, int32_t zone) {
  int32_t n = TABLE(n)[from];
  if (n == 0) return;
  SEE
  settle(P, from, 0);
  TABLE(n)[from] = 0;
  lay_all(P, zone, PILE(from), n, 1);
}

INLINE void move_cards(Pos *P, const card_t *listed, int32_t many, int32_t zone, int32_t bottom) {
  card_t cards[CARDS];
  int32_t i;
  if (many <= 0) return;
  for (i = 0; i < many; i++) cards[i] = listed[i];
  SEE
  for (i = 0; i < many; i++) if (!take(P, cards[i], ZONE_OF(cards[i]))) P->fault = 1;
  lay_all(P, zone, cards, many, 1);
  if (bottom && !P->fault) rotate(P, zone, TABLE(n)[zone] - many);
}

NOINLINE void move_singly(Pos *P, const card_t *cards, int32_t many, int32_t zone) { move_cards(P, cards, many, zone, 0); }

/* Move a card that is predicted to lie in `from`, the zone it was picked from; whether it did. Searching the predicted zone does
 * not depend on the load of ZONE_OF(card), which shortens the dependence chain. */
INLINE int move_card(Pos *P, int32_t card, int32_t from, int32_t zone) {
  card_t only = (card_t)card;
  SEE
  if ((uint32_t)from >= ZONES || !take(P, card, from)) { move_singly(P, &only, 1, zone); return 0; }
  lay(P, zone, card);
  return 1;
}

INLINE void move_part(Pos *P, const card_t *cards, int32_t many, int32_t from, int32_t zone) { /* all of which lie there */
  card_t *pile = PILE(from);
  int32_t i, k = 0, n = TABLE(n)[from];
  if (many <= 0) return;
  if (from == zone) { move_singly(P, cards, many, zone); return; }
  settle(P, from, 0);
  SEE
  lay_all(P, zone, cards, many, 1);
  if (CARDS <= 64) { /* a bit set rather than ZONE_OF, which was just stored: avoids store-to-load stalls */
    uint64_t moved = 0;
    for (i = 0; i < many; i++) moved |= UINT64_C(1) << cards[i];
    for (i = 0; i < n; i++) { card_t card = pile[i]; pile[k] = card; k += !(moved >> card & 1); }
  } else for (i = 0; i < n; i++) { pile[k] = pile[i]; k += ZONE_OF(pile[i]) == from; }
  if (k + many != n) P->fault = 1;
  TABLE(n)[from] = (count_t)k;
}

INLINE void move_picked(Pos *P, const card_t *cards, int32_t many, int32_t from, int32_t zone) {
  int32_t i = 0;
  while (i < many && ZONE_OF(cards[i]) == from) i++;
  if (i > 0 && i == many) move_part(P, cards, many, from, zone);
  else move_singly(P, cards, many, zone);
}

INLINE void move_slice(Pos *P, int32_t from, int32_t at, int32_t many, int32_t zone) { /* `many` from index `at` up */
  card_t *pile = PILE(from);
  int32_t i, n = TABLE(n)[from];
  if (many <= 0) return;
  if (at < 0 || at + many > n) { P->fault = 1; return; }
  settle(P, from, at);
  if (from == zone) { move_singly(P, pile + at, many, zone); return; }
  SEE
  lay_all(P, zone, pile + at, many, 1);
  for (i = at + many; i < n; i++) pile[i - many] = pile[i];
  TABLE(n)[from] = (count_t)(n - many);
}

INLINE void swap_zones(Pos *P, int32_t a, int32_t b) {
  card_t both[CARDS];
  int32_t i, n = TABLE(n)[a], m = a == b ? 0 : TABLE(n)[b];
  settle(P, a, 0);
  settle(P, b, 0);
  for (i = 0; i < n; i++) both[i] = PILE(a)[i];
  for (i = 0; i < m; i++) both[n + i] = PILE(b)[i];
  SEE
  TABLE(n)[a] = TABLE(n)[b] = 0;
  lay_all(P, a, both + n, m, 1);
  lay_all(P, b, both, n, 1);
}

INLINE void deal(Pos *P, int32_t from, const uint16_t *to, int32_t zones, int32_t packet, int64_t count, int32_t up_to) {
  card_t copied[CARDS];
  const card_t *cards = PILE(from);
  int32_t has = TABLE(n)[from], dealt = 0, k = 0, i, j, wanted, all, alike = 0;
  if (count >= 0 && !up_to && count * zones > has) { P->fault = 1; return; }
  wanted = count == ALL ? has : count > has ? has : count < 0 ? 0 : (int32_t)count;
  all = (int64_t)wanted * zones < has ? wanted * zones : has;
  SEE
  for (i = 0; i < zones; i++) {
    for (j = 0; j < i; j++) alike |= to[j] == to[i];
    if (to[i] == from && cards != copied) { /* the source is a target, too: deal from a copy */
      settle(P, from, 0);
      for (j = 0; j < has; j++) copied[j] = cards[j];
      cards = copied;
    }
  }
  if (zones > 0 && wanted > 0) { /* remove them first: what is dealt back to the source goes on top of the rest */
    TABLE(n)[from] = (count_t)(has - all);
    settle(P, from, TABLE(n)[from]);
  }
  if (packet == 1 && !alike) { /* round robin as one strided copy per target; the last ones may get fewer */
    for (i = 0; i < zones && i < all; i++) lay_all(P, to[i], cards + (has - 1 - i), (all - i + zones - 1) / zones, -zones);
    k = all;
    dealt = wanted;
  }
  while (zones > 0 && dealt < wanted && k < has) {
    int32_t size = packet < wanted - dealt ? packet : wanted - dealt;
    for (i = 0; i < zones; i++)
      for (j = 0; j < size && k < has; j++, k++) lay(P, to[i], cards[has - 1 - k]);
    dealt += size;
  }
}

/* ---- choosing ---- */
INLINE int32_t find_alike(const Pos *P, const card_t *cards, int32_t n, int32_t card, const uint16_t *faces) {
  while (n > 0) { /* 1 + the index of the last interchangeable card among the first n, or 0 */
    if (faces[cards[n - 1]] == faces[card] && ZONE_OF(cards[n - 1]) == ZONE_OF(card)) return n;
    n--;
  }
  return 0;
}

/* The work budget of long loops, and their cancellation point; tested every 1024 iterations. */
#define TAKES_LONG ((++work & 1023) == 0 && (work > MOST_WORK - 1024 || STOPPED(A)))

/* The limit on decisions, and cancellation, tested before every sixteenth decision: MOST_DECISIONS is a multiple of 16. */
#define ENDLESS(A) ((SLOT(decisions) & 15) == 0 && (SLOT(decisions) >= MOST_DECISIONS || STOPPED(A)))

INLINE int64_t take_place(Ask *A, int32_t seat, int64_t size, int64_t most, int32_t window) {
  if (window && size > 1 && draw_bits(&A->habits) >= (UINT64_C(1) << 61)) return size - 1;
  if (A->policy == FIRST) return 0;
  return (int64_t)take_below(&A->seats[seat], (uint64_t)size, most);
}

/* Rollouts: a seat asked in a window mostly declines, and number parameters are drawn log-uniformly above the least. All draws are
 * from one generator; `hoyle.lab.bots.rollout` does the same. */
INLINE uint32_t roll_below(Ask *A, uint64_t bound) { return (uint32_t)((draw_bits(&A->habits) >> 32) * bound >> 32); }

NOINLINE int roll(const Pos *P, Ask *A, int32_t seat, int32_t size, int32_t window) { /* whether one was drawn */
  if (A->stops != ROLLS || seat == A->until_seat || P->decisions >= A->most) return 0;
  if (A->only_round >= 0 && P->rounds != A->only_round) return 0;
  if (size < 2) A->place = 0;
  else if (window && draw_bits(&A->habits) >= (UINT64_C(1) << 61)) A->place = size - 1;
  else A->place = (int32_t)roll_below(A, (uint64_t)size);
  return 1;
}

NOINLINE int64_t roll_number(Ask *A, int64_t many) {
  int64_t left = many, bound;
  uint32_t digits = 1;
  while (left > 0) { digits++; left >>= 1; }
  bound = INT64_C(1) << min32((int32_t)roll_below(A, digits), 31);
  return (int64_t)roll_below(A, (uint64_t)min64(bound, many));
}

/* ---- seats, the score sheet, offences ---- */
typedef struct { uint8_t n, seats[PLAYERS]; } Winners;

INLINE int32_t next_seat(const Pos *P, int32_t seat, int32_t step) {
  int32_t found = (seat + step + PLAYERS) % PLAYERS;
  while ((P->t.retired >> found & 1) && found != seat) found = (found + step + PLAYERS) % PLAYERS;
  return found;
}

#if KEEPS_LINES
#define LINE(number) P->t.lines[(number) / PLAYERS][(number) % PLAYERS]
INLINE int line_written(const int64_t *line) {
  int32_t i;
  for (i = 0; i <= COLUMNS; i++) if (line[i] != NONE64) return 1;
  return 0;
}

/* The entry of a seat and column in the line of this round, initialised to 0; null if there is no room for the line. */
INLINE int64_t *find_entry(Pos *P, int32_t seat, int32_t column) {
  int64_t *entry;
  int32_t i, j;
  if (P->rounds >= MOST_LINES) return 0;
  for (; P->t.nlines <= P->rounds; P->t.nlines++)
    for (i = 0; i < PLAYERS; i++) for (j = 0; j <= COLUMNS; j++) P->t.lines[P->t.nlines][i][j] = NONE64;
  entry = &P->t.lines[P->rounds][seat][column];
  if (*entry == NONE64) *entry = 0;
  return entry;
}

INLINE int write_line(Pos *P, int32_t seat, int32_t column, int64_t amount) {
  int64_t *entry = find_entry(P, seat, column);
  return entry && (*entry += amount) <= LIMIT && *entry >= -LIMIT;
}

INLINE int mark_line(Pos *P, int32_t seat, int32_t mark) {
  int64_t *marks = find_entry(P, seat, COLUMNS);
  if (marks) *marks |= INT64_C(1) << mark;
  return marks != 0;
}
#endif

#if SAVES
INLINE void save(Pos *P, int32_t seat, int32_t clause) {
  P->offence_seat = (int16_t)seat;
  P->offence_clause = clause;
  settle(P, LATE_ZONE, 0);
  P->saved = P->t;
}

INLINE void note_offence(Pos *P, int32_t seat, int32_t clause) {
  if (P->offence_seat < 0) save(P, seat, clause);
}

/* The beginning of a step stays on record, an offence does not. */
INLINE void take_back(Pos *P) {
  if (P->offence_seat < 0) return;
  P->t = P->saved;
  P->late = 0;
  if (CALLED) P->offence_seat = -1;
}
#else
INLINE void take_back(Pos *P) { (void)P; }
#endif

#if BATCHES
static __device__ int32_t next_match(Pos *P, Ask *A, int32_t outcome); /* kernel.cu */
#endif
