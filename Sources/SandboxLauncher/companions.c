#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launcher.h"

/// What a companion has: its word that it is ready, and the other end, so that no end of the launcher's is
/// noticed. Their lives are bound by the death signal instead.
enum { READY_FILE = 3, PEER_FILE = 4 };

enum { PATIENCE_MILLISECONDS = 5000, ARGUMENT_LIMIT = 256, WORDS_LIMIT = 1024 };

/// A program that is started beside the sandbox.
struct companion {
  const char *name;
  int count;
  char **arguments;
  bool has_network;
  /// It is ready when its first process exits with 0, and goes on in the background. Otherwise it writes a word.
  bool is_daemon;
  pid_t pid;
  /// The ends of the launcher: that it is ready, and what it writes to standard error.
  int ready;
  int words;
  /// Written to when it may start.
  int go;
};

static void open_pipe(int ends[2]) {
  if (pipe2(ends, O_CLOEXEC) < 0) launcher_fail(STATUS_NO_SANDBOX, errno, "cannot open a pipe", NULL);
}

static int beyond_inputs(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, PEER_FILE + 1); }

/// Becomes the companion, in the process that was forked for it; `owner` is the launcher.
static _Noreturn void become_companion(const struct companion *companion, pid_t owner, int ready, int peer,
                                       int words, int go) {
  char number[16];
  char *arguments[ARGUMENT_LIMIT + 1];
  snprintf(number, sizeof number, "%d", (int)owner);
  for (int index = 0; index < companion->count; index++) {
    arguments[index] = strcmp(companion->arguments[index], "{}") ? companion->arguments[index] : number;
  }
  arguments[companion->count] = NULL;
  // It ends with the first process of the run, which the launcher becomes, in whichever way that ends.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0 || getppid() != owner) _exit(STATUS_NO_SANDBOX);
  char word;
  if (read(go, &word, 1) != 1) _exit(STATUS_NO_SANDBOX);
  // The widget gets SIGTERM with it, and may need it until it has ended. Nobody reads later words.
  signal(SIGTERM, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  // The places of the inputs of the sandbox are taken by its own descriptors.
  int ends[2] = {beyond_inputs(ready), beyond_inputs(peer)};
  int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (ends[0] < 0 || ends[1] < 0 || nowhere < 0 || dup2(words, 2) < 0 || dup2(nowhere, 0) < 0
      || dup2(nowhere, 1) < 0 || dup2(ends[0], READY_FILE) < 0 || dup2(ends[1], PEER_FILE) < 0
      || close_range(PEER_FILE + 1, ~0U, 0) < 0) {
    _exit(STATUS_NO_SANDBOX);
  }
  extern char **environ;
  execve(arguments[0], arguments, environ);
  dprintf(2, "cannot be started: %s\n", strerror(errno));
  _exit(STATUS_NO_PROGRAM);
}

static void start(struct companion *companion) {
  int ready[2], words[2], go[2];
  open_pipe(ready);
  open_pipe(words);
  open_pipe(go);
  pid_t owner = getpid();
  pid_t pid = fork();
  if (pid < 0) launcher_fail(STATUS_NO_SANDBOX, errno, "cannot start", companion->name);
  if (pid == 0) {
    close(go[1]);
    become_companion(companion, owner, ready[1], ready[0], words[1], go[0]);
  }
  close(ready[1]);
  close(words[1]);
  close(go[0]);
  companion->pid = pid;
  companion->ready = ready[0];
  companion->words = words[0];
  companion->go = go[1];
}

/// Whether a companion that something was heard of is ready, rather than at its end.
static bool is_ready(const struct companion *companion) {
  char word;
  if (!companion->is_daemon) return read(companion->ready, &word, 1) == 1;
  int status = -1;
  return waitpid(companion->pid, &status, 0) == companion->pid && status == 0;
}

/// Lets a companion start, and waits until it says that it is ready.
static void wait_until_ready(struct companion *companion) {
  if (write(companion->go, "1", 1) != 1) launcher_fail(STATUS_NO_SANDBOX, errno, "cannot start", companion->name);
  close(companion->go);
  int process = companion->is_daemon ? pidfd_open(companion->pid, 0) : -1;
  struct pollfd event = {.fd = companion->is_daemon ? process : companion->ready, .events = POLLIN};
  int count;
  do {
    count = poll(&event, 1, PATIENCE_MILLISECONDS);
  } while (count < 0 && errno == EINTR);
  if (process >= 0) close(process);
  if (count > 0 && is_ready(companion)) {
    close(companion->ready);
    close(companion->words);
    return;
  }
  char words[WORDS_LIMIT + 1] = "is not ready after 5 s";
  if (count > 0) {
    // It has ended, and what it wrote is in the pipe.
    ssize_t length = read(companion->words, words, WORDS_LIMIT);
    if (length > 0) words[length] = 0;
    else strcpy(words, "ended before it was ready");
    words[strcspn(words, "\n")] = 0;
  }
  launcher_fail(STATUS_NO_SANDBOX, 0, companion->name, words);
}

static void write_file(const char *path, const char *text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? -1 : write(file, text, strlen(text));
  if (length != (ssize_t)strlen(text)) launcher_fail(STATUS_NO_SANDBOX, errno, "cannot write", path);
  close(file);
}

/// Enters a network of its own, that of a new user namespace in which the user keeps the same number.
///
/// The sandbox gets another user namespace, so that a widget has no rights over this network.
static void enter_network(void) {
  char user[64], group[64];
  snprintf(user, sizeof user, "%u %u 1", geteuid(), geteuid());
  snprintf(group, sizeof group, "%u %u 1", getegid(), getegid());
  if (unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0) {
    launcher_fail(STATUS_NO_SANDBOX, errno, "cannot have a network of its own", NULL);
  }
  write_file("/proc/self/setgroups", "deny");
  write_file("/proc/self/uid_map", user);
  write_file("/proc/self/gid_map", group);
}

_Noreturn void launcher_run_beside(char **arguments) {
  extern char **environ;
  struct companion companions[2] = {0};
  size_t count = 0;
  while (*arguments && strcmp(*arguments, "--") != 0) {
    struct companion *companion = &companions[count];
    bool is_daemon = strcmp(arguments[0], "network-daemon") == 0;
    bool is_network = is_daemon || strcmp(arguments[0], "network") == 0;
    long length = arguments[1] ? strtol(arguments[1], NULL, 10) : 0;
    if (count == 2 || (!is_network && strcmp(arguments[0], "bus") != 0) || length < 1
        || length > ARGUMENT_LIMIT) {
      launcher_fail(STATUS_NO_SANDBOX, 0, "no companion:", arguments[0]);
    }
    arguments += 2;
    for (long index = 0; index < length; index++) {
      if (!arguments[index]) launcher_fail(STATUS_NO_SANDBOX, 0, "too few arguments", NULL);
    }
    const char *slash = strrchr(arguments[0], '/');
    *companion = (struct companion){.name = slash ? slash + 1 : arguments[0],
                                    .count = (int)length,
                                    .arguments = arguments,
                                    .has_network = is_network,
                                    .is_daemon = is_daemon};
    arguments += length;
    count++;
  }
  if (!arguments[0] || !arguments[1]) launcher_fail(STATUS_NO_SANDBOX, 0, "no program", NULL);
  // All of them belong to the namespaces of the user, so they are forked before there are others.
  for (size_t index = 0; index < count; index++) start(&companions[index]);
  for (size_t index = 0; index < count; index++) {
    if (companions[index].has_network) enter_network();
    wait_until_ready(&companions[index]);
  }
  execve(arguments[1], arguments + 1, environ);
  launcher_fail(STATUS_NO_PROGRAM, errno, "cannot start", arguments[1]);
}
