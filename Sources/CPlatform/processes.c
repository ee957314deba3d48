#include "processes.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

int each_process(char *entries, size_t size, void (*body)(pid_t pid, void *context),
                 void *context) {
  int folder = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return 0;
  ssize_t length;
  while ((length = getdents64(folder, entries, size)) > 0) {
    for (ssize_t place = 0; place < length;) {
      const struct dirent64 *entry = (const struct dirent64 *)(const void *)(entries + place);
      place += entry->d_reclen;
      pid_t pid = 0;
      const char *digit = entry->d_name;
      while (*digit >= '0' && *digit <= '9') pid = pid * 10 + (*digit++ - '0');
      if (!*digit && pid > 1) body(pid, context);
    }
  }
  close(folder);
  return 1;
}
