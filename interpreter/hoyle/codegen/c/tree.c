
/* ---- search: an iteration of `hoyle.bots.search`, which finds the same from the same seed ----
 *
 * What a seat sees and what a choice is are told as parts of a position, by the caller: nothing here knows a game. Nodes and
 * choices are found by hashes of 64 bits. All memory is the caller's; when it is full, the tree grows no more. */
#ifndef __CUDACC__
#define MOST_DEPTH 60
#define MOST_INSIDE 64 /* choices at a decision below the root; where there are more, play goes on at random */
#define MOST_OPTIONS 400
#define FEW 12
#define WIDENING 2.0
#define WON 0.8
#define NO_CHOICE (-1)
#define NO_ROOM (-2)
enum { BY_SIZE = 0, BY_TOP = 1, BY_FACES = 2, BY_ORDER = 3, BY_HELD = 4, BY_NUMBER = 5, BY_LIST = 6, BY_CARD = 7, BY_GROUP = 8 };

/* Of a zone its number, `at`; else where a value lies and how many bytes wide it is, and of a list, which has room for `most`,
 * where its length is. Stored choices lie in rows, of which the last counts; `stored_at` is how many there are. */
typedef struct { int32_t way, at, width, most, length_at, length_width, stored_at, stored_width; } Part;
typedef struct { uint64_t key; int32_t first, used; } Node;
typedef struct { uint64_t key; double total; int32_t visits, offered, next, spare; } Child;
typedef struct {
  const Part *looks, *picks;
  const int32_t *looks_from, *picks_from, *stores, *faces, *sides, *places;
  const uint64_t *names; /* of the choices at the root: those alike have one */
  const double *before;
  uint64_t *known;
  Node *nodes;
  Child *children;
  double sign, exploration, spread_seen, spread_sum, spread_squares, scale_squares;
  int64_t scale_seen;
  int32_t sides_many, seat, whole, by_score, actions, options, most_nodes, most_children, nodes_many, children_many, is_known;
} Tree;

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

INLINE uint64_t face_of(const int32_t *faces, uint64_t card) { return faces && card < CARDS ? (uint64_t)faces[card] : card; }

NOINLINE uint64_t hash_part(const Pos *P, const Part *part, const int32_t *faces, int32_t seat, uint64_t hash) {
  const uint8_t *bytes = (const uint8_t *)P, *at = bytes + part->at, *length = bytes + part->length_at;
  uint64_t sum = 0, many;
  int32_t i, n;
  if (part->way <= BY_HELD) {
    const card_t *pile = PILE(part->at);
    n = P->t.n[part->at];
    hash = mix(hash, (uint64_t)n);
    if (part->way == BY_TOP && n > 0) hash = mix(hash, face_of(faces, pile[n - 1]));
    else if (part->way == BY_FACES) for (i = 0; i < n; i++) sum += mix(UINT64_C(1), face_of(faces, pile[i]) + 1);
    else if (part->way == BY_ORDER) for (i = 0; i < n; i++) hash = mix(hash, face_of(faces, pile[i]));
#if HOLDERS
    else if (part->way == BY_HELD)
      for (i = 0; i < n; i++) hash = mix(hash, P->t.hold[pile[i]] == seat ? face_of(faces, pile[i]) : UINT64_C(65536));
#endif
    return part->way == BY_FACES ? mix(hash, sum) : hash;
  }
  if (part->stored_width) {
    int32_t last = (int32_t)read_bytes(bytes + part->stored_at, part->stored_width) - 1;
    at += last * part->width * part->most;
    length += last * part->length_width;
  }
  if (part->way == BY_NUMBER) return mix(hash, read_bytes(at, part->width));
  if (part->way == BY_CARD) return mix(hash, face_of(faces, read_bytes(at, part->width)));
  many = read_bytes(length, part->length_width);
  hash = mix(hash, many);
  if (many > (uint64_t)part->most) return hash; /* none */
  for (i = 0; i < (int32_t)many; i++, at += part->width) {
    if (part->way == BY_LIST) hash = mix(hash, read_bytes(at, part->width));
    else sum += mix(UINT64_C(1), face_of(faces, read_bytes(at, part->width)) + 1);
  }
  return part->way == BY_GROUP ? mix(hash, sum) : hash;
}

static uint64_t hash_look(const Tree *T, const Pos *P, int32_t seat) { /* what the seat sees that is to choose */
  uint64_t hash = mix((uint64_t)P->block + 1, (uint64_t)seat);
  int32_t i;
  for (i = T->looks_from[seat]; i < T->looks_from[seat + 1]; i++) hash = hash_part(P, T->looks + i, T->faces, seat, hash);
  return hash;
}

