
/* ---- Monte Carlo tree search: the iteration of `hoyle.lab.bots.search`, bit for bit from the same seed ----
 *
 * Information sets and choices are described by the caller as parts of a position: nothing here knows a game. Nodes and children
 * are keyed by 64-bit hashes in an open-addressing table. All memory is the caller's; when it is full, the tree stops growing. */
#if !defined(__CUDACC__) && !defined(ENVIRONMENT)
#define MOST_DEPTH 60
#define MOST_INSIDE 64 /* choices at a decision below the root; with more, the rollout begins there */
#define MOST_OPTIONS 400
#define HORIZON 64
#define MOST_PLAYED (6 * HORIZON)
#define MOST_SPELT 1024 /* options, with number parameters expanded */
#define FEW 12
#define FEW_NUMBERS 3
#define SELDOM 3
#define WIDENING 2.0
#define BIAS 2.0
#define WON 0.8
#define NO_CHOICE (-1)
#define NO_ROOM (-2)
enum { BY_SIZE, BY_TOP, BY_FACES, BY_ORDER, BY_HELD, BY_RULE, BY_SIDE }; /* BY_FACES: as a multiset */
enum { BY_WINNERS = 0, BY_SCORES = 1, BY_TOLD = 2 };

/* A field descriptor: `width` bytes at an offset, or an array of up to `most` with its length elsewhere. Stored choices are rows,
 * of which the last one counts; `stored_at` is their number. If the `way` is BY_RULE, it is the entry of `shows`, from that index
 * up, of the case that holds for the `zone`. `spare` is the shift that sign-extends a number. */
typedef struct {
  int32_t way, are_cards, at, width, most, length_at, length_width, stored_at, stored_width, zone, shows, spare;
} Part;
/* A node (an information set) or a child (a choice tried there). Children are a linked list in the order of creation: `first` and
 * `last` of a node, `next` of a child. `stem` is the key of a choice with a number parameter, without the number. */
typedef struct {
  uint64_t key, name, stem;
  int64_t number;
  double total, hinted;
  int32_t visits, offered, first, last, next, spare;
} Entry;
/* An offered choice; with a number parameter, one of `many` numbers from `least` up. */
typedef struct { uint64_t key; int64_t least, many; } Offer;
typedef struct { uint64_t key, stem; int64_t number; int32_t offer, child; } Option;
typedef struct {
  const Part *looks, *picks;
  const int32_t *looks_from, *picks_from, *stores, *faces, *sides, *places, *shows, *judged;
  const Offer *names; /* choices at the root; interchangeable ones have one key */
  const double *before;
  double *sums; /* of the margins of each side, for games played for stakes */
  uint64_t *known;
  int32_t *slots; /* the hash table: indices of entries, 0 for empty */
  Entry *entries;
  double sign, exploration, spread_seen, spread_sum, spread_squares, scale_squares;
  int64_t scale_seen;
  int32_t sides_many, seat, whole, told, by_file, is_staked, has_numbers, has_hints, actions, options, most_nodes, most_children, nodes_many, children_many,
      root;
} Tree;

/* A hash step. Pairs of small numbers collide unless `hash` is already mixed. */
INLINE uint64_t mix(uint64_t hash, uint64_t more) {
  uint64_t z = (hash ^ more) * UINT64_C(0x9E3779B97F4A7C15);
  return z ^ (z >> 29);
}

INLINE uint64_t read_bytes(const uint8_t *at, int32_t width) {
  uint64_t found = 0;
  if (width == 1) return *at;
  COPY(&found, at, (uint64_t)width);
  return found;
}

INLINE int32_t find_row(const Pos *P, const Part *part) {
  return part->stored_width ? (int32_t)read_bytes((const uint8_t *)P + part->stored_at, part->stored_width) - 1 : 0;
}

