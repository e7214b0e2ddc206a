/* The target abstraction: all that differs between a C compiler for the host and CUDA for a device. */
#ifdef __CUDACC_RTC__
typedef unsigned char uint8_t; typedef signed char int8_t; typedef unsigned short uint16_t; typedef short int16_t;
typedef unsigned int uint32_t; typedef int int32_t; typedef unsigned long long uint64_t; typedef long long int64_t;
#define UINT64_C(x) x##ull
#define INT64_C(x) x##ll
#define INT32_MAX 2147483647
#define INT32_MIN (-2147483647 - 1)
#define INT64_MIN (-9223372036854775807ll - 1)
#define INT64_MAX 9223372036854775807ll
#else
#include <stdint.h>
#endif
/* What a device runs: whole matches in step (BATCHES), or, in an ENVIRONMENT, each match to its next decision, as on a host. */
#if defined(__CUDACC__) && !defined(ENVIRONMENT)
#define BATCHES 1
#else
#define BATCHES 0
#endif
#ifdef __CUDACC__
#define HOST_DEVICE static __device__
#define INLINE static __device__ /* left to the heuristics of nvcc: inlining everything makes compilation take minutes */
#define NOINLINE static __device__ __noinline__
#define CONSTANT static __device__
#define POPCOUNT(x) __popcll(x)
#define LOWEST_BIT(x) (__ffsll((long long)(x)) - 1)
#define HIGHEST_BIT(x) (63 - __clzll((long long)(x)))
#define STOPPED(A) 0
#define COPY(to, from, size) memcpy(to, from, size)
#define FILL(to, byte, size) memset(to, byte, size)
#define REMEMBERED static __device__
#define LOAD_BYTE(at) (*(at)) /* not volatile, which bypasses L1. Races are benign: single bytes do not tear */
#define STORE_BYTE(at, x) (*(at) = (uint8_t)(x))
#define for _Pragma("unroll 1") for /* instruction caches are small */
#endif
#if BATCHES
#define STOPPING(A) PLAYS
#define TURN int32_t at = FAULTY, left_with = FAULT, side = 0; Frame frame, *F = &frame; BEGIN_FRAME
#define MEET(block, place) { at = place; goto meet; }
#define LEAVE(outcome) { \
  P->decisions = F->decisions; A->offered = F->offered; A->widest = F->widest; \
  left_with = (outcome); at = NEXT_MATCH; goto meet; }
#define LEFT 2147483647
#define FAULTY (-1) /* the priority of a thread that reached a meeting without setting one: it goes first */
#define WARP 32
#define MOST_THREADS 128 /* per block: more of them share instruction fetches, but wait longer at barriers */
#define EVERYBODY 0xFFFFFFFFu
static __device__ int32_t first_place(int32_t at) { /* warp-wide minimum */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  return __reduce_min_sync(EVERYBODY, at);
#else
  int32_t apart, other;
  for (apart = WARP / 2; apart > 0; apart /= 2) { other = __shfl_xor_sync(EVERYBODY, at, apart); at = other < at ? other : at; }
  return at;
#endif
}
/* The barrier of a thread block: every thread comes here after every stretch of code until all have left, so there is no deadlock.
 * Returns when this thread's merge point is the first of all. Double-buffered: slow threads may still read the other side. */
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
/* Stores to local memory write through to L2, which stalls. So as many arrays of the table as fit at full occupancy are in shared
 * memory (`Cells`), and scalars that only `run` accesses in registers (`Frame`). */
#define ON_DEVICE 1
#define NARROW(x)
#define MISSED P->fault = 1 /* a misprediction bails out: code without the invalidation path is shorter */
#define TABLE(field) TABLE_##field
#define SLOT(name) F->name
#define TOLD(name) F->name
#define START_SLOTS(P)
#define BEGIN_FRAME start_slots(P, F); F->decisions = F->widest = 0; F->offered = 0;
#else
#ifndef __CUDACC__
/* Most lists are short: peel first iterations, do not turn copy loops into calls of memcpy. Functions are aligned to cache lines, or
 * their speed depends on what precedes them. */
#if defined(__OPTIMIZE__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("peel-loops", "no-tree-loop-distribute-patterns", "align-functions=64")
#endif
#define HOST_DEVICE static
#ifdef __OPTIMIZE__
#define INLINE static inline __attribute__((always_inline, unused))
#else
#define INLINE static __attribute__((unused)) /* quick builds: compile time first */
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
#define COPY(to, from, size) __builtin_memcpy(to, from, size)
#define FILL(to, byte, size) __builtin_memset(to, byte, size)
#define STOPPED(A) ((A)->stop && *(A)->stop)
#define REMEMBERED static
#define LOAD_BYTE(at) __atomic_load_n(at, __ATOMIC_RELAXED)
#define STORE_BYTE(at, x) __atomic_store_n(at, (uint8_t)(x), __ATOMIC_RELAXED)
#endif
#define STOPPING(A) ((A)->stops)
#define TURN
#if defined(__aarch64__) /* a 64-bit product is three times as slow, but compilers widen: hide the value from them */
#define NARROW(x) __asm__("" : "+r"(x));
#else
#define NARROW(x)
#endif
#define ON_DEVICE 0
#define MISSED kept = 0 /* a card was not where cached sums assumed: invalidate all */
#define TABLE(field) P->t.field
#define SLOT(name) P->name
#define TOLD(name) A->name
#define START_SLOTS(P) start_slots(P, P)
#define MEET(block, place) goto block;
#define LEAVE(outcome) return outcome
#endif
#if !defined(__CUDACC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define WORDS (CARDS <= 256) /* SWAR: cards are bytes, processed eight at a time */
#else
#define WORDS 0
#endif
#ifdef FAULT_AT /* fault injection for tests: a fault every FAULT_AT decisions */
#define INJECTED (SLOT(decisions) % FAULT_AT == FAULT_AT - 1)
#else
#define INJECTED 0
#endif
#define ONE_BIT(x) ((x) != 0 && ((x) & ((x) - 1)) == 0)
#define TWO_BITS(x) (((x) & ((x) - 1)) != 0) /* or more */
#define ONE_ROW(x) (((x) & ((x) + ((x) & (0 - (x))))) == 0) /* the set bits, if any, are contiguous */
#define NONE32 INT32_MIN
#define NONE64 INT64_MIN
#define ALL INT64_MIN
#define START (-1)
enum { ASKED = 1, OVER = 2, FAULT = 3 };
enum { RANDOM = 0, FIRST = 1 };
enum { PLAYS = 0, STOPS = 1, PEEKS = 2, ROLLS = 3 };
