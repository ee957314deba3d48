#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <time.h>
#include <unistd.h>

#include "descriptors.h"
#include "guardian.h"
#include "leavers.h"
#include "mark.h"
#include "title.h"

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// MARK: - The program that serves them

/// Becomes the program that serves the widgets; returns only if it cannot be started.
static void become_server(const platform_leaving_server *server, const int *kept, size_t count) {
  int nowhere = open("/dev/null", O_RDWR);
  if (nowhere < 0) return;
  for (int stream = 0; stream < 3; stream++) {
    if (dup2(nowhere, stream) < 0) return;
  }
  if (nowhere > 2) close(nowhere);
  for (size_t index = 0; index < count; index++) {
    if (fcntl(kept[index], F_SETFD, 0) < 0) return;
  }
  (void)execve(server->path, server->arguments, server->environment);
}

/// Starts the program; returns a pidfd on it, or −1.
static int start_server(const platform_leaving_server *server, const int *kept, size_t count) {
  // The streams of the program take the first three numbers.
  if (count == 0 || kept[0] < 3) return -1;
  int failure[2];
  if (pipe2(failure, O_CLOEXEC) < 0) return -1;
  int end = fcntl(failure[1], F_DUPFD_CLOEXEC, 3);
  close(failure[1]);
  failure[1] = end;
  pid_t pid = end >= 0 ? _Fork() : -1;
  if (pid == 0) {
    become_server(server, kept, count);
    (void)!write(failure[1], "1", 1);
    _exit(127);
  }
  close(failure[1]);
  int pidfd = -1;
  char byte;
  // Its end of the pipe is closed when it has become the program.
  if (pid > 0 && read(failure[0], &byte, 1) == 0) pidfd = pidfd_open(pid, 0);
  close(failure[0]);
  return pidfd;
}

/// Waits for the program that serves the widgets, and ends what it has left, as this process would.
static void guard_server(int server, const platform_leaving_server *description) {
  leavers_close_streams();
  for (size_t index = 0; index < description->descriptor_count; index++) {
    close(description->descriptors[index]);
  }
  int64_t last = now() + description->milliseconds;
  struct pollfd ended = {.fd = server, .events = POLLIN};
  int64_t rest;
  while ((rest = last - now()) > 0 && poll(&ended, 1, (int)rest) <= 0) continue;
  (void)pidfd_send_signal(server, SIGKILL, NULL, 0);
  leavers_end();
}

/// Runs in the child; only async-signal-safe calls.
static void become_leaver(const int *kept, size_t count, const platform_leaving_server *server) {
  // A signal to the host's group, or the end of its terminal, does not concern it.
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  for (int number = 1; number < NSIG; number++) (void)sigaction(number, &ignore, NULL);
  (void)setsid();
  (void)!chdir("/");
  close_others(kept, count);
  title_set("widget-leaving", "today: leaving");
  int program = server ? start_server(server, kept, count) : -1;
  if (program >= 0) guard_server(program, server);
  else leavers_serve();
  _exit(0);
}

int platform_leave(const platform_leaver *sources, size_t count,
                   const platform_leaving_server *server) {
  if (count > LEAVER_LIMIT) return E2BIG;
  static int kept[5 * LEAVER_LIMIT + PLATFORM_LEAVING_FILE_LIMIT];
  size_t kept_count = 0;
  if (!leavers_adopt(sources, count)) return EINVAL;
  for (size_t index = 0; index < count; index++) {
    const platform_leaver *leaver = &sources[index];
    int all[5] = {leaver->child.pidfd, leaver->input, leaver->output, leaver->errors,
                  leaver->group_kill};
    for (size_t place = 0; place < 5; place++) {
      if (all[place] >= 0) kept[kept_count++] = all[place];
    }
  }
  if (server && server->descriptor_count > PLATFORM_LEAVING_FILE_LIMIT) return E2BIG;
  for (size_t index = 0; server && index < server->descriptor_count; index++) {
    kept[kept_count++] = server->descriptors[index];
  }
  sort_descriptors(kept, kept_count);
  pid_t pid = _Fork();
  if (pid == 0) become_leaver(kept, kept_count, server);
  if (pid < 0) return errno;
  for (size_t index = 0; index < count; index++) {
    guardian_remove(sources[index].child.pid);
    if (!mark_spare(sources[index].child.run)) return E2BIG;
  }
  return 0;
}
