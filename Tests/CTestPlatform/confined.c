#include "CTestPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int opens(const char *path, int flags) {
  int file = open(path, flags, 0600);
  if (file >= 0) close(file);
  return file >= 0;
}

static int starts_process(void) {
  pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  return child > 0;
}

/// Whether the kernel would signal the parent when something can be read.
static int owns_signals(void) {
  int ends[2];
  return pipe(ends) == 0
         && (fcntl(ends[0], F_SETOWN, getppid()) == 0 || fcntl(ends[0], F_SETSIG, SIGURG) == 0);
}

static int changes_attributes(const char *path) {
  int file = open(path, O_RDONLY), flags = 0;
  // Not every file system has attributes.
  int result = file < 0 ? -1 : ioctl(file, FS_IOC_SETFLAGS, &flags);
  int is_refused = result < 0 && errno == EPERM;
  if (file >= 0) close(file);
  return !is_refused;
}

/// What a process can do, as bits.
static int abilities(const char *folder, int semaphores) {
  char file[512], other[512];
  snprintf(file, sizeof file, "%s/file", folder);
  snprintf(other, sizeof other, "%s/other", folder);
  char *const arguments[] = {"/bin/true", NULL};
  int found = 0;
  if (opens(file, O_RDONLY)) found |= TEST_CAN_READ;
  if (opens(file, O_WRONLY) || opens(file, O_RDWR) || opens(file, O_RDONLY | O_TRUNC)
      || opens(other, O_RDONLY | O_CREAT) || opens(folder, O_TMPFILE | O_RDWR)
      || truncate(file, 0) == 0)
    found |= TEST_CAN_WRITE;
  if (mkdir(other, 0700) == 0 || unlink(file) == 0 || rename(file, other) == 0
      || link(file, other) == 0 || symlink("x", other) == 0 || chmod(file, 0777) == 0
      || chown(file, getuid(), getgid()) == 0 || mkfifo(other, 0600) == 0
      || utimensat(AT_FDCWD, file, NULL, 0) == 0 || changes_attributes(file)
      || semctl(semaphores, 0, IPC_RMID) == 0 || rmdir(folder) == 0)
    found |= TEST_CAN_CHANGE;
  if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0 || socket(AF_INET, SOCK_STREAM, 0) >= 0)
    found |= TEST_CAN_CONNECT;
  if (kill(getppid(), 0) == 0 || syscall(SYS_pidfd_open, getppid(), 0) >= 0
      || syscall(SYS_tkill, getppid(), 0) == 0 || owns_signals())
    found |= TEST_CAN_SIGNAL;
  if (starts_process()) found |= TEST_CAN_FORK;
  if (syscall(SYS_io_uring_setup, 1, NULL) >= 0 || syscall(437, AT_FDCWD, file, NULL, 0) >= 0)
    found |= TEST_CAN_EVADE;
  // The last, as it would not return.
  execve(arguments[0], arguments, NULL);
  return found;
}

/// What a thread looks into that was there before.
struct worker {
  const char *folder;
  int semaphores;
  int start[2];
};

static void *work(void *context) {
  struct worker *worker = context;
  char byte;
  if (read(worker->start[0], &byte, 1) != 1) _exit(255);
  _exit(abilities(worker->folder, worker->semaphores));
}

int test_abilities(int (*confine)(void), const char *folder) {
  int semaphores = semget(IPC_PRIVATE, 1, 0600);
  pid_t child = fork();
  if (child == 0) {
    struct worker worker = {.folder = folder, .semaphores = semaphores};
    pthread_t thread;
    if (pipe(worker.start) < 0 || pthread_create(&thread, NULL, work, &worker) != 0) _exit(255);
    if (confine != NULL && confine() != 0) _exit(255);
    if (write(worker.start[1], "x", 1) != 1) _exit(255);
    pthread_join(thread, NULL);
    _exit(255);
  }
  int status = 0;
  pid_t ended = child < 0 ? -1 : waitpid(child, &status, 0);
  semctl(semaphores, 0, IPC_RMID);
  if (child < 0 || ended != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}
