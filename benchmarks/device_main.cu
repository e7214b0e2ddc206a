
/* ---- a program around the printed one: play matches, print their totals, and how long that took ----
 * Compiled by nvcc they are played on the device, by a C compiler on the processor: the totals are the same. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void print_tally(const char *name, const Tally *tally) {
  printf(" %s %lld %lld %lld %lld", name, (long long)tally->total, (long long)tally->squares, (long long)tally->low,
         (long long)tally->high);
}

static void print_totals(const Totals *totals, long long left) {
  int i, j;
  printf("totals games %lld left %lld undecided %lld offered %lld widest %lld wins", (long long)totals->games, left,
         (long long)totals->undecided, (long long)totals->offered, (long long)totals->widest);
  for (i = 0; i < PLAYERS; i++) for (j = 0; j < PLAYERS; j++) printf(" %lld", (long long)totals->wins[i][j]);
  print_tally("decisions", &totals->decisions);
  print_tally("rounds", &totals->rounds);
  for (i = 0; i < PLAYERS; i++) print_tally("score", &totals->scores[i]);
  printf("\n");
}

static void join_tally(Tally *whole, const Tally *part) {
  whole->total = (int64_t)((uint64_t)whole->total + (uint64_t)part->total);
  whole->squares = (int64_t)((uint64_t)whole->squares + (uint64_t)part->squares);
  if (part->low < whole->low) whole->low = part->low;
  if (part->high > whole->high) whole->high = part->high;
}

static void join_totals(Totals *whole, const Totals *part) {
  int i, j;
  whole->games += part->games;
  whole->undecided += part->undecided;
  whole->offered += part->offered;
  if (part->widest > whole->widest) whole->widest = part->widest;
  for (i = 0; i < PLAYERS; i++) for (j = 0; j < PLAYERS; j++) whole->wins[i][j] += part->wins[i][j];
  for (i = 0; i < PLAYERS; i++) join_tally(&whole->scores[i], &part->scores[i]);
  join_tally(&whole->decisions, &part->decisions);
  join_tally(&whole->rounds, &part->rounds);
}

static void clear_totals(Totals *totals) {
  int i, j;
  Tally none;
  none.total = none.squares = 0;
  none.low = INT64_MAX;
  none.high = INT64_MIN;
  totals->games = totals->undecided = totals->offered = totals->widest = 0;
  for (i = 0; i < PLAYERS; i++) {
    for (j = 0; j < PLAYERS; j++) totals->wins[i][j] = 0;
    totals->scores[i] = none;
  }
  totals->decisions = totals->rounds = none;
}

#ifdef __CUDACC__
#define MUST(call) do { cudaError_t e = (call); if (e != cudaSuccess) { \
  fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e)); exit(1); } } while (0)
#define ROOM 65536

static long long play_all(int64_t first, int64_t games, int threads, int blocks, Totals *whole) {
  Totals *totals, *kept = (Totals *)malloc(sizeof(Totals) * (size_t)blocks);
  int64_t *left_out, at;
  counter_t *left, missed = 0, found;
  MUST(cudaMalloc(&totals, sizeof(Totals) * (size_t)blocks));
  MUST(cudaMalloc(&left_out, sizeof(int64_t) * ROOM));
  MUST(cudaMalloc(&left, sizeof(counter_t)));
  clear_totals(whole);
  for (at = 0; at < games;) { /* not more in one launch than can be summed up exactly */
    int64_t many = games - at, most = (int64_t)blocks * 32768;
    if (many > most) many = most;
    begin_blocks<<<blocks, 1>>>(totals, left);
    sum_blocks<<<blocks, threads>>>(0, first + at, many, RANDOM, totals, left_out, ROOM, left);
    MUST(cudaGetLastError());
    MUST(cudaMemcpy(kept, totals, sizeof(Totals) * (size_t)blocks, cudaMemcpyDeviceToHost));
    MUST(cudaMemcpy(&found, left, sizeof found, cudaMemcpyDeviceToHost));
    for (int i = 0; i < blocks; i++) join_totals(whole, kept + i);
    missed += found;
    at += many;
  }
  MUST(cudaFree(totals)); MUST(cudaFree(left_out)); MUST(cudaFree(left));
  free(kept);
  return (long long)missed;
}
#else
static long long play_all(int64_t first, int64_t games, int threads, int blocks, Totals *whole) {
  static int64_t left_out[MOST_SUMMED];
  const volatile int32_t stop = 0;
  int64_t at = 0, left, missed = 0;
  (void)threads; (void)blocks;
  clear_totals(whole);
  while (at < games) {
    Totals part;
    int64_t played = sum_matches(0, first + at, games - at, RANDOM, 0, &part, left_out, &left, &stop);
    join_totals(whole, &part);
    missed += left;
    at += played;
  }
  return (long long)missed;
}
#endif

int main(int argc, char **argv) { /* GAMES [THREADS BLOCKS ROUNDS] */
  int64_t games = argc > 1 ? atoll(argv[1]) : 10000;
  int threads = argc > 2 ? atoi(argv[2]) : 128, blocks = argc > 3 ? atoi(argv[3]) : 1056, rounds = argc > 4 ? atoi(argv[4]) : 1;
  int round;
  for (round = 0; round < rounds; round++) {
    Totals whole;
    double began = now(), took;
    long long left = play_all(0, games, threads, blocks, &whole);
    took = now() - began;
    if (round == 0) print_totals(&whole, left);
    printf("round %d threads %d blocks %d: %lld games in %.4f s, %.0f games/s, %.0f decisions/s\n", round, threads, blocks,
           (long long)games, took, (double)games / took, (double)whole.decisions.total / took);
    fflush(stdout);
  }
  return 0;
}