static int hash_choice(const Tree *T, const Pos *P, int32_t place, const int32_t *faces, uint64_t *hash) { /* 0: a fault */
  Pos scratch;
  Ask ask;
  int32_t i, row;
  scratch = *P;
  FILL(&ask, 0, sizeof(ask));
  ask.given = 1;
  ask.place = place;
  ask.stops = PEEKS;
  if (run(&scratch, &ask) != ASKED) return 0;
  *hash = mix(UINT64_C(7), (uint64_t)(ask.action + 1));
  if (ask.action < 0) return 1;
  row = T->stores[P->block] * T->actions + ask.action;
  for (i = T->picks_from[row]; i < T->picks_from[row + 1]; i++) *hash = hash_part(&scratch, T->picks + i, faces, 0, *hash);
  return 1;
}

static int32_t find_node(Tree *T, uint64_t key) { /* -1: there is no room for it */
  int32_t slots = 2 * T->most_nodes, at = (int32_t)(key % (uint64_t)slots);
  while (T->nodes[at].used) {
    if (T->nodes[at].key == key) return at;
    if (++at == slots) at = 0;
  }
  if (T->nodes_many >= T->most_nodes) return -1;
  T->nodes_many++;
  T->nodes[at].key = key;
  T->nodes[at].first = -1;
  T->nodes[at].used = 1;
  return at;
}

static int32_t add_child(Tree *T, Node *node, uint64_t key) {
  int32_t at = T->children_many++;
  Child *child = T->children + at;
  child->key = key;
  child->total = 0;
  child->visits = child->offered = 0;
  child->next = node->first;
  node->first = at;
  return at;
}

static int32_t find_child(const Tree *T, const Node *node, uint64_t key) {
  int32_t at = node->first;
  while (at >= 0 && T->children[at].key != key) at = T->children[at].next;
  return at;
}

/* The logarithm, straight between powers of two: sums and products come out the same on all machines. */
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

/* The place of the choice to try, and its child: one never tried, while there may be more; else by upper confidence bounds. */
static int32_t select_choice(Tree *T, const Pos *P, int32_t number, int32_t size, uint64_t *state, int32_t *chosen) {
  Node *node = T->nodes + number;
  uint64_t keys[MOST_OPTIONS];
  int32_t children[MOST_OPTIONS], at, untried = 0, found = -1, is_root = number == T->is_known - 1;
  int64_t visits = 0;
  double best = 0, spread;
  for (at = 0; at < size; at++) {
    if (is_root) keys[at] = T->names[at];
    else if (!hash_choice(T, P, at, T->faces, keys + at)) return NO_CHOICE;
    children[at] = find_child(T, node, keys[at]);
    if (children[at] < 0) untried++;
    else { T->children[children[at]].offered++; visits += T->children[children[at]].visits; }
  }
  if (untried && (size <= FEW || (double)(size - untried) < FEW + WIDENING * __builtin_sqrt((double)visits)) &&
      T->children_many < T->most_children) {
    int32_t wanted = (int32_t)((draw_bits(state) >> 32) * (uint64_t)untried >> 32);
    for (at = 0; children[at] >= 0 || wanted-- > 0; at++);
    *chosen = add_child(T, node, keys[at]);
    T->children[*chosen].offered = 1;
    return is_root ? T->places[at] : at;
  }
  spread = T->exploration * find_spread(T);
  for (at = 0; at < size; at++) {
    Child *child = T->children + children[at];
    double bound;
    if (children[at] < 0) continue;
    if (!child->visits) { found = at; break; }
    bound = child->total / child->visits + spread * __builtin_sqrt(roughly_log(child->offered + 1) / child->visits);
    if (found < 0 || bound > best) { best = bound; found = at; }
  }
  if (found < 0) return NO_ROOM;
  *chosen = children[found];
  return is_root ? T->places[found] : found;
}

/* What a position is worth to each side, from 0 to 1. */
static int32_t value_sides(Tree *T, Pos *P, int32_t over, double *values) {
  int64_t scores[PLAYERS];
  double stands[PLAYERS], gains[PLAYERS], largest = 0.0, spread;
  int32_t i, j, won = 0, sides = T->sides_many;
  uint64_t winning = 0;
  Winners winners;
  for (i = 0; i < sides; i++) { values[i] = 0.5; stands[i] = 0.0; }
  if (T->by_score) {
    if (list_scores(P, scores)) return FAULT;
    for (i = 0; i < PLAYERS; i++) stands[T->sides[i]] += T->sign * (double)scores[i];
    for (i = 0; i < sides; i++) {
      double most = -1e300, sum = 0.0;
      for (j = 0; j < sides; j++) if (j != i) { most = stands[j] > most ? stands[j] : most; sum += stands[j]; }
      gains[i] = (sides < 2 ? stands[i] : stands[i] - (most + sum / (sides - 1)) / 2) - T->before[i];
      if (gains[i] * gains[i] > largest) largest = gains[i] * gains[i];
    }
    T->scale_seen++;
    T->scale_squares += largest;
    spread = 1.5 * __builtin_sqrt(T->scale_squares / (double)T->scale_seen);
    for (i = 0; i < sides; i++) {
      double gain = gains[i] / spread;
      values[i] = 0.5 + 0.5 * (gain / __builtin_sqrt(1.0 + gain * gain));
    }
  }
  if (!over) return ASKED;
  if (list_winners(P, &winners)) return FAULT;
  for (i = 0; i < winners.n; i++) winning |= UINT64_C(1) << T->sides[winners.seats[i]];
  for (i = 0; i < sides; i++) won += winning >> i & 1;
  if (won)
    for (i = 0; i < sides; i++) values[i] = WON * (winning >> i & 1 ? 1.0 / won : 0.0) + (1 - WON) * values[i];
  return ASKED;
}