/* Hash what is visible of a part under a way of looking at it: visible elements with their index, of the others the number alone. */
NOINLINE uint64_t hash_part(const Pos *P, const Part *part, int32_t way, const int32_t *faces, int32_t seat, uint64_t hash) {
  int32_t row = find_row(P, part), many = 1, i;
  const uint8_t *at = (const uint8_t *)P + part->at + row * part->width * part->most;
  const uint8_t *length = (const uint8_t *)P + part->length_at + row * part->length_width;
  uint64_t sum = 0;
  if (part->length_width) hash = mix(hash, (uint64_t)(many = (int32_t)read_bytes(length, part->length_width)));
  if (many > part->most) return hash; /* none */
  for (i = way == BY_SIZE ? many : way == BY_TOP ? max32(many - 1, 0) : 0; i < many; i++) {
    uint64_t name = read_bytes(at + i * part->width, part->width);
#if HOLDERS
    if (way == BY_HELD && P->t.hold[name] != seat) continue;
#endif
#if FACES
    if (way == BY_SIDE && !P->t.up[name]) continue;
#endif
    if (part->are_cards && faces && name < CARDS) name = (uint64_t)faces[name];
    if (way == BY_FACES) sum += mix(UINT64_C(1), name + 1);
    else hash = mix(hash, name + ((uint64_t)i << 32));
  }
  (void)seat;
  return way == BY_FACES ? mix(hash, sum) : hash;
}

static int hash_look(const Tree *T, Pos *P, int32_t seat, uint64_t *found) { /* the key of its information set; 0: a fault */
  uint64_t hash = mix(mix(UINT64_C(3), (uint64_t)P->block), (uint64_t)seat);
  int64_t shown[ZONES];
  int32_t i;
  if (RULES_OF_SIGHT && list_shown(P, shown)) return 0;
  for (i = T->looks_from[seat]; i < T->looks_from[seat + 1]; i++) {
    const Part *part = T->looks + i;
    int32_t way = RULES_OF_SIGHT && part->way == BY_RULE ? T->shows[part->shows + shown[part->zone]] : part->way;
    hash = hash_part(P, part, way, T->faces, seat, hash);
  }
  *found = hash;
  return 1;
}

static int64_t read_number(const Pos *P, const Part *part) {
  uint64_t found = read_bytes((const uint8_t *)P + part->at + find_row(P, part) * part->width, part->width);
  return (int64_t)(found << part->spare) >> part->spare;
}

static int look_at_choice(const Tree *T, const Pos *P, int32_t place, const int32_t *faces, Offer *offer) { /* 0: a fault */
  Pos scratch = *P;
  Ask ask = {.given = 1, .place = place, .stops = PEEKS};
  int32_t i, row, end;
  if (run(&scratch, &ask) != ASKED) return 0;
  offer->key = mix(mix(UINT64_C(7), UINT64_C(1)), (uint64_t)(ask.action + 1));
  offer->many = ask.many;
  offer->least = 0;
  if (ask.action < 0) return 1;
  row = T->stores[P->block] * T->actions + ask.action;
  end = T->picks_from[row + 1];
  if (ask.many) offer->least = read_number(&scratch, T->picks + --end);
  for (i = T->picks_from[row]; i < end; i++) offer->key = hash_part(&scratch, T->picks + i, T->picks[i].way, faces, 0, offer->key);
  return 1;
}

/* Find or insert the entry of a key, by linear probing; 0 if it is new and `*many` has reached `most`. */
static int32_t look_up(Tree *T, uint64_t key, int32_t *many, int32_t most) {
  int32_t slots = 2 * (T->most_nodes + T->most_children), at = (int32_t)(key % (uint64_t)slots), found;
  for (; (found = T->slots[at]); at = at + 1 < slots ? at + 1 : 0) if (T->entries[found].key == key) return found;
  if (*many >= most) return 0;
  ++*many;
  T->slots[at] = found = T->nodes_many + T->children_many;
  T->entries[found] = (Entry){.key = key};
  return found;
}

static int32_t find_node(Tree *T, uint64_t key) { return look_up(T, key, &T->nodes_many, T->most_nodes); }

static int32_t find_child(Tree *T, int32_t node, uint64_t name) {
  int32_t none = 0;
  return look_up(T, mix(T->entries[node].key, name), &none, 0);
}

