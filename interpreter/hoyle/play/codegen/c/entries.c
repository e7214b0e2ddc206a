
/* ---- entry points ---- */
HOST_DEVICE void start_position(Pos *P, uint64_t seed) {
  gather(P, START_ZONE, START_HOLDER);
#if KEEPS_LINES
  P->t.nlines = 0;
#endif
#if SAVES
  P->offence_seat = -1;
#endif
  P->t.retired = 0;
  P->rng = seed;
  P->rounds = P->decisions = 0;
  P->fault = P->over = 0;
  P->block = START;
  start_values(P);
  START_SLOTS(P);
}

HOST_DEVICE void start_chance(Ask *A, uint64_t seed, int32_t policy) {
  int32_t seat;
  for (seat = 0; seat < PLAYERS; seat++) begin_stream(&A->seats[seat], derive_seed(seed, (uint64_t)seat));
  A->habits = derive_seed(seed, UINT64_C(1) << 40);
  A->offered = 0;
  A->widest = 0;
  A->policy = policy;
  A->stops = PLAYS;
  A->given = 0;
  A->stop = 0;
}

typedef struct {
  int64_t scores[PLAYERS];
  uint64_t offered;
  int32_t decisions, rounds, widest, fault;
  Winners winners;
} Result;

HOST_DEVICE void end_match(Pos *P, Ask *A, int32_t found, Result *result) {
  result->fault = found != OVER || list_scores(P, result->scores) || list_winners(P, &result->winners);
  result->offered = A->offered;
  result->decisions = P->decisions;
  result->rounds = P->rounds;
  result->widest = A->widest;
}

/* Exact sums over many matches. A match that is longer than those simulated, or with scores so large that squares could overflow,
 * is treated like a fault, so that up to 65,536 matches add up without overflow. `wins[seat][n]` is how often a seat won with n others. */
#define LARGE (INT64_C(1) << 23)
#define MOST_SUMMED 65536
typedef struct { int64_t total, squares, low, high; } Tally;
typedef struct {
  int64_t games, undecided, offered, widest;
  int64_t wins[PLAYERS][PLAYERS];
  Tally decisions, rounds, scores[PLAYERS];
} Totals;

INLINE void begin_tally(Tally *tally) { tally->low = INT64_MAX; tally->high = INT64_MIN; }

INLINE void add_to_tally(Tally *tally, int64_t number) {
  tally->total += number;
  tally->squares += number * number;
  if (number < tally->low) tally->low = number;
  if (number > tally->high) tally->high = number;
}

HOST_DEVICE void begin_totals(Totals *totals) {
  int32_t i;
  FILL(totals, 0, sizeof(Totals));
  for (i = 0; i < PLAYERS; i++) begin_tally(&totals->scores[i]);
  begin_tally(&totals->decisions);
  begin_tally(&totals->rounds);
}

HOST_DEVICE int add_result(Totals *totals, const Result *result) { /* whether it could be added */
  int32_t i;
  if (result->fault || result->decisions > LONGEST_PLAYED || result->rounds >= LARGE) return 0;
  for (i = 0; i < PLAYERS; i++) if (result->scores[i] >= LARGE || result->scores[i] <= -LARGE) return 0;
  totals->games++;
  totals->undecided += result->winners.n == 0;
  for (i = 0; i < result->winners.n; i++) totals->wins[result->winners.seats[i]][result->winners.n - 1]++;
  for (i = 0; i < PLAYERS; i++) add_to_tally(&totals->scores[i], result->scores[i]);
  add_to_tally(&totals->decisions, result->decisions);
  add_to_tally(&totals->rounds, result->rounds);
  totals->offered += (int64_t)result->offered;
  if (result->widest > totals->widest) totals->widest = result->widest;
  return 1;
}

#if !defined(__CUDACC__) && !defined(ENVIRONMENT)
#define EXPORT __attribute__((visibility("default")))

/* Resume a position as `A` says. */
EXPORT int32_t play_on(Pos *P, Ask *A) { return run(P, A); }

