/* A block of a GPU, two warps, played by threads of the processor, so that the text for a device can be tried without one: what
 * threads of a warp or a block do together is a barrier here. Before the printed text; `one_block_main.cpp` comes after it. */
#include <pthread.h>
#include <string.h>
#define __CUDACC__
#define __CUDA_ARCH__ 900
#define __device__
#define __global__
#define __shared__
#define IN_WARP 32
#define IN_BLOCK (2 * IN_WARP)
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(threads, blocks)
typedef struct { unsigned x; } Place;
static thread_local Place threadIdx;
static Place blockIdx = {0}, blockDim = {IN_BLOCK}, gridDim = {1};
static pthread_barrier_t all_here, warp_here[IN_BLOCK / IN_WARP];
static int said[IN_BLOCK];
static void __syncthreads() { pthread_barrier_wait(&all_here); }
static int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static int __ffsll(long long x) { return __builtin_ffsll(x); }
static int __clzll(long long x) { return __builtin_clzll(x); }
static int __reduce_min_sync(unsigned lanes, int mine) {
  int least = mine, warp = threadIdx.x / IN_WARP, first = warp * IN_WARP;
  (void)lanes;
  said[threadIdx.x] = mine;
  pthread_barrier_wait(warp_here + warp);
  for (int i = first; i < first + IN_WARP; i++) if (said[i] < least) least = said[i];
  pthread_barrier_wait(warp_here + warp);
  return least;
}
template <typename T> static T atomicAdd(T *at, T x) { return __atomic_fetch_add(at, x, __ATOMIC_SEQ_CST); }
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
static void atomicMin(long long *at, long long x) { pthread_mutex_lock(&one); if (x < *at) *at = x; pthread_mutex_unlock(&one); }
static void atomicMax(long long *at, long long x) { pthread_mutex_lock(&one); if (x > *at) *at = x; pthread_mutex_unlock(&one); }