#define GOES_ON (found == ASKED && (T->whole || pos.rounds == begun))

static int32_t iterate(Tree *T, const Pos *from, int32_t option, int32_t arm, uint64_t state) {
  Pos pos;
  Ask ask;
  int32_t path[MOST_DEPTH], movers[MOST_DEPTH], depth = 0, node = T->is_known - 1, size = T->options, seat = T->seat;
  int32_t found = ASKED, begun = from->rounds, i;
  double values[PLAYERS], mine;
  pos = *from;
  FILL(&ask, 0, sizeof(ask));
  ask.stops = STOPS;
  while (depth < MOST_DEPTH) {
    int is_new = arm < 0 && T->nodes[node].first < 0;
    if (arm >= 0) { path[depth] = arm; ask.place = T->places[option]; arm = -1; }
    else ask.place = select_choice(T, &pos, node, size, &state, path + depth);
    if (ask.place == NO_CHOICE) return FAULT;
    if (ask.place == NO_ROOM) break;
    movers[depth++] = seat;
    ask.given = 1;
    found = run(&pos, &ask);
    while (!is_new && GOES_ON && ask.size == 1) { ask.given = 1; ask.place = 0; found = run(&pos, &ask); }
    if (found == FAULT) return FAULT;
    if (is_new || !GOES_ON || ask.size > MOST_INSIDE) break;
    seat = ask.seat;
    size = ask.size;
    node = find_node(T, hash_look(T, &pos, seat));
    if (node < 0) break;
  }
  if (GOES_ON) {
    ask.habits = draw_bits(&state);
    ask.only_round = T->whole ? -1 : begun;
    ask.most = pos.decisions + 400;
    ask.until_seat = -1;
    ask.given = 0;
    ask.stops = ROLLS;
    found = run(&pos, &ask);
  }
  if (found == FAULT || value_sides(T, &pos, found == OVER, values) == FAULT) return FAULT;
  for (i = 0; i < depth; i++) {
    T->children[path[i]].visits++;
    T->children[path[i]].total += values[T->sides[movers[i]]];
  }
  mine = values[T->sides[T->seat]];
  T->spread_seen++;
  T->spread_sum += mine;
  T->spread_squares += mine * mine;
  return ASKED;
}

/* The choices at the root are at the same places in all positions that the seat could be in: FAULT if that is not so. */
static int32_t know_root(Tree *T, const Pos *P) {
  int32_t i;
  for (i = 0; i < T->options; i++) {
    uint64_t name;
    if (!hash_choice(T, P, T->places[i], 0, &name)) return FAULT;
    if (!T->is_known) T->known[i] = name;
    else if (T->known[i] != name) return FAULT;
  }
  if (!T->is_known) T->is_known = find_node(T, 0) + 1;
  return ASKED;
}

EXPORT int64_t tree_size(void) { return (int64_t)sizeof(Tree); }

/* Try choices at the root in one position, `times` each arm, or, if there are none, those that are selected. After a FAULT the
 * tree is good for nothing. */
EXPORT int32_t grow(Tree *T, const Pos *from, const int32_t *arms, int32_t many, int32_t times, uint64_t state) {
  int32_t i, j;
  if (know_root(T, from) == FAULT) return FAULT;
  for (i = 0; i < times; i++) {
    uint64_t seed = derive_seed(state, (uint64_t)i);
    for (j = 0; j < many; j++) {
      Node *root = T->nodes + T->is_known - 1;
      int32_t child = find_child(T, root, T->names[arms[j]]);
      if (child < 0 && T->children_many >= T->most_children) return FAULT;
      if (child < 0) child = add_child(T, root, T->names[arms[j]]);
      T->children[child].offered++;
      if (iterate(T, from, arms[j], child, seed) == FAULT) return FAULT;
    }
    if (!many && iterate(T, from, 0, -1, seed) == FAULT) return FAULT;
  }
  return ASKED;
}

/* What has come of the choices at the root. */
EXPORT void tell_root(const Tree *T, int64_t *visits, double *totals, int64_t *offered) {
  int32_t i;
  for (i = 0; i < T->options; i++) {
    int32_t child = T->is_known ? find_child(T, T->nodes + T->is_known - 1, T->names[i]) : -1;
    visits[i] = child < 0 ? 0 : T->children[child].visits;
    totals[i] = child < 0 ? 0 : T->children[child].total;
    offered[i] = child < 0 ? 0 : T->children[child].offered;
  }
}
#endif