static int32_t add_child(Tree *T, int32_t node, uint64_t name, uint64_t stem, int64_t number) { /* append a child; 0: no room */
  Entry *at = T->entries, *parent = at + node;
  int32_t child = look_up(T, mix(parent->key, name), &T->children_many, T->most_children);
  if (!child) return 0;
  at[child].name = name;
  at[child].stem = stem;
  at[child].number = number;
  *(parent->first ? &at[parent->last].next : &parent->first) = child;
  return parent->last = child;
}

/* The natural logarithm, piecewise linear between powers of two: bit-identical on all machines, unlike libm's. */
static double roughly_log(int32_t number) {
  int32_t digits = 31 - __builtin_clz((uint32_t)number);
  return ((double)digits + ((double)number / (double)(INT64_C(1) << digits) - 1.0)) * 0.6931471805599453;
}

static double find_spread(const Tree *T) {
  double mean, square, spread;
  if (T->spread_seen < 2) return 0.5;
  mean = T->spread_sum / T->spread_seen;
  square = T->spread_squares / T->spread_seen - mean * mean;
  spread = square > 0.0 ? __builtin_sqrt(square) : 0.0;
  return spread > 0.05 ? spread : 0.05;
}

INLINE uint64_t name_number(const Offer *offer, int64_t number) {
  return offer->many ? mix(mix(offer->key, UINT64_C(11)), (uint64_t)number) : offer->key;
}

static int add_option(Option *options, int32_t *many, const Offer *offer, int32_t place, int64_t number) { /* 0: no room */
  uint64_t stem = offer->many ? offer->key : 0;
  int32_t i;
  options[*many] = (Option){.key = name_number(offer, number), .stem = stem, .number = number, .offer = place};
  for (i = *many - 1; offer->many && i >= 0; i--) if (options[i].offer == place && options[i].number == number) return 1;
  return ++*many < MOST_SPELT;
}

/* Add the midpoints between a number and its neighbours among the options. */
static int add_between(Option *options, int32_t *many, const Offer *offer, int32_t place, int64_t number) {
  int64_t below = INT64_MIN, above = INT64_MAX;
  int32_t i;
  for (i = 0; i < *many; i++) {
    int64_t other = options[i].number;
    if (options[i].offer != place) continue;
    if (other < number && other > below) below = other;
    if (other > number && other < above) above = other;
  }
  if (below != INT64_MIN && number - below > 1 && !add_option(options, many, offer, place, floor_divide(number + below, 2))) return 0;
  return above == INT64_MAX || above - number <= 1 || add_option(options, many, offer, place, floor_divide(number + above, 2));
}

INLINE int is_offered(const Offer *offer, const Entry *child) {
  return offer->many && child->stem == offer->key && child->number >= offer->least && child->number - offer->least < offer->many;
}

/* Expand number parameters to options: a 1-2-5 ladder, midpoints around the best two so far, and all numbers tried, in the order
 * of their creation; -1 if there are too many. */
static int32_t spell(const Tree *T, const Entry *node, const Offer *offers, int32_t size, Option *options) {
  int32_t many = 0, i, at, turn, best = 0, last;
  for (i = 0; i < size; i++) {
    const Offer *offer = offers + i;
    int64_t step, times;
    if (!add_option(options, &many, offer, i, offer->least)) return -1;
    for (step = 1; step < offer->many; step *= 10)
      for (times = 1; times <= 5; times += times == 1 ? 1 : 3)
        if (times * step < offer->many - 1 && !add_option(options, &many, offer, i, offer->least + times * step)) return -1;
    if (offer->many > 1 && !add_option(options, &many, offer, i, offer->least + offer->many - 1)) return -1;
  }
  for (turn = 0; turn < 2; turn++) { /* the best child with enough visits, then the second best */
    double most = 0.0;
    last = best;
    best = 0;
    for (at = node->first; at; at = T->entries[at].next) {
      const Entry *child = T->entries + at;
      if (child->visits > SELDOM && at != last && (!best || child->total / child->visits > most)) {
        best = at;
        most = child->total / child->visits;
      }
    }
    for (i = 0; best && i < size; i++)
      if (is_offered(offers + i, T->entries + best) && !add_between(options, &many, offers + i, i, T->entries[best].number)) return -1;
  }
  for (at = node->first; at; at = T->entries[at].next)
    for (i = 0; i < size; i++)
      if (is_offered(offers + i, T->entries + at) && !add_option(options, &many, offers + i, i, T->entries[at].number)) return -1;
  return many;
}

