#include "descriptors.h"

#include <stdlib.h>
#include <unistd.h>

static int by_number(const void *first, const void *second) {
  return *(const int *)first - *(const int *)second;
}

void sort_descriptors(int *descriptors, size_t count) {
  qsort(descriptors, count, sizeof *descriptors, by_number);
}

void close_others(const int *kept, size_t count) {
  unsigned first = 0;
  for (size_t index = 0; index < count; index++) {
    unsigned number = (unsigned)kept[index];
    if (number > first) (void)close_range(first, number - 1, 0);
    first = number + 1;
  }
  (void)close_range(first, ~0U, 0);
}
