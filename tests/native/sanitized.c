/* After the text of a program: matches drawn, and matches choice by choice, under the sanitizers of the compiler. */
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **words) {
  int64_t matches = count > 1 ? atol(words[1]) : 1, left = 0, i, played, decisions = 0;
  int32_t stop = 0;
  int64_t *left_out = malloc(sizeof(int64_t) * (size_t)matches);
  Totals *totals = malloc(sizeof(Totals));
  Pos *P = malloc(sizeof(Pos)), *last = malloc(sizeof(Pos)), *scratch = malloc(sizeof(Pos));
  Ask *A = malloc(sizeof(Ask));
  uint64_t chance = 1;
  played = sum_matches(0, 0, matches, RANDOM, UINT64_C(1) << 60, totals, left_out, &left, &stop);
  for (i = 0; i < matches / 4 + 1; i++) {
    int32_t found = start(P, A, (uint64_t)i);
    while (found == ASKED && decisions < matches * 400) {
      int32_t size = A->size, seat = A->seat, place = (int32_t)(draw_bits(&chance) % (uint64_t)size);
      peek(P, scratch, A, place);
      A->size = size;
      A->seat = seat;
      found = apply(P, last, A, place, 0);
      decisions++;
    }
  }
  printf("%lld %lld %lld\n", (long long)played, (long long)left, (long long)(decisions > 0));
  free(left_out); free(totals); free(P); free(last); free(scratch); free(A);
  return 0;
}