/* The progressive bias of each tried choice by hints: 0 for the worst, BIAS for the best, linear in between. */
static void find_biases(const Tree *T, const Option *options, int32_t many, double *biases) {
  double least = __builtin_inf(), most = -least;
  int32_t at;
  for (at = 0; at < many; at++) {
    const Entry *child = T->entries + options[at].child;
    if (!options[at].child) continue;
    biases[at] = child->hinted / max32(child->visits, 1);
    least = biases[at] < least ? biases[at] : least;
    most = biases[at] > most ? biases[at] : most;
  }
  for (at = 0; at < many; at++) biases[at] = most > least ? BIAS * (biases[at] - least) / (most - least) : 0.0;
}

/* Selection: the index of the choice to try, its number parameter, and its child. An untried one while progressive widening allows
 * another child (of numbers the smallest), else by UCB. */
static int32_t select_choice(Tree *T, const Pos *P, int32_t node, int32_t size, uint64_t *state, int32_t *chosen, int64_t *said) {
  Offer looked_at[MOST_OPTIONS];
  Option options[MOST_SPELT], *option;
  const Offer *offers = node == T->root ? T->names : looked_at;
  int32_t at, many = 0, untried = 0, found = -1, has_numbers = 0, may;
  int64_t visits = 0;
  double best = 0, spread, biases[MOST_SPELT];
  for (at = 0; at < size; at++) {
    if (offers == looked_at && !look_at_choice(T, P, at, T->faces, looked_at + at)) return NO_CHOICE;
    has_numbers |= offers[at].many > 0;
  }
  if (has_numbers) many = spell(T, T->entries + node, offers, size, options);
  else for (at = 0; at < size; at++) add_option(options, &many, offers + at, at, 0);
  if (many < 0) return NO_CHOICE;
  for (at = 0; at < many; at++) {
    int32_t child = options[at].child = find_child(T, node, options[at].key);
    if (!child) untried++;
    else { T->entries[child].offered++; visits += T->entries[child].visits; }
  }
  if (has_numbers) may = (double)(many - untried) < FEW_NUMBERS + __builtin_sqrt((double)visits);
  else may = many <= FEW || (double)(many - untried) < FEW + WIDENING * __builtin_sqrt((double)visits);
  if (untried && may && T->children_many < T->most_children) {
    if (has_numbers) {
      for (at = 0; at < many; at++) {
        if (options[at].child) continue;
        if (!options[at].stem) options[at].number = -1;
        if (found < 0 || options[at].number < options[found].number) found = at;
      }
    } else {
      int32_t wanted = (int32_t)((draw_bits(state) >> 32) * (uint64_t)untried >> 32);
      for (found = 0; options[found].child || wanted-- > 0; found++);
    }
    option = options + found;
    option->child = add_child(T, node, option->key, option->stem, option->number);
    T->entries[option->child].offered = 1;
  } else {
    spread = T->exploration * find_spread(T);
    if (T->has_hints) find_biases(T, options, many, biases);
    for (at = 0; at < many; at++) {
      Entry *child = T->entries + options[at].child;
      double bound;
      if (!options[at].child) continue;
      if (!child->visits) { found = at; break; }
      bound = child->total / child->visits + spread * __builtin_sqrt(roughly_log(child->offered + 1) / child->visits);
      if (T->has_hints) bound += spread * biases[at] / child->visits;
      if (found < 0 || bound > best) { best = bound; found = at; }
    }
    if (found < 0) return NO_ROOM;
    option = options + found;
  }
  *chosen = option->child;
  *said = option->stem ? option->number - offers[option->offer].least : 0;
  return offers == looked_at ? option->offer : T->places[option->offer];
}

