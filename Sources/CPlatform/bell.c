#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/// How long the file is: it begins with the number, and ends with what platform_stand_by notes.
enum { LENGTH = PLATFORM_BELL_LENGTH + 64 };

struct bell {
  _Atomic uint32_t *number;
  uint32_t last;
  int event;
};

/// Makes the file if there is none, and long enough.
static int prepare(const char *path, struct stat *status) {
  int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  if (file >= 0 && fstat(file, status) == 0 && S_ISREG(status->st_mode) &&
      (status->st_size >= LENGTH || ftruncate(file, LENGTH) == 0)) {
    return file;
  }
  if (file >= 0) close(file);
  return -1;
}

/// The number in a file; with the right to read alone, it cannot be written to later either.
static _Atomic uint32_t *number_in(int file, int rights) {
  void *page = mmap(NULL, LENGTH, rights, MAP_SHARED, file, 0);
  return page == MAP_FAILED ? NULL : page;
}

static void *listen_to(void *context) {
  struct bell *bell = context;
  uint32_t last = bell->last;
  for (;;) {
    syscall(SYS_futex, bell->number, FUTEX_WAIT, last, NULL, NULL, 0);
    uint32_t now = atomic_load(bell->number);
    if (now == last) continue;
    last = now;
    (void)eventfd_write(bell->event, 1);
  }
  return NULL;
}

int platform_bell_listen(const char *path) {
  static struct bell bell;
  struct stat status;
  int file = prepare(path, &status);
  if (file < 0) return -1;
  close(file);
  file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return -1;
  bell.number = number_in(file, PROT_READ);
  close(file);
  if (bell.number == NULL) return -1;
  // What is rung from now on is heard, whenever the thread begins.
  bell.last = atomic_load(bell.number);
  bell.event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (bell.event < 0) return -1;
  int code = platform_thread_start(listen_to, &bell, 64 * 1024);
  if (code == 0) return bell.event;
  close(bell.event);
  errno = code;
  return -1;
}

void platform_bell_ring(const char *path) {
  static _Atomic uint32_t *number;
  static dev_t device;
  static ino_t node;
  // It may have been removed or cut off since.
  struct stat status;
  int file = prepare(path, &status);
  if (file < 0) return;
  if (number == NULL || status.st_dev != device || status.st_ino != node) {
    if (number != NULL) munmap((void *)number, LENGTH);
    number = number_in(file, PROT_READ | PROT_WRITE);
    (device = status.st_dev, node = status.st_ino);
  }
  close(file);
  if (number == NULL) return;
  atomic_fetch_add(number, 1);
  syscall(SYS_futex, number, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}
