
/* ---- kernels: a batch of matches for each thread ---- */
#if BATCHES
typedef unsigned long long counter_t;

static __device__ void merge_tally(Tally *whole, const Tally *part) {
  atomicAdd((counter_t *)&whole->total, (counter_t)part->total); /* unsigned wrap-around is two's complement addition */
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

/* The matches of a thread: every `step`th from number `at`, below `games`. `left_out` has room for the numbers of `room` matches
 * that could not be added. `ask` is the first member, so that `run` gets a pointer to it that is one to the batch. */
typedef struct {
  Ask ask;
  uint64_t seed;
  int64_t first, at, step, games, room;
  int64_t *left_out;
  counter_t *left;
  int32_t policy;
  Totals totals;
} Batch;

static __device__ void begin_match(Pos *P, Batch *batch) {
  uint64_t seed = derive_seed(batch->seed, (uint64_t)(batch->first + batch->at));
  start_position(P, seed);
  start_chance(&batch->ask, seed, batch->policy);
}

static __device__ int32_t next_match(Pos *P, Ask *A, int32_t outcome) { /* whether there is one */
  Batch *batch = (Batch *)A;
  Result result;
  end_match(P, A, outcome, &result);
  if (batch->at < batch->games && !add_result(&batch->totals, &result)) {
    counter_t place = atomicAdd(batch->left, (counter_t)1);
    if ((int64_t)place < batch->room) batch->left_out[place] = batch->first + batch->at;
  }
  batch->at += batch->step;
  if (batch->at >= batch->games) return 0;
  begin_match(P, batch);
  return 1;
}

/* Play matches numbered from `first` and reduce them to one sum per thread block. Blocks are whole warps, and every thread takes
 * part in every barrier: one without a match from the start plays one that is not counted. The launch bounds trade occupancy
 * against register spills, which overflow the caches. */
extern "C" __global__ void __launch_bounds__(MOST_THREADS, 1024 / MOST_THREADS)
sum_blocks(uint64_t seed, int64_t first, int64_t games, int32_t policy, Totals *totals, int64_t *left_out, int64_t room, counter_t *left) {
  Pos pos;
  Batch batch;
  batch.seed = seed; batch.first = first; batch.games = games; batch.policy = policy;
  batch.at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; batch.step = (int64_t)gridDim.x * blockDim.x;
  batch.left_out = left_out; batch.room = room; batch.left = left;
  begin_totals(&batch.totals);
  begin_match(&pos, &batch);
  run(&pos, &batch.ask);
  merge_totals(totals + blockIdx.x, &batch.totals);
}
#endif
