#include "guardian.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CPlatform.h"
#include "keeper.h"
#include "mark.h"
#include "terminal.h"

enum { GROUP_LIMIT = 4096, RETIRE = 0, OUTPUT_WAIT = 1000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/// The guardian and where it is told what; −1 while there is none.
static pid_t guardian = -1;
static int guardian_pidfd = -1;
static int notes = -1;
static int holds_terminal;
/// The host's groups; a guardian begins with what they are when it is forked.
static pid_t groups[GROUP_LIMIT];
static size_t group_count;
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

static void keep_group(pid_t value) {
  if (value > 0) {
    if (group_count < GROUP_LIMIT) groups[group_count++] = value;
    return;
  }
  for (size_t index = 0; index < group_count; index++) {
    if (groups[index] == -value) {
      groups[index] = groups[--group_count];
      break;
    }
  }
}

/// Reads notes until the host is gone, and then ends what it left. Async-signal-safe throughout.
static void watch(int has_terminal) {
  for (;;) {
    pid_t note;
    ssize_t length = read(0, &note, sizeof note);
    if (length < 0 && errno == EINTR) continue;
    if (length != (ssize_t)sizeof note) break;
    if (note == RETIRE) _exit(0);
    keep_group(note);
  }
  // The terminal first, while the shell has not noticed yet; one that takes nothing comes last.
  int is_given = !has_terminal || terminal_give_back(2, 1, 0);
  for (size_t index = 0; index < group_count; index++) (void)kill(-groups[index], SIGKILL);
  mark_kill_all();
  if (!is_given) (void)terminal_give_back(2, 1, OUTPUT_WAIT);
  _exit(0);
}

/// What a guardian does from the fork on. Its descriptors are the notes, and the terminal's two.
static void become_guardian(int input, int settings) {
  // SIGTTOU among them: the terminal is not this session's.
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  for (int number = 1; number < NSIG; number++) (void)sigaction(number, &ignore, NULL);
  (void)setsid();
  int ends[3] = {fcntl(input, F_DUPFD, 3), -1, -1};
  if (settings >= 0) {
    ends[1] = fcntl(terminal_output(), F_DUPFD, 3);
    ends[2] = fcntl(settings, F_DUPFD, 3);
  }
  for (int index = 0; index < 3; index++) {
    if (ends[index] >= 0) (void)dup2(ends[index], index);
    else close(index);
  }
  (void)close_range(3, ~0U, 0);
  rename_process();
  watch(ends[1] >= 0 && ends[2] >= 0);
}

static void start(void) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return;
  // A note to a guardian that died must be an error.
  platform_ignore_sigpipe();
  mark_prepare();
  int settings = terminal_descriptor();
  pid_t pid = _Fork();
  if (pid == 0) become_guardian(ends[0], settings);
  close(ends[0]);
  if (pid < 0) {
    close(ends[1]);
    return;
  }
  guardian = pid;
  guardian_pidfd = pidfd_open(pid, 0);
  notes = ends[1];
  holds_terminal = settings >= 0;
  keeper_watch_guardian();
}

/// Forgets the guardian, which has died or been told to go, and collects it.
static void collect(void) {
  if (notes < 0) return;
  close(notes);
  notes = -1;
  if (guardian_pidfd >= 0) close(guardian_pidfd);
  guardian_pidfd = -1;
  pid_t waited;
  do {
    waited = waitpid(guardian, NULL, 0);
  } while (waited < 0 && errno == EINTR);
}

static int tell(pid_t value) {
  ssize_t length;
  do {
    length = write(notes, &value, sizeof value);
  } while (length < 0 && errno == EINTR);
  return length == (ssize_t)sizeof value;
}

int guardian_start(void) {
  pthread_mutex_lock(&lock);
  if (notes < 0) start();
  int pidfd = guardian_pidfd;
  pthread_mutex_unlock(&lock);
  return pidfd;
}

void guardian_hold_terminal(void) {
  pthread_mutex_lock(&lock);
  if (notes >= 0 && !holds_terminal) {
    (void)tell(RETIRE);
    collect();
  }
  if (notes < 0) start();
  pthread_mutex_unlock(&lock);
}

int guardian_replace(void) {
  pthread_mutex_lock(&lock);
  siginfo_t info = {0};
  if (notes >= 0 && waitid(P_PID, (id_t)guardian, &info, WEXITED | WNOWAIT | WNOHANG) == 0
      && info.si_pid != 0) {
    collect();
    start();
  }
  int pidfd = guardian_pidfd;
  pthread_mutex_unlock(&lock);
  return pidfd;
}

static void note(pid_t value) {
  pthread_mutex_lock(&lock);
  keep_group(value);
  if (notes >= 0 && !tell(value)) {
    // It is dead; the next one knows the groups by the fork.
    collect();
    start();
  }
  pthread_mutex_unlock(&lock);
}

void guardian_add(pid_t group) { note(group); }

void guardian_remove(pid_t group) { note(-group); }
