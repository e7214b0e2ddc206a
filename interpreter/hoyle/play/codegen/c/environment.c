
/* ---- environments: matches as arrays, a row for each, advanced from decision to decision ----
 *
 * What a seat is told and how choices are spelt is described by the caller as fields of a position: nothing here knows a game. All
 * of it is what the seat to choose may know, with seats counted from it. The same functions run on hosts and on devices. */
#ifdef ENVIRONMENT
#define MOST_SAID 6
#define MOST_TOKENS 12
#define LONGEST_MENU 64 /* where choices are tried */
#define MOST_TRIED 64 /* matches in a row without a decision */
#define MOST_FORCED 512 /* decisions in a row with one choice */
#define CARDS_AT_ONE 8.0f /* cards of a zone that are told as 1 */
#define SPOTS 16 /* unseen cards are told apart by where they lie */
#define PLACED 6 /* cards at the top of a zone told with their places */
#define LADDER 24
#define JOINT 64
#define SMALL 16 /* numbers below it have a token each */
#ifdef __CUDACC__
#define LOG2 log2f
#define CLEARED 1 /* observations, by the caller: a device does that faster for all rows at once */
#else
#define LOG2 __builtin_log2f
#define CLEARED 0
#endif
enum { NEVER, ALWAYS, TOP, SIDE_UP, HELD, BY_CASE };
enum { A_NUMBER, ONE_OF, A_SEAT, A_TEAM, A_CARD, A_ZONE, A_RANGE };
enum { BY_WINNERS, BY_SCORES, BY_TOLD };
enum { PLAYING = 0, ENDED = 1, CUT = 2 };
typedef struct { int32_t way, base, size_at, ends_at, places_at, shows; } ZoneTold;
typedef struct {
  int32_t kind, at, width, spare, most, length_at, length_width, stored_at, stored_width, base, low, domain, has_none, pad;
  int64_t none;
} FieldTold;
typedef struct {
  const ZoneTold *zones; /* by seat and zone */
  const FieldTold *fields, *picks;
  const int32_t *shows, *bases, *picks_from, *stores, *faces, *decisions, *silent, *recent_of, *turns, *relative, *sides;
  uint64_t seed;
  int32_t fields_many, actions, faces_many, tokens, choices, size, exposed_at, recent_at, recent_size, recent_many, decisions_at, joint_at,
      decline, told, by_file, sign, sides_many, has_hints, most_steps, skips_forced,
      spelt, common_at, seats_told, marks_at, marks_told;
} Environment; /* `spelt`: tokens of a choice before its marks */
typedef struct { int16_t tokens[MOST_SAID]; int16_t actor, many; } Said;
typedef struct {
  Pos pos;
  uint64_t episode;
  double before[PLAYERS];
  int32_t steps, rounds, said_many, seat;
} Match;
typedef struct {
  float *observations;
  int16_t *tokens;
  int32_t *counts, *seats;
  float *gains, *rewards;
  uint8_t *ends;
  int32_t *places;
  int64_t *numbers;
  Said *said; /* `recent_many` for each match, in a ring */
} Rows;

INLINE uint64_t read_field(const uint8_t *at, int32_t width) {
  uint64_t found = 0;
  int32_t i;
  if (width == 1) return *at;
  if (width == 4) return *(const uint32_t *)at;
  for (i = 0; i < width; i++) found |= (uint64_t)at[i] << 8 * i;
  return found;
}

INLINE int64_t sign_field(uint64_t found, int32_t spare) { return (int64_t)(found << spare) >> spare; }

/* The index of a number on the ladder 0, 1, 2, 5, 10, 20, 50 ...: of the highest rung that is not above it. */
INLINE int32_t find_rung(int64_t number) {
  int64_t rung = 1;
  int32_t found = 0, turn = 0;
  if (number < 0) return 0;
  while (found < LADDER - 1 && rung <= number) {
    found++;
    rung = turn == 1 ? rung / 2 * 5 : rung * 2;
    turn = turn == 2 ? 0 : turn + 1;
  }
  return found;
}

INLINE int64_t climb(int32_t rung) { /* the number of a rung */
  int64_t number = 1;
  int32_t i, turn = 0;
  if (rung == 0) return 0;
  for (i = 1; i < rung; i++) {
    number = turn == 1 ? number / 2 * 5 : number * 2;
    turn = turn == 2 ? 0 : turn + 1;
  }
  return number;
}

