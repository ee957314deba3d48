// The two lines that every card of the benchmark shows, the same ones in every program measured.
#pragma once
#include <stdio.h>
#include <time.h>

/// A counter that goes up by one and a level that jumps: a few digits change at every step.
struct reading {
  unsigned seed;
  unsigned long steps;
  char count[32], level[32];
};

/// Takes the next step and writes both lines. The level is a linear congruential generator's.
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

/// How long it is to the next whole second of the monotonic clock.
///
/// All children keep to it, so that a tick of the page is one moment in every program measured.
static inline struct timespec until_next_second(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (now.tv_nsec == 0) return (struct timespec){.tv_sec = 1};
  return (struct timespec){.tv_nsec = 1000000000l - now.tv_nsec};
}