EXPORT int32_t start(Pos *P, Ask *A, uint64_t seed) {
  start_position(P, seed);
  start_chance(A, seed, RANDOM);
  A->stops = STOPS;
  return run(P, A);
}

/* Resume a match with a choice. `last` is a checkpoint, restored on a fault. */
static int32_t apply(Pos *P, Pos *last, Ask *A, int32_t place, int64_t number) {
  int32_t found;
  *last = *P;
  A->given = 1;
  A->place = place;
  A->number = number;
  found = run(P, A);
  if (found == FAULT) *P = *last;
  return found;
}

/* A match played by one call per decision. Returned in one word: outcome, seat and number of choices of the next decision. */
typedef struct { Pos held, last; Ask ask; } Board;
EXPORT int64_t choose(Board *B, int32_t place, int64_t number) {
  int64_t found = apply(&B->held, &B->last, &B->ask, place, number);
  return found | (int64_t)B->ask.seat << 8 | (int64_t)B->ask.size << 16;
}

/* The same under the calling convention of Python's builtins (METH_FASTCALL): a call through ctypes takes several times as long as
 * most decisions. The few functions of Python it needs are injected, so that a library is built and linked without Python. */
static int64_t (*read_int)(void *);
static void *(*make_int)(int64_t), *(*find_error)(void);
EXPORT void meet_python(int64_t (*read)(void *), void *(*make)(int64_t), void *(*find)(void)) {
  read_int = read;
  make_int = make;
  find_error = find;
}

EXPORT void *choose_for_python(void *board, void *const *arguments, intptr_t count) {
  int64_t place = read_int(arguments[0]), number = read_int(arguments[count - 1]);
  if ((place == -1 || number == -1) && find_error()) return 0;
  return make_int(choose((Board *)(intptr_t)read_int(board), (int32_t)place, number));
}

EXPORT int32_t peek(const Pos *P, Pos *scratch, Ask *A, int32_t place) {
  int32_t found;
  *scratch = *P;
  A->given = 1;
  A->place = place;
  A->number = 0;
  A->many = 0;
  A->stops = PEEKS;
  found = run(scratch, A);
  A->stops = STOPS;
  return found;
}

/* Scores, and winners unless that is null; whether there is a fault. */
EXPORT int32_t results(Pos *P, int64_t *scores, Winners *winners) {
  return list_scores(P, scores) || (winners && list_winners(P, winners));
}

/* Batches of matches; `status` holds the last outcome of each. Start those that are not at a decision, from their seeds. */
EXPORT void start_all(Pos *P, Ask *A, const uint64_t *seeds, int32_t *status, int64_t n) {
  int64_t i;
  for (i = 0; i < n; i++)
    if (status[i] != ASKED) status[i] = start(P + i, A + i, seeds[i]);
}

/* Apply a choice to each match at a decision; matches over or at fault are left as they are. */
EXPORT void apply_all(Pos *P, Pos *last, Ask *A, const int32_t *places, const int64_t *numbers, int32_t *status, int64_t n) {
  int64_t i;
  for (i = 0; i < n; i++)
    if (status[i] == ASKED) status[i] = apply(P + i, last, A + i, places[i], numbers ? numbers[i] : 0);
}

/* Decode choices: that with index places[i] in match rows[i]. `actions` is -2 on a fault, -1 for declining; the picks are in the
 * position left in `scratch`. */
EXPORT void peek_all(const Pos *P, const int64_t *rows, const int32_t *places, Pos *scratch, Ask *A, int32_t *actions, int64_t *many,
                     int64_t n) {
  int64_t i;
  for (i = 0; i < n; i++) {
    actions[i] = peek(P + rows[i], scratch + i, A, places[i]) == ASKED ? A->action : -2;
    many[i] = A->many;
  }
}