INLINE void tell_number(float *found, int64_t number) { /* whether it is known, itself, and its size */
  float size = (float)(number < 0 ? -number : number);
  found[0] = 1.0f;
  found[1] = (number < 0 ? -1.0f : 1.0f) * (size > 256.0f ? 256.0f : size) / 16.0f;
  found[2] = (number < 0 ? -0.25f : 0.25f) * (size <= 1.0f ? size : LOG2(1.0f + size));
}

/* ---- observations ---- */
INLINE int32_t turn_seat(int64_t seat, int32_t looker) { return (int32_t)((seat - looker + 2 * PLAYERS) % PLAYERS); }

HOST_DEVICE int32_t place_element(const Environment *E, const FieldTold *field, int64_t value, int32_t looker) {
  switch (field->kind) {
    case A_SEAT: return turn_seat(value, looker);
    case A_TEAM: return (int32_t)((value - E->sides[looker] + 2 * E->sides_many) % E->sides_many);
    case A_CARD: return value >= 0 && value < CARDS ? E->faces[value] : -1;
    case A_ZONE: return value >= 0 && value < ZONES ? E->relative[looker * ZONES + value] : -1;
    default: return (int32_t)(value - field->low);
  }
}

HOST_DEVICE void tell_field(const Environment *E, const Pos *P, const FieldTold *field, int32_t looker, float *found) {
  const uint8_t *bytes = (const uint8_t *)P;
  int32_t many = 1, i;
  if (field->length_width) {
    many = (int32_t)read_field(bytes + field->length_at, field->length_width);
    if (many > field->most) return; /* none */
    tell_number(found, many);
    found += 3;
    if (field->kind == A_NUMBER) return;
  }
  for (i = 0; i < many; i++) {
    int64_t value = sign_field(read_field(bytes + field->at + i * field->width, field->width), field->spare);
    int32_t place;
    if (field->has_none && value == field->none) continue;
    if (field->kind == A_NUMBER) { tell_number(found, value); return; }
    place = place_element(E, field, value, looker);
    if (place >= 0 && place < field->domain) found[place] += 1.0f;
  }
}

/* The cards of all zones that the looker sees, which are then marked in `seen`. */
HOST_DEVICE int32_t tell_zones(const Environment *E, Pos *P, int32_t looker, float *found, uint64_t *seen) {
  int64_t shown[ZONES];
  int32_t zone, i;
  if (RULES_OF_SIGHT && list_shown(P, shown)) return FAULT;
  for (zone = 0; zone < ZONES; zone++) {
    const ZoneTold *told = E->zones + looker * ZONES + zone;
    int32_t way = told->way, n = TABLE(n)[zone];
    const card_t *pile;
    if (told->size_at >= 0) {
      found[told->size_at] = (float)n / CARDS_AT_ONE;
      found[told->size_at + 1] = n > 0 ? 1.0f : 0.0f;
    }
    if (RULES_OF_SIGHT && way == BY_CASE) way = E->shows[told->shows + shown[zone]];
    if (way == NEVER || n == 0) continue;
    pile = ORDERED(zone, way == TOP ? n - 1 : 0);
    for (i = way == TOP ? n - 1 : 0; i < n; i++) {
      int32_t card = pile[i];
#if FACES
      if (way == SIDE_UP && !TABLE(up)[card]) continue;
#endif
#if HOLDERS
      if (way == HELD && HOLDER_OF(card) != looker) continue;
#endif
      seen[card >> 6] |= UINT64_C(1) << (card & 63);
      found[told->base + E->faces[card]] += 1.0f;
      if (told->places_at >= 0 && n - 1 - i < PLACED) found[told->places_at + (n - 1 - i) * E->faces_many + E->faces[card]] = 1.0f;
      if (told->ends_at >= 0 && i == 0) found[told->ends_at + E->faces[card]] = 1.0f;
      if (told->ends_at >= 0 && i == n - 1) found[told->ends_at + E->faces_many + E->faces[card]] = 1.0f;
    }
  }
  return ASKED;
}

