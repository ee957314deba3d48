#include "keeper.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "mark.h"
#include "CPlatformLoop.h"

/// Runs that end within PAUSE_MILLISECONDS are swept together, as each sweep looks at all processes twice:
/// hundreds of short scripts a second would cost more than what they do. A run that ends alone is swept at once.
enum { RUN_LIMIT = 1024, PAUSE_MILLISECONDS = 250 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_room = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
/// An eventfd that wakes the thread; −1 if it cannot be created.
static int bell = -1;
static uint64_t waiting[RUN_LIMIT];
static size_t waiting_count;
/// Held while processes are being killed, as mark_kill is not thread-safe.
static pthread_mutex_t sweeping = PTHREAD_MUTEX_INITIALIZER;

static void sweep(void) {
  static uint64_t runs[RUN_LIMIT];
  pthread_mutex_lock(&lock);
  size_t count = waiting_count;
  memcpy(runs, waiting, count * sizeof runs[0]);
  waiting_count = 0;
  pthread_cond_broadcast(&has_room);
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&sweeping);
  mark_kill(runs, count);
  pthread_mutex_unlock(&sweeping);
}

static int64_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void *keep(void *unused) {
  (void)unused;
  int64_t last = 0;
  for (;;) {
    uint64_t rings;
    if (read(bell, &rings, sizeof rings) <= 0) continue;
    int64_t rest = last + PAUSE_MILLISECONDS - milliseconds();
    if (rest > 0) {
      struct timespec pause = {.tv_nsec = rest * 1000000};
      (void)nanosleep(&pause, NULL);
    }
    sweep();
    last = milliseconds();
  }
  return NULL;
}

static void start(void) {
  bell = eventfd(0, EFD_CLOEXEC);
  if (bell < 0) return;
  if (platform_thread_start(keep, NULL, 64 * 1024) == 0) return;
  close(bell);
  bell = -1;
}

static void ring(void) {
  uint64_t one = 1;
  if (bell >= 0) (void)!write(bell, &one, sizeof one);
}

void keeper_prepare(void) { (void)pthread_once(&once, start); }

void keeper_sweep(uint64_t run) {
  keeper_prepare();
  if (bell < 0) return;
  pthread_mutex_lock(&lock);
  while (waiting_count == RUN_LIMIT) pthread_cond_wait(&has_room, &lock);
  waiting[waiting_count++] = run;
  pthread_mutex_unlock(&lock);
  ring();
}

int keeper_finish(void) {
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += 1;
  if (pthread_mutex_timedlock(&sweeping, &end) != 0) return 0;
  mark_kill_all();
  pthread_mutex_unlock(&sweeping);
  return 1;
}