/* The case of visibility that holds for each zone, in a batch of positions; `faults` is not 0 where that faults. */
EXPORT void show_all(Pos *P, int64_t *shown, int32_t *faults, int64_t n) {
  int64_t i;
  for (i = 0; i < n; i++) faults[i] = list_shown(P + i, shown + i * ZONES);
}

#if CALLED
/* Draw a choice in games where errors are called: mostly a lawful one, which takes a peek at each. In a window mostly decline.
 * `hoyle.play.engine.habits` does the same. */
#define MOST_TRIED 1024
static int32_t take_mostly_lawful(Pos *P, Pos *scratch, Ask *A) {
  int64_t many[MOST_TRIED]; /* sizes of number parameters: no rule depends on the number, so all are lawful or none */
  int32_t lawful[MOST_TRIED], unlawful[MOST_TRIED], right = 0, wrong = 0, size = A->size, seat = A->seat, window = A->window, place;
  uint64_t errors = window ? A->errors / PLAYERS : A->errors;
  A->offered += (uint64_t)size;
  A->widest = max32(A->widest, size);
  if (size > MOST_TRIED) return FAULT;
  for (place = 0; place < size; place++) {
    A->erred = 0;
    if (peek(P, scratch, A, place) != ASKED) return FAULT;
    many[place] = A->many;
    if (A->erred) unlawful[wrong++] = place;
    else lawful[right++] = place;
  }
  A->given = 1;
  if (wrong && (!right || (errors && draw_bits(&A->habits) < errors))) A->place = unlawful[take_place(A, seat, wrong, MOST_TRIED, 0)];
  else A->place = lawful[take_place(A, seat, right, MOST_TRIED, window)]; /* to decline is lawful, and the last */
  if (many[A->place]) A->number = take_place(A, seat, many[A->place], INT64_MAX, 0);
  return run(P, A);
}
#endif

/* Play a match from the start, or from a position with its random state reseeded. */
static void play_one(Pos *P, Ask *A, const Pos *from, uint64_t seed, int32_t policy, uint64_t errors, Result *result,
                     const volatile int32_t *stop) {
  int32_t found;
  if (from) {
    *P = *from;
    P->rng = seed;
  } else start_position(P, seed);
  start_chance(A, seed, policy);
  A->errors = errors;
  A->stop = stop;
  A->stops = CALLED ? STOPS : PLAYS;
  found = run(P, A);
#if CALLED
  Pos scratch;
  while (found == ASKED) found = take_mostly_lawful(P, &scratch, A);
#endif
  end_match(P, A, found, result);
}

/* Playouts, one per seed; how many were played. Cancelled when `*stop` is set: the unfinished match does not count. */
EXPORT int64_t play_matches(const Pos *from, const uint64_t *seeds, int64_t games, int32_t policy, uint64_t errors, Result *results,
                            const volatile int32_t *stop) {
  Pos pos;
  Ask ask;
  int64_t i;
  for (i = 0; i < games; i++) {
    play_one(&pos, &ask, from, seeds[i], policy, errors, results + i, stop);
    if (*stop && results[i].fault) break;
  }
  return i;
}

/* Playouts numbered from `first`, with seeds derived from one, reduced to a sum. The numbers of matches that could not be added go
 * to `left_out`. How many were played. */
EXPORT int64_t sum_matches(uint64_t seed, int64_t first, int64_t games, int32_t policy, uint64_t errors, Totals *totals,
                           int64_t *left_out, int64_t *left, const volatile int32_t *stop) {
  Pos pos;
  Ask ask;
  Result result;
  Totals sum; /* local, to avoid false sharing with other threads' totals */
  int64_t i;
  begin_totals(&sum);
  *left = 0;
  for (i = 0; i < games && i < MOST_SUMMED; i++) {
    play_one(&pos, &ask, 0, derive_seed(seed, (uint64_t)(first + i)), policy, errors, &result, stop);
    if (*stop && result.fault) break;
    if (!add_result(&sum, &result)) left_out[(*left)++] = first + i;
  }
  *totals = sum;
  return i;
}
#endif