HOST_DEVICE void tell_recent(const Environment *E, const Match *M, const Said *ring, int32_t looker, float *found) {
  int32_t i, j, many = min32(M->said_many, E->recent_many);
  if (M->rounds != M->pos.rounds) return;
  for (i = 0; i < many; i++) {
    const Said *said = ring + (M->said_many - 1 - i) % E->recent_many;
    float *row = found + i * E->recent_size;
    row[turn_seat(said->actor, looker)] = 1.0f;
    for (j = 0; j < said->many; j++) {
      int32_t token = said->tokens[j];
      if (E->turns[token] >= 0) /* a seat, counted from the one who acted */
        token = E->turns[token] + turn_seat(token - E->turns[token] + said->actor, looker);
      if (E->recent_of[token] >= 0) row[PLAYERS + E->recent_of[token]] += 1.0f;
    }
  }
}

HOST_DEVICE int32_t observe(const Environment *E, Match *M, const Said *ring, int32_t looker, float *found, uint64_t *seen) {
  Pos *P = &M->pos;
  int32_t i;
  for (i = 0; i < CARD_WORDS; i++) seen[i] = 0;
  if (tell_zones(E, P, looker, found, seen) == FAULT) return FAULT;
  for (i = 0; i < E->fields_many; i++) {
    int32_t base = E->bases[looker * E->fields_many + i];
    if (base >= 0) tell_field(E, P, E->fields + i, looker, found + base);
  }
  for (i = 0; i < CARD_WORDS; i++) {
    uint64_t *exposed = P->exposed + looker * CARD_WORDS + i, hidden = *exposed & ~seen[i];
    *exposed |= seen[i];
    for (; hidden; hidden &= hidden - 1) found[E->exposed_at + E->faces[64 * i + LOWEST_BIT(hidden)]] += 1.0f;
  }
  i = E->decisions[P->block];
  if (i >= 0) found[E->decisions_at + i] = 1.0f;
  tell_recent(E, M, ring, looker, found + E->recent_at);
  for (i = 0; i < E->seats_told; i++) {
    int64_t seat;
    if (tell_common(P, i, 0, &seat) == 0 && seat >= 0 && seat < PLAYERS) found[E->common_at + i * PLAYERS + turn_seat(seat, looker)] = 1.0f;
  }
  return ASKED;
}

/* ---- choices ---- */
INLINE int32_t add_token(const Environment *E, int16_t *row, int32_t many, int32_t token) {
  if (many < E->spelt - 1) row[many++] = (int16_t)token; /* the last is for the joint token */
  return many;
}

HOST_DEVICE int32_t spell_pick(const Environment *E, const Match *M, const Pos *scratch, const FieldTold *pick, int32_t looker,
                                             const uint64_t *seen, int16_t *row, int32_t many, int32_t *card) {
  const uint8_t *bytes = (const uint8_t *)scratch;
  const Pos *P = &M->pos;
  int32_t stored = pick->stored_width ? (int32_t)read_field(bytes + pick->stored_at, pick->stored_width) - 1 : 0, count = 1, i;
  if (pick->length_width) {
    count = (int32_t)read_field(bytes + pick->length_at + stored * pick->length_width, pick->length_width);
    if (count > pick->most) return add_token(E, row, many, pick->base + pick->domain - 1);
  }
  for (i = 0; i < count; i++) {
    int64_t value = sign_field(read_field(bytes + pick->at + (stored * pick->most + i) * pick->width, pick->width), pick->spare);
    int32_t place;
    if (pick->has_none && value == pick->none) place = pick->domain - 1;
    else if (pick->kind == A_NUMBER) place = value < SMALL ? (int32_t)max64(value, 0) : SMALL + find_rung(value);
    else if (pick->kind == A_CARD && value >= 0 && value < CARDS && !(seen[value >> 6] >> (value & 63) & 1) &&
             !(P->exposed[looker * CARD_WORDS + (value >> 6)] >> (value & 63) & 1))
      place = E->faces_many + min32(find_in(P, (int32_t)value, ZONE_OF(value)), SPOTS - 1);
    else place = place_element(E, pick, value, looker);
    if (place < 0 || place >= pick->domain) place = pick->domain - 1;
    else if (pick->kind == A_CARD && !pick->length_width && place < E->faces_many && *card < 0) *card = (int32_t)value;
    many = add_token(E, row, many, pick->base + place);
  }
  return many;
}

