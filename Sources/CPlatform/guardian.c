#include "guardian.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "CPlatform.h"

enum { group_limit = 4096 };

/// Where the host notes its groups; −1 while there is no guardian.
static int notes = -1;
static char **host_arguments;

void platform_name_arguments(char **arguments) { host_arguments = arguments; }

/// Shows another name than the host's in ps: who looks for the host must not find this.
static void rename_process(void) {
  static const char name[] = "today: guardian";
  (void)prctl(PR_SET_NAME, "today-guardian");
  if (!host_arguments || !host_arguments[0]) return;
  size_t room = 0;
  for (char **argument = host_arguments; *argument; argument++) {
    if (*argument != host_arguments[0] + room) break;
    room += strlen(*argument) + 1;
  }
  memset(host_arguments[0], 0, room);
  memcpy(host_arguments[0], name, room < sizeof name ? room - 1 : sizeof name - 1);
}

/// Reads notes until the host is gone, and then ends what it left. Async-signal-safe throughout.
static void watch(int input) {
  static pid_t groups[group_limit];
  size_t count = 0;
  for (;;) {
    pid_t note;
    ssize_t length = read(input, &note, sizeof note);
    if (length < 0 && errno == EINTR) continue;
    if (length != (ssize_t)sizeof note) break;
    if (note > 0) {
      if (count < group_limit) groups[count++] = note;
      continue;
    }
    for (size_t index = 0; index < count; index++) {
      if (groups[index] == -note) {
        groups[index] = groups[--count];
        break;
      }
    }
  }
  for (size_t index = 0; index < count; index++) (void)kill(-groups[index], SIGKILL);
  _exit(0);
}

static void start(void) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return;
  pid_t pid = _Fork();
  if (pid == 0) {
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    for (int number = 1; number < NSIG; number++) (void)sigaction(number, &ignore, NULL);
    (void)setsid();
    (void)dup2(ends[0], 0);
    (void)close_range(1, ~0U, 0);
    rename_process();
    watch(0);
  }
  close(ends[0]);
  if (pid < 0) {
    close(ends[1]);
    return;
  }
  notes = ends[1];
}

static void note(pid_t value) {
  ssize_t length;
  do {
    length = write(notes, &value, sizeof value);
  } while (length < 0 && errno == EINTR);
}

void guardian_add(pid_t group) {
  if (notes < 0) start();
  if (notes >= 0) note(group);
}

void guardian_remove(pid_t group) {
  if (notes >= 0) note(-group);
}
