/* All that differs between a C compiler for this machine and CUDA for a device. */
#ifdef __CUDACC_RTC__
typedef unsigned char uint8_t; typedef signed char int8_t; typedef unsigned short uint16_t; typedef short int16_t;
typedef unsigned int uint32_t; typedef int int32_t; typedef unsigned long long uint64_t; typedef long long int64_t;
#define UINT64_C(x) x##ull
#define INT64_C(x) x##ll
#define INT32_MIN (-2147483647 - 1)
#define INT64_MIN (-9223372036854775807ll - 1)
#define INT64_MAX 9223372036854775807ll
#else
#include <stdint.h>
#endif
#ifdef __CUDACC__
#define HOST_DEVICE static __device__
#define INLINE static __device__ /* inlined by size: kernels in which everything is take minutes to compile */
#define NOINLINE static __device__ __noinline__
#define CONSTANT static __device__
#define POPCOUNT(x) __popcll(x)
#define LOWEST_BIT(x) (__ffsll((long long)(x)) - 1)
#define HIGHEST_BIT(x) (63 - __clzll((long long)(x)))
#define STOPPED(A) 0
#define COPY(to, from, size) memcpy(to, from, size)
#define FILL(to, byte, size) memset(to, byte, size)
#define REMEMBERED static __device__
#define LOAD_BYTE(at) (*(at)) /* not volatile: that goes past the cache. A byte is old or new, never something else */
#define STORE_BYTE(at, x) (*(at) = (uint8_t)(x))
#define for _Pragma("unroll 1") for /* the caches have room for few instructions: loops are not unrolled */
#define STOPPING(A) PLAYS
#define TURN int32_t at = FAULTY, left_with = FAULT, side = 0; Frame frame, *F = &frame; BEGIN_FRAME
#define MEET(block, place) { at = place; goto meet; }
#define LEAVE(outcome) { \
  P->decisions = F->decisions; A->offered = F->offered; A->widest = F->widest; \
  left_with = (outcome); at = NEXT_MATCH; goto meet; }
#define LEFT 2147483647
#define FAULTY (-1) /* where a thread is during every stretch until it says where it goes on; goes first */
#define WARP 32
#define MOST_THREADS 128 /* of a block: more share what is fetched of the program, and wait longer for each other */
#define EVERYBODY 0xFFFFFFFFu
static __device__ int32_t first_place(int32_t at) { /* the least of the warp's */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  return __reduce_min_sync(EVERYBODY, at);
#else
  int32_t apart, other;
  for (apart = WARP / 2; apart > 0; apart /= 2) { other = __shfl_xor_sync(EVERYBODY, at, apart); at = other < at ? other : at; }
  return at;
#endif
}
/* Every thread of the block comes here after every stretch, until all have left: nobody waits for one that does not come. Each
 * meeting is held on the other side of the table, which those who are slow may still be reading on this one. */
static __shared__ int32_t firsts[2][MOST_THREADS / WARP];
static __device__ int32_t take_turn(int32_t *at, int32_t *side) {
  int32_t place = *at, lane = threadIdx.x % WARP, first;
  do {
    first = first_place(place);
    if (lane == 0) firsts[*side][threadIdx.x / WARP] = first;
    __syncthreads();
    first = first_place(lane < blockDim.x / WARP ? firsts[*side][lane] : LEFT);
    *side ^= 1;
  } while (first != place);
  *at = FAULTY;
  return place;
}
/* A store to a match's own memory goes on to the cache that all processors share, and they wait for that. So as many arrays of the
 * table as there is room for, with all threads that can take turns, are kept where a block has its own (`Cells`), and what stands
 * alone in registers. */
#define ON_DEVICE 1
#define NARROW(x)
#define MISSED P->fault = 1 /* the match is left to others: programs are shorter in which values stay kept */
#define TABLE(field) TABLE_##field
#define SLOT(name) F->name
#define TOLD(name) F->name
#define START_SLOTS(P)
#define BEGIN_FRAME start_slots(P, F); F->decisions = F->widest = 0; F->offered = 0;
#else
/* Most lists have a few elements: the first ones are gone through without a loop, and no function is called to copy them. Functions
 * begin with a line of the cache, or others before them decide how fast they are. */
#if defined(__OPTIMIZE__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("peel-loops", "no-tree-loop-distribute-patterns", "align-functions=64")
#endif
#define HOST_DEVICE static
#ifdef __OPTIMIZE__
#define INLINE static inline __attribute__((always_inline, unused))
#else
#define INLINE static __attribute__((unused)) /* what is built quickly is to be there soon */
#endif
#define NOINLINE static __attribute__((noinline, unused))
#define CONSTANT static
#if defined(__POPCNT__) || defined(__aarch64__)
#define POPCOUNT(x) __builtin_popcountll(x)
#else
#define POPCOUNT(x) count_bits(x)
static inline __attribute__((always_inline, unused)) int32_t count_bits(uint64_t x) {
  x -= x >> 1 & UINT64_C(0x5555555555555555);
  x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
  return (int32_t)(((x + (x >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F)) * UINT64_C(0x0101010101010101) >> 56);
}
#endif
#define LOWEST_BIT(x) __builtin_ctzll(x)
#define HIGHEST_BIT(x) (63 - __builtin_clzll(x))
#define STOPPING(A) ((A)->stops)
#define TURN
#if defined(__aarch64__) /* of whole words a product takes three times as long, but compilers like to widen numbers */
#define NARROW(x) __asm__("" : "+r"(x));
#else
#define NARROW(x)
#endif
#define ON_DEVICE 0
#define MISSED kept = 0 /* a card did not lie where it was picked from, as kept values were told */
#define TABLE(field) P->t.field
#define SLOT(name) P->name
#define TOLD(name) A->name
#define START_SLOTS(P) start_slots(P, P)
#define MEET(block, place) goto block;
#define LEAVE(outcome) return outcome
#define COPY(to, from, size) __builtin_memcpy(to, from, size)
#define FILL(to, byte, size) __builtin_memset(to, byte, size)
#define STOPPED(A) ((A)->stop && *(A)->stop)
#define REMEMBERED static
#define LOAD_BYTE(at) __atomic_load_n(at, __ATOMIC_RELAXED)
#define STORE_BYTE(at, x) __atomic_store_n(at, (uint8_t)(x), __ATOMIC_RELAXED)
#endif
#if !defined(__CUDACC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define WORDS (CARDS <= 256) /* bytes are worked with eight at a time */
#else
#define WORDS 0
#endif
#ifdef FAULT_AT /* for tests: a fault at every so many decisions, which others have to make up for */
#define INJECTED (SLOT(decisions) % FAULT_AT == FAULT_AT - 1)
#else
#define INJECTED 0
#endif
#define ONE_BIT(x) ((x) != 0 && ((x) & ((x) - 1)) == 0)
#define TWO_BITS(x) (((x) & ((x) - 1)) != 0) /* or more */
#define ONE_ROW(x) (((x) & ((x) + ((x) & (0 - (x))))) == 0) /* if there are any, they are next to each other */
#define NONE32 INT32_MIN
#define NONE64 INT64_MIN
#define ALL INT64_MIN
#define START (-1)
enum { ASKED = 1, OVER = 2, FAULT = 3 };
enum { RANDOM = 0, FIRST = 1 };
enum { PLAYS = 0, STOPS = 1, PEEKS = 2, ROLLS = 3 };
