#ifndef CTESTPLATFORM_STRINGS_H
#define CTESTPLATFORM_STRINGS_H

#include <stdlib.h>
#include <string.h>

/// Makes the array that exec takes out of strings that lie one after the other.
static inline char **split_strings(const char *strings, size_t count) {
  char **result = calloc(count + 1, sizeof *result);
  for (size_t index = 0; result && index < count; index++) {
    result[index] = (char *)strings;
    strings += strlen(strings) + 1;
  }
  return result;
}

#endif