/* A listing of the choices of a decision. `run` finds out once what is offered, and tells one after the other. */
typedef struct {
  Ask ask; /* the first member: see `Batch` */
  const Environment *E;
  const Match *M;
  const uint64_t *seen;
  int16_t *tokens;
  int32_t *places;
  int64_t *numbers;
  uint64_t chance;
  int32_t size, many, at, rows, lawful;
} Listing;

/* Finish a row that was spelt apart: the joint token, a token for each test that its card passes, and padding. */
INLINE void end_row(const Environment *E, int16_t *row, int32_t many, const Listing *L, int32_t at, int32_t place, int64_t number,
                    int32_t card) {
  uint32_t hash = 0;
  int16_t *to = L->tokens + at * E->tokens;
  int32_t i;
  for (i = 0; i < many; i++) hash = (hash ^ (uint32_t)row[i]) * 2654435761u;
  if (many > 2) row[many++] = (int16_t)(E->joint_at + (int32_t)(hash >> 16) % JOINT);
  for (i = 0; i < many; i++) to[i] = row[i];
  for (i = 0; i < E->marks_told && card >= 0; i++) {
    int64_t passed;
    if (!tell_common((Pos *)&L->M->pos, E->seats_told + i, card, &passed) && passed) to[many++] = (int16_t)(E->marks_at + i);
  }
  for (; many < E->tokens; many++) to[many] = 0;
  L->places[at] = place;
  L->numbers[at] = number;
}

/* The rows of one choice, one for each rung of its number; how many rows there are now. */
HOST_DEVICE int32_t spell_choice(const Listing *L, const Pos *scratch) {
  const Environment *E = L->E;
  const Match *M = L->M;
  const Ask *A = &L->ask;
  int16_t row[MOST_TOKENS + 1];
  int32_t rows = L->rows, many = 0, card = -1, first, last, i, start, rung;
  int64_t least;
  if (rows >= E->choices) return rows;
  if (A->action < 0) {
    many = add_token(E, row, many, E->decline);
    end_row(E, row, many, L, rows, A->place, 0, card);
    return rows + 1;
  }
  many = add_token(E, row, many, 1 + A->action);
  start = E->stores[M->pos.block] * E->actions + A->action;
  first = E->picks_from[start];
  last = E->picks_from[start + 1];
  for (i = first; i < last - (A->many > 0); i++) many = spell_pick(E, M, scratch, E->picks + i, M->seat, L->seen, row, many, &card);
  if (!A->many) {
    end_row(E, row, many, L, rows, A->place, 0, card);
    return rows + 1;
  }
  least = sign_field(read_field((const uint8_t *)scratch + E->picks[last - 1].at, E->picks[last - 1].width), E->picks[last - 1].spare);
  for (rung = 0; rung < LADDER && rows < E->choices; rung++) {
    int64_t number = climb(rung);
    int32_t is_last = number >= A->many - 1, said = many;
    said = add_token(E, row, said, E->picks[last - 1].base + (is_last ? LADDER : rung));
    said = add_token(E, row, said, E->picks[last - 1].base + LADDER + 1 + find_rung(least + (is_last ? A->many - 1 : number)));
    end_row(E, row, said, L, rows++, A->place, is_last ? A->many - 1 : number, card);
    if (is_last) break;
  }
  return rows;
}

/* Compilers spell copies of a known size in place, and slowly. */
INLINE void copy_position(Pos *to, const Pos *from) {
  uint64_t size = sizeof(*to);
#ifndef __CUDACC__
  __asm__("" : "+r"(size));
#endif
  COPY(to, from, size);
}

INLINE int32_t ask_for_next(Listing *L) { /* whether there is one */
  int32_t place = ++L->at;
  if (place >= L->many) return 0;
  if (L->size > L->many) {
    int64_t from = (int64_t)place * L->size / L->many, to = (int64_t)(place + 1) * L->size / L->many;
    place = (int32_t)(from + (int64_t)((draw_bits(&L->chance) >> 32) * (uint64_t)(to - from) >> 32));
  }
  L->ask.place = place;
  L->ask.given = 1;
  L->ask.number = L->ask.many = 0;
  L->ask.erred = 0;
  return 1;
}

