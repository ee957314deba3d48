#include <errno.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "CPlatform.h"

/// Sets the timer to ten years from now; a set wall clock or a resume cancels it.
static int arm(int descriptor) {
  struct itimerspec spec = {0};
  clock_gettime(CLOCK_REALTIME, &spec.it_value);
  spec.it_value.tv_sec += 10L * 365 * 24 * 3600;
  return timerfd_settime(descriptor, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &spec, NULL);
}

int platform_clock_watch(void) {
  int descriptor = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
  if (descriptor >= 0 && arm(descriptor) < 0) {
    close(descriptor);
    return -1;
  }
  return descriptor;
}

int platform_clock_jumped(int descriptor) {
  uint64_t count;
  ssize_t length = read(descriptor, &count, sizeof count);
  int jumped = length < 0 && errno == ECANCELED;
  if (jumped || length > 0) (void)arm(descriptor);
  return jumped;
}
