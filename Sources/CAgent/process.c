#include <dlfcn.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "CAgent.h"

bool agent_find_symbols(void *library, const agent_symbol *symbols, size_t count) {
  for (size_t index = 0; index < count; index++) {
    *symbols[index].place = dlsym(library, symbols[index].name);
    if (*symbols[index].place == NULL) return false;
  }
  return true;
}

void agent_become_private(void) {
  (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  struct rlimit none = {0};
  (void)setrlimit(RLIMIT_CORE, &none);
}

void agent_set_nonblocking(int file) {
  struct stat status;
  int flags = fcntl(file, F_GETFL);
  if (flags < 0 || fstat(file, &status) != 0) return;
  if (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)) (void)fcntl(file, F_SETFL, flags | O_NONBLOCK);
}