HOST_DEVICE int32_t tell_choice(Pos *P, Ask *A) {
  Listing *L = (Listing *)A;
  if (!A->lists) return 0;
  if (!L->lawful || !A->erred) L->rows = spell_choice(L, P);
  return ask_for_next(L);
}

/* All choices, or an even sample of them where there are too many. In games where errors are called, those that break no rule. */
HOST_DEVICE int32_t list_choices(const Environment *E, const Match *M, Listing *L, const uint64_t *seen, int16_t *tokens,
                                               int32_t *places, int64_t *numbers) {
  L->ask.stops = PEEKS;
  L->ask.lists = 1;
  L->E = E; L->M = M; L->seen = seen; L->tokens = tokens; L->places = places; L->numbers = numbers;
  L->chance = derive_seed(M->pos.rng, (uint64_t)M->steps);
  L->size = L->ask.size; L->many = min32(L->size, E->choices); L->rows = 0;
  for (L->lawful = CALLED; L->lawful >= 0 && !L->rows; L->lawful--) {
    Pos scratch;
    copy_position(&scratch, &M->pos);
    L->at = -1;
    ask_for_next(L);
    if (run(&scratch, &L->ask) != ASKED) L->rows = L->lawful = 0;
  }
  L->ask.lists = 0;
  return L->rows;
}

/* ---- results ---- */
/* How each seat stands over the mean of the other sides, as far as that is known before the end. */
HOST_DEVICE int32_t stand(const Environment *E, Pos *P, int32_t over, double *found) {
  int64_t scores[PLAYERS], hints[PLAYERS];
  double sides[PLAYERS], all = 0.0;
  int32_t i;
  for (i = 0; i < PLAYERS; i++) { found[i] = sides[i] = 0.0; hints[i] = scores[i] = 0; }
  if (E->told == BY_SCORES && list_scores(P, scores)) return FAULT;
  if (E->told == BY_TOLD && list_told(P, scores)) return FAULT;
  if (E->has_hints && !over && list_hints(P, hints)) return FAULT;
  for (i = 0; i < PLAYERS; i++) {
    found[i] = (double)(E->sign * scores[i] + hints[i]);
    sides[E->sides[i]] += found[i];
    all += found[i];
  }
  if (E->by_file || E->sides_many < 2) return ASKED;
  for (i = 0; i < PLAYERS; i++) {
    double own = sides[E->sides[i]];
    found[i] = own - (all - own) / (E->sides_many - 1);
  }
  return ASKED;
}

/* Utilities: what the file says, else 1 for the sides that win, shared, and the loss shared by the others. */
HOST_DEVICE int32_t value_match(const Environment *E, Pos *P, float *rewards) {
  int64_t told[PLAYERS];
  Winners winners;
  uint64_t winning = 0;
  int32_t i, won = 0;
  if (E->by_file) {
    if (list_told(P, told)) return FAULT;
    for (i = 0; i < PLAYERS; i++) rewards[i] = (float)told[i];
    return ASKED;
  }
  if (list_winners(P, &winners)) return FAULT;
  for (i = 0; i < winners.n; i++) winning |= UINT64_C(1) << E->sides[winners.seats[i]];
  for (i = 0; i < E->sides_many; i++) won += (int32_t)(winning >> i & 1);
  for (i = 0; i < PLAYERS; i++) {
    int wins = (int)(winning >> E->sides[i] & 1);
    if (!won) rewards[i] = 0.0f;
    else if (E->sides_many < 2) rewards[i] = 1.0f;
    else rewards[i] = ((wins ? (float)E->sides_many / (float)won : 0.0f) - 1.0f) / (float)(E->sides_many - 1);
  }
  return ASKED;
}

/* ---- matches ---- */
HOST_DEVICE int32_t begin_row(const Environment *E, Match *M, int64_t row, Ask *A) {
  int32_t found = FAULT, tries;
  for (tries = 0; tries < MOST_TRIED && found != ASKED; tries++) {
    uint64_t seed = derive_seed(derive_seed(E->seed, (uint64_t)row), M->episode++);
    start_position(&M->pos, seed);
    start_chance(A, seed, RANDOM);
    A->stops = STOPS;
    M->steps = M->said_many = M->rounds = 0;
    found = run(&M->pos, A);
    if (found == ASKED && stand(E, &M->pos, 0, M->before) == FAULT) found = FAULT;
  }
  return found;
}

