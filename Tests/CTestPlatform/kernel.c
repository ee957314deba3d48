#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CTestPlatform.h"

int test_landlock_version(void) {
  // landlock_create_ruleset(2) with LANDLOCK_CREATE_RULESET_VERSION; the numbers are common to all processors.
  long version = syscall(444, NULL, 0, 1);
  return version < 0 ? -errno : (int)version;
}

/// The program of `test_outlive`: it keeps `kept` open, closes its own copy, says so, and waits for its end.
static _Noreturn void close_and_wait(pid_t (*keep)(const int *, size_t), int kept, int words) {
  // With a second one before it that has a larger number.
  int descriptors[2] = {dup(words), kept};
  char byte = keep(descriptors, 2) > 0;
  close(kept);
  if (write(words, &byte, 1) != 1) _exit(1);
  for (;;) (void)pause();
}

int test_outlive(pid_t (*keep)(const int *, size_t)) {
  int kept[2], words[2];
  if (pipe(kept) < 0 || pipe(words) < 0) return 1;
  pid_t program = fork();
  if (program == 0) {
    close(kept[0]);
    close(words[0]);
    close_and_wait(keep, kept[1], words[1]);
  }
  close(kept[1]);
  close(words[1]);
  if (program < 0) return 2;
  char byte = 0;
  int step = 0;
  if (read(words[0], &byte, 1) != 1 || byte != 1) step = 3;
  struct pollfd end = {.fd = kept[0], .events = POLLIN};
  if (step == 0 && poll(&end, 1, 0) != 0) step = 4;
  (void)kill(program, SIGKILL);
  (void)waitpid(program, NULL, 0);
  if (step == 0 && (poll(&end, 1, 10000) != 1 || read(kept[0], &byte, 1) != 0)) step = 5;
  close(kept[0]);
  close(words[0]);
  return step;
}
