#include "title.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>

#include "CPlatform.h"

static char **host_arguments;
static char **own_arguments;

/// Runs before main, with its arguments (ld.so(8), the functions of .init_array).
__attribute__((constructor)) static void keep_arguments(int count, char **arguments) {
  (void)count;
  own_arguments = arguments;
}

char **platform_arguments(void) {
  static char *none[] = {NULL};
  return own_arguments ? own_arguments : none;
}

const char *platform_executable(void) {
  static char resolved[PATH_MAX];
  const char *path = (const char *)getauxval(AT_EXECFN);
  if (path && realpath(path, resolved)) return resolved;
  return path ? path : "today";
}

void platform_name_arguments(char **arguments) { host_arguments = arguments; }

void title_set(const char *name, const char *title) {
  (void)prctl(PR_SET_NAME, name);
  if (!host_arguments || !host_arguments[0]) return;
  size_t room = 0;
  for (char **argument = host_arguments; *argument; argument++) {
    if (*argument != host_arguments[0] + room) break;
    room += strlen(*argument) + 1;
  }
  size_t length = strlen(title);
  memset(host_arguments[0], 0, room);
  memcpy(host_arguments[0], title, room <= length ? room - 1 : length);
}
