/* A warp of a GPU played by threads of the processor, so that the text for a device can be tried without one: what threads of
 * a warp do together is a barrier here. Before the printed text; `one_warp_main.cpp` comes after it. */
#include <pthread.h>
#include <string.h>
#define __CUDACC__
#define __CUDA_ARCH__ 900
#define __device__
#define __global__
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(threads, blocks)
typedef struct { unsigned x; } Place;
static thread_local Place threadIdx;
static Place blockIdx = {0}, blockDim = {32}, gridDim = {1};
static pthread_barrier_t all_here;
static int said[32];
static int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static int __ffsll(long long x) { return __builtin_ffsll(x); }
static int __clzll(long long x) { return __builtin_clzll(x); }
static int __reduce_min_sync(unsigned lanes, int mine) {
  int least = mine;
  (void)lanes;
  said[threadIdx.x] = mine;
  pthread_barrier_wait(&all_here);
  for (int i = 0; i < 32; i++) if (said[i] < least) least = said[i];
  pthread_barrier_wait(&all_here);
  return least;
}
template <typename T> static T atomicAdd(T *at, T x) { return __atomic_fetch_add(at, x, __ATOMIC_SEQ_CST); }
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
static void atomicMin(long long *at, long long x) { pthread_mutex_lock(&one); if (x < *at) *at = x; pthread_mutex_unlock(&one); }
static void atomicMax(long long *at, long long x) { pthread_mutex_lock(&one); if (x > *at) *at = x; pthread_mutex_unlock(&one); }
