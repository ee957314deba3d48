// A library for LD_PRELOAD that keeps the main thread from going on: when it reads something while there is a file
// `hang` in the folder HOME, it waits for ever, and with a file `spin` it works for ever.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int is_there(const char *name) {
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/%s", getenv("HOME") ? getenv("HOME") : "", name);
  return access(path, F_OK) == 0;
}

ssize_t read(int file, void *bytes, size_t count) {
  static ssize_t (*standard)(int, void *, size_t);
  if (!standard) standard = dlsym(RTLD_NEXT, "read");
  if (gettid() == getpid() && isatty(file)) {
    while (is_there("hang")) (void)pause();
    while (is_there("spin")) continue;
  }
  return standard(file, bytes, count);
}
