#include <stdio.h>
#include <stdlib.h>
static Totals totals;
static counter_t left;
static int64_t left_out[1024], games;

static void *play_lane(void *lane) {
  threadIdx.x = (unsigned)(size_t)lane;
  sum_blocks(5, 0, games, RANDOM, &totals, left_out, 1024, &left);
  return 0;
}

int main(int argc, char **argv) { /* GAMES: the totals of matches 0 to GAMES of seed 5, as numbers, and how many were left out */
  pthread_t lanes[IN_BLOCK];
  games = argc > 1 ? atoll(argv[1]) : 1;
  pthread_barrier_init(&all_here, 0, IN_BLOCK);
  for (int i = 0; i < IN_BLOCK / IN_WARP; i++) pthread_barrier_init(warp_here + i, 0, IN_WARP);
  begin_blocks(&totals, &left);
  for (size_t i = 0; i < IN_BLOCK; i++) pthread_create(lanes + i, 0, play_lane, (void *)i);
  for (int i = 0; i < IN_BLOCK; i++) pthread_join(lanes[i], 0);
  for (size_t i = 0; i < sizeof totals / 8; i++) printf("%lld ", ((long long *)&totals)[i]);
  printf("%lld\n", (long long)left);
  return 0;
}
