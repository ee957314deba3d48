#include "CPlatform.h"

#include <stdio.h>

int platform_rename(int folder, const char *from, const char *to, int exchanges) {
  unsigned flags = exchanges ? RENAME_EXCHANGE : RENAME_NOREPLACE;
  return renameat2(folder, from, folder, to, flags) == 0 ? 0 : -1;
}
