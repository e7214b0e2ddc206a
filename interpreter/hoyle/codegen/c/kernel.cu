
/* ---- what a device runs: many matches at once, one after the other in each thread ---- */
#ifdef __CUDACC__
typedef unsigned long long counter_t;
#define MOST_THREADS 256

static __device__ void merge_tally(Tally *whole, const Tally *part) {
  atomicAdd((counter_t *)&whole->total, (counter_t)part->total); /* modulo 2^64, as sums of signed numbers are, too */
  atomicAdd((counter_t *)&whole->squares, (counter_t)part->squares);
  atomicMin((long long *)&whole->low, (long long)part->low);
  atomicMax((long long *)&whole->high, (long long)part->high);
}

static __device__ void merge_totals(Totals *whole, const Totals *part) {
  int32_t i, j;
  atomicAdd((counter_t *)&whole->games, (counter_t)part->games);
  atomicAdd((counter_t *)&whole->undecided, (counter_t)part->undecided);
  atomicAdd((counter_t *)&whole->offered, (counter_t)part->offered);
  atomicMax((long long *)&whole->widest, (long long)part->widest);
  for (i = 0; i < PLAYERS; i++)
    for (j = 0; j < PLAYERS; j++) atomicAdd((counter_t *)&whole->wins[i][j], (counter_t)part->wins[i][j]);
  for (i = 0; i < PLAYERS; i++) merge_tally(&whole->scores[i], &part->scores[i]);
  merge_tally(&whole->decisions, &part->decisions);
  merge_tally(&whole->rounds, &part->rounds);
}

extern "C" __global__ void begin_blocks(Totals *totals, counter_t *left) {
  if (threadIdx.x == 0) begin_totals(totals + blockIdx.x);
  if (threadIdx.x == 0 && blockIdx.x == 0) *left = 0;
}

/* The sum of matches numbered from `first`, for each block one; `left_out` has room for `room` that could not be added. Blocks
 * are whole warps, whose threads play together: where there is no match left for some, they play one that is not counted.
 * Threads wait for memory more than they compute: so few registers that as many as possible take turns. */
extern "C" __global__ void __launch_bounds__(MOST_THREADS, 2048 / MOST_THREADS) sum_blocks(uint64_t seed, int64_t first, int64_t games, int32_t policy, Totals *totals,
                                      int64_t *left_out, int64_t room, counter_t *left) {
  int64_t i, step = (int64_t)gridDim.x * blockDim.x, lane = threadIdx.x % WARP;
  Pos pos;
  Ask ask;
  Result result;
  Totals mine;
  begin_totals(&mine);
  for (i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i - lane < games; i += step) {
    play_match(&pos, &ask, derive_seed(seed, (uint64_t)(first + i)), policy, &result, 0);
    if (i < games && !add_result(&mine, &result)) {
      counter_t at = atomicAdd(left, (counter_t)1);
      if ((int64_t)at < room) left_out[at] = first + i;
    }
  }
  merge_totals(totals + blockIdx.x, &mine);
}
#endif