INLINE void remember_choice(const Environment *E, Match *M, Said *ring, const int16_t *row) {
  Said *said;
  int32_t i;
  if (E->silent[M->pos.block] || E->recent_of[row[0]] < 0) return;
  if (M->rounds != M->pos.rounds) { M->rounds = M->pos.rounds; M->said_many = 0; }
  said = ring + M->said_many++ % E->recent_many;
  said->actor = (int16_t)M->seat;
  said->many = 0;
  for (i = 0; i < E->tokens && row[i] && said->many < MOST_SAID; i++) said->tokens[said->many++] = row[i];
}

/* Write what the seat to choose is told; how many choices it has, 0 after a fault. */
HOST_DEVICE int32_t show_row(const Environment *E, Match *M, Listing *L, int64_t row, const Rows *R) {
  uint64_t seen[CARD_WORDS];
  float *found = R->observations + row * E->size;
  R->seats[row] = M->seat = L->ask.seat;
  if (observe(E, M, R->said + row * E->recent_many, M->seat, found, seen) == FAULT) return 0;
  return list_choices(E, M, L, seen, R->tokens + row * E->choices * E->tokens, R->places + row * E->choices,
                      R->numbers + row * E->choices);
}

INLINE void add_gains(const Environment *E, Match *M, int32_t over, float *gains, int32_t *found) {
  double stands[PLAYERS];
  int32_t i;
  if (stand(E, &M->pos, over, stands) == FAULT) { *found = FAULT; return; }
  for (i = 0; i < PLAYERS; i++) {
    gains[i] += (float)(stands[i] - M->before[i]);
    M->before[i] = stands[i];
  }
}

INLINE void clear(float *found, int32_t size) { FILL(found, 0, (uint64_t)size * sizeof(*found)); }

/* Take the chosen row, and run to the next decision at which there is something to choose. `chosen` is -1 for a match to begin. */
HOST_DEVICE void step_row(const Environment *E, Match *M, int32_t chosen, int64_t row, const Rows *R) {
  float gains[PLAYERS], rewards[PLAYERS], *observation = R->observations + row * E->size;
  int32_t i, found, forced, clean = CLEARED;
  Listing L;
  Ask *A = &L.ask;
  FILL(A, 0, sizeof(*A));
  R->ends[row] = PLAYING;
  for (i = 0; i < PLAYERS; i++) gains[i] = rewards[i] = 0.0f;
  if (chosen < 0) {
    if (chosen == -1) M->episode = 0;
    found = begin_row(E, M, row, A);
  } else {
    if (chosen >= R->counts[row]) chosen = R->counts[row] - 1;
    for (forced = 0;; forced++) {
      int16_t *said = R->tokens + (row * E->choices + chosen) * E->tokens;
      remember_choice(E, M, R->said + row * E->recent_many, said);
      A->given = 1;
      A->stops = STOPS;
      A->place = R->places[row * E->choices + chosen];
      A->number = R->numbers[row * E->choices + chosen];
      M->steps++;
      found = run(&M->pos, A);
      if (found != FAULT) add_gains(E, M, found == OVER, gains, &found);
      if (!E->skips_forced || found != ASKED || A->size != 1 || forced >= MOST_FORCED || M->steps >= E->most_steps) break;
      if (!clean) clear(observation, E->size);
      clean = 0;
      if (show_row(E, M, &L, row, R) != 1) break;
      chosen = 0;
    }
    if (found == OVER && value_match(E, &M->pos, rewards) == FAULT) found = FAULT;
    if (found == OVER) R->ends[row] = ENDED;
    else if (found == FAULT || M->steps >= E->most_steps) R->ends[row] = CUT;
    if (R->ends[row] != PLAYING) found = begin_row(E, M, row, A);
  }
  if (!clean) clear(observation, E->size);
  R->counts[row] = found == ASKED ? show_row(E, M, &L, row, R) : 0;
  for (i = 0; i < MOST_TRIED && !R->counts[row]; i++) { /* a fault in what is shown: the next match */
    R->ends[row] = CUT;
    clear(observation, E->size);
    R->counts[row] = begin_row(E, M, row, A) == ASKED ? show_row(E, M, &L, row, R) : 0;
  }
  for (i = 0; i < PLAYERS; i++) { R->gains[row * PLAYERS + i] = gains[i]; R->rewards[row * PLAYERS + i] = rewards[i]; }
}

