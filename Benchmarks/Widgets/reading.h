// The two lines that every card of the benchmark shows, and when they change; they are the same for
// every measured program.
#pragma once
#include <stdio.h>
#include <time.h>

/// A counter that increases by one and a level that jumps: a few digits change at every step.
struct reading {
  unsigned seed;
  unsigned long steps;
  char count[32], level[32];
};

/// Makes the next step and writes both lines.
///
/// The level comes from a linear congruential generator.
static inline void reading_advance(struct reading *reading) {
  reading->seed = reading->seed * 1664525u + 1013904223u;
  reading->steps += 1;
  snprintf(reading->count, sizeof reading->count, "count %10lu", reading->steps);
  snprintf(reading->level, sizeof reading->level, "level %8.1f %%", (reading->seed >> 22) / 10.24);
}

/// The first reading of the card with this number.
static inline struct reading reading_start(unsigned number) {
  struct reading reading = {.seed = number, .steps = 1000ul * number};
  reading_advance(&reading);
  return reading;
}

/// The time of the next step: a second after the previous step, not after the last wake-up.
struct beat {
  struct timespec next;
};

static inline struct beat beat_from_now(void) {
  struct beat beat;
  clock_gettime(CLOCK_MONOTONIC, &beat.next);
  beat.next.tv_sec += 1;
  return beat;
}

/// The time until the next step, zero if it is due.
static inline struct timespec beat_remaining(const struct beat *beat) {
  struct timespec now, left = {0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  long long nanoseconds = (beat->next.tv_sec - now.tv_sec) * 1000000000ll;
  nanoseconds += beat->next.tv_nsec - now.tv_nsec;
  if (nanoseconds > 0) {
    left.tv_sec = nanoseconds / 1000000000ll;
    left.tv_nsec = nanoseconds % 1000000000ll;
  }
  return left;
}
