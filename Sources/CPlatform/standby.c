#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// What the file of the bell says of the last start: whoever looks at the page can change the one with the locks.
struct last_start {
  int64_t second;
  int64_t failures;
};

enum { SHORT_LIFE = 10, MOST_DOUBLINGS = 6, PROGRAM_FILE = 3 };

static int64_t now(void) {
  struct timespec time = {0};
  clock_gettime(CLOCK_BOOTTIME, &time);
  return time.tv_sec;
}

/// Waits before a program is started again that has ended soon, ever longer. The caller has the lock, so that nobody
/// else starts it meanwhile.
static void pause_after_failures(const char *path) {
  int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  struct last_start last = {0};
  int64_t time = now();
  int is_known = pread(file, &last, sizeof last, PLATFORM_BELL_LENGTH) == sizeof last && last.second <= time;
  int is_failure = is_known && time - last.second < SHORT_LIFE;
  last.failures = is_failure && last.failures < MOST_DOUBLINGS ? last.failures + 1
                  : is_failure                                 ? MOST_DOUBLINGS
                                                               : 0;
  if (last.failures > 0) {
    struct timespec rest = {.tv_sec = 1 << (last.failures - 1)};
    while (nanosleep(&rest, &rest) < 0 && errno == EINTR) {
    }
  }
  last.second = now();
  (void)!pwrite(file, &last, sizeof last, PLATFORM_BELL_LENGTH);
  if (file >= 0) close(file);
}

/// Becomes the program, in the process that was forked for it: in a session of its own, with the lock as its only file.
static void become(const platform_standby_program *program, int file) {
  setsid();
  int empty = open("/dev/null", O_RDWR);
  if (empty < 0) _exit(127);
  for (int stream = 0; stream <= 2; stream++) dup2(empty, stream);
  if (file == PROGRAM_FILE) {
    fcntl(file, F_SETFD, 0);
  } else {
    dup2(file, PROGRAM_FILE);
  }
  syscall(SYS_close_range, PROGRAM_FILE + 1, ~0u, 0);
  execve(program->path, (char *const *)program->arguments, (char *const *)program->environment);
  _exit(127);
}

/// Starts the program, which is nobody's child, so that it outlives this process.
static void start(const platform_standby_program *program, int file) {
  pid_t child = fork();
  if (child == 0) {
    if (fork() == 0) become(program, file);
    _exit(0);
  }
  while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {
  }
}

static void stand_by(const platform_standby_program *program) {
  for (;;) {
    int file = open(program->lock, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) _exit(0);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
    int status;
    while ((status = fcntl(file, F_OFD_SETLKW, &lock)) < 0 && errno == EINTR) {
    }
    // A file system without locks: who looks at the page sees what was stored last.
    if (status < 0) _exit(0);
    pause_after_failures(program->bell);
    start(program, file);
    close(file);
  }
}

pid_t platform_stand_by(const platform_standby_program *program) {
  pid_t owner = getpid();
  pid_t child = fork();
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != owner) _exit(0);
  prctl(PR_SET_NAME, "today-standby");
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  // Neither the terminal nor the place among those who look at the page is held by this process.
  int empty = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int stream = 0; empty >= 0 && stream <= 2; stream++) dup2(empty, stream);
  syscall(SYS_close_range, 3, ~0u, 0);
  stand_by(program);
  _exit(0);
}