#ifdef __CUDACC__
#define BLOCK 64 /* rows of a thread block */
#define WIDTH (sizeof(Match) / sizeof(uint64_t))
enum { FITS = BLOCK * sizeof(Match) <= 48 << 10 }; /* small matches are brought into shared memory for a step */
static __shared__ uint64_t near[FITS ? BLOCK * WIDTH : 1];
extern __shared__ float told[]; /* the observations of a block, if they are `staged` there */
extern "C" __global__ void __launch_bounds__(BLOCK) step_rows(const __grid_constant__ Environment E, Match *matches, const int32_t *chosen,
                                                             const __grid_constant__ Rows R, int64_t count, int32_t staged) {
  static __shared__ Rows here;
  int64_t first = (int64_t)blockIdx.x * BLOCK, row = first + threadIdx.x;
  int32_t i, rows = (int32_t)min64(BLOCK, count - first), all = FITS ? rows * (int32_t)WIDTH : 0, inputs = staged ? rows * E.size : 0;
  uint64_t *far = (uint64_t *)(matches + first);
  if (threadIdx.x == 0) {
    here = R;
    if (staged) here.observations = told - first * E.size;
  }
  for (i = threadIdx.x; i < all; i += BLOCK) near[i] = far[i];
  for (i = threadIdx.x; i < inputs; i += BLOCK) told[i] = 0.0f;
  __syncthreads();
  if (row < count) step_row(&E, FITS ? (Match *)(near + threadIdx.x * WIDTH) : matches + row, chosen ? chosen[row] : -1, row, &here);
  __syncthreads();
  for (i = threadIdx.x; i < all; i += BLOCK) far[i] = near[i];
  for (i = threadIdx.x; i < inputs; i += BLOCK) R.observations[first * E.size + i] = told[i];
}
extern "C" __global__ void measure_match(int64_t *sizes) { sizes[0] = (int64_t)sizeof(Match); sizes[1] = BLOCK; sizes[2] = (int64_t)(sizeof(near) + sizeof(Rows)); }
#else
__attribute__((visibility("default"))) const int64_t environment_sizes[] = {sizeof(Pos), sizeof(Match), sizeof(Environment), sizeof(Rows)};
__attribute__((visibility("default"))) void step_rows(const Environment *E, Match *matches, const int32_t *chosen, const Rows *R, int64_t first,
                                                      int64_t last) {
  int64_t row;
  for (row = first; row < last; row++) step_row(E, matches + row, chosen ? chosen[row] : -1, row, R);
}

/* ---- trying choices: what each brings if all go on by a policy ---- */
#define MOST_UNITS 1024
typedef struct {
  const float *first, *first_bias, *second, *second_bias, *scores, *scores_bias; /* rows by input, by unit, by token */
  const int32_t *used; /* the row of each input, -1 for none */
  int32_t units;
} Network;

INLINE void add_row(float *to, const float *row, float times, int32_t units) {
  int32_t i;
  for (i = 0; i < units; i++) to[i] += times * row[i];
}

static void think(const Environment *E, const Network *N, const float *observation, float *hidden) {
  float deeper[MOST_UNITS];
  int32_t i, units = N->units;
  COPY(hidden, N->first_bias, sizeof(float) * (uint64_t)units);
  COPY(deeper, N->second_bias, sizeof(float) * (uint64_t)units);
  for (i = 0; i < E->size; i++) if (observation[i] != 0.0f && N->used[i] >= 0) add_row(hidden, N->first + N->used[i] * units, observation[i], units);
  for (i = 0; i < units; i++) if (hidden[i] > 0.0f) add_row(deeper, N->second + i * units, hidden[i], units);
  for (i = 0; i < units; i++) hidden[i] = (hidden[i] > 0.0f ? hidden[i] : 0.0f) + (deeper[i] > 0.0f ? deeper[i] : 0.0f);
}