/* The margin of each side over the others; `hinted`: hints are added to scores. */
static int32_t find_margins(const Tree *T, Pos *P, int32_t hinted, double *margins) {
  int64_t scores[PLAYERS], hints[PLAYERS];
  double stands[PLAYERS];
  int32_t i, j, sides = T->sides_many;
  if (T->told == BY_SCORES ? list_scores(P, scores) : T->told == BY_TOLD && list_told(P, scores)) return FAULT;
  if (hinted && list_hints(P, hints)) return FAULT;
  for (i = 0; i < sides; i++) stands[i] = 0.0;
  for (i = 0; i < PLAYERS; i++)
    stands[T->sides[i]] += (T->told ? T->sign * (double)scores[i] : T->sign * 0.0) + (hinted ? (double)hints[i] : 0.0);
  for (i = 0; i < sides; i++) {
    double most = -1e300, sum = 0.0;
    for (j = 0; j < sides; j++) if (j != i) { most = stands[j] > most ? stands[j] : most; sum += stands[j]; }
    margins[i] = sides < 2 || T->by_file ? stands[i] : stands[i] - (most + sum / (sides - 1)) / 2;
  }
  return ASKED;
}

/* Whether any margin has changed since the search began; -1: a fault. */
static int has_moved(const Tree *T, Pos *P) {
  double margins[PLAYERS];
  int32_t i;
  if (find_margins(T, P, 0, margins) == FAULT) return -1;
  for (i = 0; i < T->sides_many; i++) if (margins[i] != T->before[i]) return 1;
  return 0;
}

/* The value of a position for each side, in 0..1; `hinted`: hints are added to scores. */
static int32_t value_sides(Tree *T, Pos *P, int32_t over, int32_t hinted, double *values) {
  double gains[PLAYERS], largest = 0.0, spread;
  int32_t i, won = 0, sides = T->sides_many;
  uint64_t winning = 0;
  Winners winners;
  for (i = 0; i < sides; i++) values[i] = 0.5;
  if (T->told || hinted) {
    if (find_margins(T, P, hinted, gains) == FAULT) return FAULT;
    T->scale_seen++;
    for (i = 0; i < sides; i++) {
      T->sums[i] += gains[i];
      gains[i] -= T->is_staked ? T->sums[i] / (double)T->scale_seen : T->before[i];
      if (gains[i] * gains[i] > largest) largest = gains[i] * gains[i];
    }
    T->scale_squares += largest;
    spread = 1.5 * __builtin_sqrt(T->scale_squares / (double)T->scale_seen);
    for (i = 0; i < sides; i++) {
      double gain = gains[i] / spread;
      values[i] = 0.5 + 0.5 * (gain / __builtin_sqrt(1.0 + gain * gain));
    }
  }
  if (!over || T->by_file || (T->judged && T->told)) return ASKED; /* hints do not say who wins */
  if (list_winners(P, &winners)) return FAULT;
  for (i = 0; i < winners.n; i++) winning |= UINT64_C(1) << T->sides[winners.seats[i]];
  for (i = 0; i < sides; i++) won += winning >> i & 1;
  if (won)
    for (i = 0; i < sides; i++) values[i] = WON * (winning >> i & 1 ? 1.0 / won : 0.0) + (1 - WON) * values[i];
  return ASKED;
}

#define GOES_ON (found == ASKED && (T->whole || pos.rounds == begun))

static int asks_for_number(const Tree *T, const Pos *P) { /* for a menu of one choice; -1: a fault */
  Offer offer;
  if (!T->has_numbers) return 0;
  return look_at_choice(T, P, 0, T->faces, &offer) ? offer.many > 0 : -1;
}

/* The child of a choice at the root that the caller wants tried, with its number; 0: no room for it. */
static int32_t find_arm(Tree *T, int32_t option, int64_t number) {
  const Offer *offer = T->names + option;
  uint64_t name = name_number(offer, number);
  int32_t child = find_child(T, T->root, name);
  if (!child) child = add_child(T, T->root, name, offer->many ? offer->key : 0, number);
  if (child) T->entries[child].offered++;
  return child;
}

