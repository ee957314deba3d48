#include "keeper.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "guardian.h"
#include "mark.h"
#include "thread.h"

enum { RUN_LIMIT = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_room = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
/// Readable when there is something to do; −1 where the thread cannot be.
static int bell = -1;
static uint64_t waiting[RUN_LIMIT];
static size_t waiting_count;

static void sweep(void) {
  static uint64_t runs[RUN_LIMIT];
  pthread_mutex_lock(&lock);
  size_t count = waiting_count;
  memcpy(runs, waiting, count * sizeof runs[0]);
  waiting_count = 0;
  pthread_cond_broadcast(&has_room);
  pthread_mutex_unlock(&lock);
  mark_kill(runs, count);
}

static void *keep(void *unused) {
  (void)unused;
  for (;;) {
    struct pollfd events[2] = {{.fd = bell, .events = POLLIN},
                               {.fd = guardian_replace(), .events = POLLIN}};
    if (poll(events, 2, -1) <= 0) continue;
    if (!(events[0].revents & POLLIN)) continue;
    uint64_t rings;
    (void)!read(bell, &rings, sizeof rings);
    sweep();
  }
  return NULL;
}

static void start(void) {
  bell = eventfd(0, EFD_CLOEXEC);
  if (bell < 0) return;
  if (thread_start(keep, 64 * 1024) == 0) return;
  close(bell);
  bell = -1;
}

static void ring(void) {
  uint64_t one = 1;
  if (bell >= 0) (void)!write(bell, &one, sizeof one);
}

void keeper_watch_guardian(void) {
  (void)pthread_once(&once, start);
  ring();
}

void keeper_sweep(uint64_t run) {
  (void)pthread_once(&once, start);
  if (bell < 0) return;
  pthread_mutex_lock(&lock);
  while (waiting_count == RUN_LIMIT) pthread_cond_wait(&has_room, &lock);
  waiting[waiting_count++] = run;
  pthread_mutex_unlock(&lock);
  ring();
}
