#include "CTestPlatform.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
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

/// What a process can do, as bits.
static int abilities(const char *folder) {
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
      || utimensat(AT_FDCWD, file, NULL, 0) == 0 || rmdir(folder) == 0)
    found |= TEST_CAN_CHANGE;
  if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0 || socket(AF_INET, SOCK_STREAM, 0) >= 0)
    found |= TEST_CAN_CONNECT;
  if (kill(getppid(), 0) == 0 || syscall(SYS_pidfd_open, getppid(), 0) >= 0
      || syscall(SYS_tkill, getppid(), 0) == 0)
    found |= TEST_CAN_SIGNAL;
  if (starts_process()) found |= TEST_CAN_FORK;
  if (syscall(SYS_io_uring_setup, 1, NULL) >= 0 || syscall(437, AT_FDCWD, file, NULL, 0) >= 0)
    found |= TEST_CAN_EVADE;
  // The last, as it would not return.
  execve(arguments[0], arguments, NULL);
  return found;
}

int test_abilities(int (*confine)(void), const char *folder) {
  pid_t child = fork();
  if (child == 0) {
    if (confine != NULL && confine() != 0) _exit(255);
    _exit(abilities(folder));
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}