static float score_token(const Network *N, const float *hidden, int32_t token) {
  const float *row = N->scores + token * N->units;
  float lanes[8] = {0}, sum = N->scores_bias[token];
  int32_t i, j;
  for (i = 0; i + 8 <= N->units; i += 8) for (j = 0; j < 8; j++) lanes[j] += row[i + j] * hidden[i + j];
  for (; i < N->units; i++) sum += row[i] * hidden[i];
  for (j = 0; j < 8; j++) sum += lanes[j];
  return sum;
}

/* A row of the menu, drawn by the policy: likelier the better it is found to be. */
static int32_t draw_row(const Environment *E, const Network *N, const Rows *R, int32_t many, double heat, uint64_t *chance) {
  float hidden[MOST_UNITS];
  double scores[LONGEST_MENU], most = -1e300, sum = 0.0, drawn;
  int32_t i, j;
  think(E, N, R->observations, hidden);
  for (i = 0; i < many; i++) {
    scores[i] = 0.0;
    for (j = 0; j < E->tokens && R->tokens[i * E->tokens + j]; j++) scores[i] += score_token(N, hidden, R->tokens[i * E->tokens + j]);
    if (scores[i] > most) most = scores[i];
  }
  for (i = 0; i < many; i++) sum += scores[i] = __builtin_exp((scores[i] - most) / heat);
  drawn = (double)(draw_bits(chance) >> 11) / 9007199254740992.0 * sum;
  for (i = 0; i < many - 1 && drawn >= scores[i]; i++) drawn -= scores[i];
  return i;
}

INLINE int32_t show_again(const Environment *E, Match *M, Listing *L, const Rows *R) {
  clear(R->observations, E->size);
  return show_row(E, M, L, 0, R);
}

static int32_t take_row(const Environment *E, Match *M, Listing *L, const Rows *R, int32_t chosen) {
  remember_choice(E, M, R->said, R->tokens + chosen * E->tokens);
  L->ask.given = 1;
  L->ask.stops = STOPS;
  L->ask.place = R->places[chosen];
  L->ask.number = R->numbers[chosen];
  M->steps++;
  return run(&M->pos, &L->ask);
}

/* From one position, take each of `many` choices, spelt in `wanted`, and let all seats go on by the policy to the end of the round,
 * or for `most` decisions; `values` are what the standing of the seat to choose gained. All have the same chance. */
__attribute__((visibility("default"))) int32_t try_choices(
    const Environment *E, const Network *N, const Match *from, const Said *said, const Rows *R, const int16_t *wanted, int32_t many,
    double heat, uint64_t seed, int32_t most, double *values) {
  int32_t i, j, k, found, count, begun = from->pos.rounds, seat;
  for (k = 0; k < many; k++) {
    Match match = *from, *M = &match;
    uint64_t chance = seed;
    double stands[PLAYERS];
    float rewards[PLAYERS];
    Listing L;
    COPY(R->said, said, sizeof(Said) * (uint64_t)E->recent_many);
    FILL(&L.ask, 0, sizeof(L.ask));
    L.ask.stops = STOPS;
    if (stand(E, &M->pos, 0, M->before) == FAULT || run(&M->pos, &L.ask) != ASKED || !(count = show_again(E, M, &L, R))) return FAULT;
    seat = M->seat;
    for (i = 0; i < count; i++) {
      for (j = 0; j < E->tokens && R->tokens[i * E->tokens + j] == wanted[k * E->tokens + j]; j++);
      if (j == E->tokens) break;
    }
    if (i == count) return FAULT;
    found = take_row(E, M, &L, R, i);
    while (found == ASKED && M->pos.rounds == begun && M->steps < most) {
      if (!(count = show_again(E, M, &L, R))) return FAULT;
      found = take_row(E, M, &L, R, count == 1 ? 0 : draw_row(E, N, R, count, heat, &chance));
    }
    if (found == FAULT) return FAULT;
    if (E->told || E->has_hints) {
      if (stand(E, &M->pos, found == OVER, stands) == FAULT) return FAULT;
      values[k] = stands[seat] - M->before[seat];
    } else {
      for (i = 0; i < PLAYERS; i++) rewards[i] = 0.0f;
      if (found == OVER && value_match(E, &M->pos, rewards) == FAULT) return FAULT;
      values[k] = rewards[seat];
    }
  }
  return ASKED;
}
#endif
#endif