static int32_t iterate(Tree *T, const Pos *from, int32_t arm, int64_t number, uint64_t state) {
  Pos pos = *from;
  Ask ask = {.stops = STOPS};
  int32_t path[MOST_DEPTH], movers[MOST_DEPTH], depth = 0, node = T->root, size = T->options, seat = T->seat;
  int32_t found = ASKED, begun = from->rounds, asks = 0, moved = 0, left, horizon = T->told ? HORIZON : MOST_PLAYED, i;
  double values[PLAYERS], mine;
  while (depth < MOST_DEPTH) {
    int is_new = arm < 0 && !T->entries[node].first;
    uint64_t key;
    if (arm >= 0) {
      path[0] = find_arm(T, arm, number);
      ask.place = !path[0] ? NO_CHOICE : T->places[arm];
      ask.number = T->names[arm].many ? number - T->names[arm].least : 0;
      arm = -1;
    } else ask.place = select_choice(T, &pos, node, size, &state, path + depth, &ask.number);
    if (ask.place == NO_CHOICE) return FAULT;
    if (ask.place == NO_ROOM) break;
    movers[depth++] = seat;
    ask.given = 1;
    found = run(&pos, &ask);
    if (T->has_hints && found == ASKED && pos.rounds == begun) {
      int64_t hints[PLAYERS];
      if (list_hints(&pos, hints)) return FAULT;
      T->entries[path[depth - 1]].hinted += (double)hints[seat];
    }
    while (!is_new && GOES_ON && ask.size == 1 && !(asks = asks_for_number(T, &pos))) {
      ask.given = 1;
      ask.place = 0;
      found = run(&pos, &ask);
    }
    if (found == FAULT || asks < 0) return FAULT;
    if (is_new || !GOES_ON || ask.size > MOST_INSIDE || (T->judged && !T->judged[pos.block])) break;
    seat = ask.seat;
    size = ask.size;
    if (!hash_look(T, &pos, seat, &key)) return FAULT;
    node = find_node(T, key);
    if (!node) break;
  }
  ask.only_round = T->whole ? -1 : begun;
  ask.until_seat = -1;
  ask.stops = ROLLS;
  for (left = T->judged ? 0 : MOST_PLAYED; left > 0 && GOES_ON && !moved; left -= horizon) {
    ask.habits = draw_bits(&state);
    ask.most = pos.decisions + horizon;
    ask.given = 0;
    found = run(&pos, &ask);
    if (T->told && GOES_ON) moved = has_moved(T, &pos);
  }
  if (found == FAULT || moved < 0) return FAULT;
  if (value_sides(T, &pos, found == OVER, T->has_hints && found != OVER && pos.rounds == begun, values) == FAULT) return FAULT;
  for (i = 0; i < depth; i++) {
    T->entries[path[i]].visits++;
    T->entries[path[i]].total += values[T->sides[movers[i]]];
  }
  mine = values[T->sides[T->seat]];
  T->spread_seen++;
  T->spread_sum += mine;
  T->spread_squares += mine * mine;
  return ASKED;
}

/* The hidden part of an information set: cards, the same in deck order, the index of each in `Table.cards`, for each index the set
 * of cards known not to be there (or null), and values of the position that name hidden cards. */
#define SET_WORDS ((CARDS + 63) / 64)
enum { CHANCE = 2, BARRED = 5 }; /* steps of seed derivation, as in `hoyle.play.beliefs.position_sampling` and `hoyle.play.beliefs.determinization` */
typedef struct {
  const card_t *cards, *ordered;
  const int32_t *places;
  const uint64_t *barred;
  const Part *named;
  int32_t many, many_named;
} Hidden;

INLINE int is_barred(const Hidden *hidden, int32_t place, int32_t card) {
  return hidden->barred[place * SET_WORDS + card / 64] >> card % 64 & 1;
}

