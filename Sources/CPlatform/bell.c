#include "CPlatform.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Where the number is in the file, and how long the file is with it.
enum { PLACE = 64, LENGTH = 128 };

struct bell {
  _Atomic uint32_t *number;
  int event;
};

/// The number in a file, which is made long enough.
static _Atomic uint32_t *number_in(int file) {
  struct stat status;
  if (fstat(file, &status) < 0) return NULL;
  if (status.st_size < LENGTH && ftruncate(file, LENGTH) < 0) return NULL;
  void *page = mmap(NULL, LENGTH, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return page == MAP_FAILED ? NULL : (_Atomic uint32_t *)((char *)page + PLACE);
}

static void *listen_to(void *context) {
  struct bell *bell = context;
  uint32_t last = atomic_load(bell->number);
  for (;;) {
    syscall(SYS_futex, bell->number, FUTEX_WAIT, last, NULL, NULL, 0);
    uint32_t now = atomic_load(bell->number);
    if (now == last) continue;
    last = now;
    (void)eventfd_write(bell->event, 1);
  }
  return NULL;
}

int platform_bell_listen(int file) {
  static struct bell bell;
  bell.number = number_in(file);
  if (bell.number == NULL) return -1;
  bell.event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (bell.event < 0) return -1;
  if (platform_thread_start(listen_to, &bell, 64 * 1024) != 0) return -1;
  return bell.event;
}

void platform_bell_ring(int file) {
  static _Atomic uint32_t *number;
  if (number == NULL) number = number_in(file);
  if (number == NULL) return;
  atomic_fetch_add(number, 1);
  syscall(SYS_futex, number, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}