static void exchange_barred(const Hidden *hidden, card_t *dealt, uint64_t seed) { /* swap cards into admissible places, if any */
  int32_t others[CARDS], i, j, many;
  card_t card;
  Stream stream;
  begin_stream(&stream, derive_seed(seed, BARRED));
  for (i = 0; i < hidden->many; i++) {
    if (!is_barred(hidden, i, card = dealt[i])) continue;
    for (many = j = 0; j < hidden->many; j++) if (!is_barred(hidden, i, dealt[j]) && !is_barred(hidden, j, card)) others[many++] = j;
    if (!many) continue;
    swap_with(dealt, i, (uint32_t)others[take_below(&stream, (uint64_t)many, CARDS)]);
  }
}

static void rename_cards(Pos *P, const Part *part, const int32_t *becomes) {
  uint8_t *bytes = (uint8_t *)P, *at = bytes + part->at;
  uint64_t card, many = part->length_width ? read_bytes(bytes + part->length_at, part->length_width) : 1, i;
  if (many > (uint64_t)part->most) return; /* none */
  for (i = 0; i < many; i++, at += part->width) {
    card = read_bytes(at, part->width);
    if (card < CARDS) { card = (uint64_t)becomes[card]; COPY(at, &card, (uint64_t)part->width); }
  }
}

static void redeal(const Pos *from, Pos *to, const Hidden *hidden, uint64_t seed) {
  card_t dealt[CARDS], card;
  int32_t becomes[CARDS], i;
  uint64_t state = seed, chance = draw_bits(&state);
  *to = *from;
  COPY(dealt, hidden->ordered, sizeof(card_t) * (uint64_t)hidden->many);
  mix_down(dealt, hidden->many - 1, &chance, 0);
  if (hidden->barred) exchange_barred(hidden, dealt, seed);
  for (i = 0; i < hidden->many; i++) {
    card = hidden->cards[i];
    to->t.cards[hidden->places[i]] = dealt[i];
    to->t.loc[dealt[i]] = from->t.loc[card];
#if HOLDERS
    to->t.hold[dealt[i]] = from->t.hold[card];
#endif
  }
  if (hidden->many_named) {
    for (i = 0; i < CARDS; i++) becomes[i] = i;
    for (i = 0; i < hidden->many; i++) becomes[hidden->cards[i]] = dealt[i];
    for (i = 0; i < hidden->many_named; i++) rename_cards(to, hidden->named + i, becomes);
  }
  to->rng = derive_seed(seed, CHANCE);
}

/* Check that the choices at the root have the same indices in every sampled position: else FAULT. */
static int32_t know_root(Tree *T, const Pos *P) {
  int32_t i;
  for (i = 0; i < T->options; i++) {
    Offer offer;
    if (!look_at_choice(T, P, T->places[i], 0, &offer)) return FAULT;
    if (offer.many != T->names[i].many || (offer.many && offer.least != T->names[i].least)) return FAULT;
    if (!T->root) T->known[i] = offer.key;
    else if (T->known[i] != offer.key) return FAULT;
  }
  if (!T->root) T->root = find_node(T, 0);
  return ASKED;
}

EXPORT const int64_t sizes[] = {sizeof(Pos), sizeof(Ask), sizeof(Board), sizeof(Totals), sizeof(Tree)};

/* Run iterations from a position, or, with `hidden`, from a determinisation of it (hidden cards redealt from a seed): `times` for each
 * of the given arms at the root, with the numbers `said`, or, without arms, by selection. After a FAULT the tree is invalid. */
EXPORT int32_t grow(Tree *T, const Pos *from, const Hidden *hidden, uint64_t seed, const int32_t *arms, const int64_t *said,
                    int32_t many, int32_t times, uint64_t state) {
  Pos dealt;
  int32_t i, j;
  if (hidden) { redeal(from, &dealt, hidden, seed); from = &dealt; }
  if (know_root(T, from) == FAULT || T->entries[T->root].visits + (int64_t)times * max32(many, 1) > MOST_VISITS) return FAULT;
  for (i = 0; i < times; i++) {
    uint64_t chance = derive_seed(state, (uint64_t)i);
    for (j = 0; j < many; j++) if (iterate(T, from, arms[j], said[j], chance) == FAULT) return FAULT;
    if (!many && iterate(T, from, -1, 0, chance) == FAULT) return FAULT;
  }
  return ASKED;
}
#endif
