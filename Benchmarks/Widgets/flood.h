// Makes a benchmark's child write as fast as its pipe accepts data after the signal USR1.
#pragma once
#include "reading.h"
#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t flood_is_wanted;

static inline void flood_want(int number) { flood_is_wanted = number; }

/// Lets USR1 interrupt the call in which the child waits; the child then checks `flood_is_wanted`.
static inline void flood_await(void) {
  struct sigaction action = {.sa_handler = flood_want};
  sigaction(SIGUSR1, &action, NULL);
  sigset_t set;
  sigemptyset(&set), sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/// Writes until the pipe is closed: a block of some hundred lines, each with a different reading.
///
/// The block is prepared once, so that the speed does not include preparing it. Standard input is no
/// longer read.
///
/// `format` contains the reading's two lines and the line feed.
static inline void flood(struct reading *reading, const char *format) {
  // The size does not divide the 64 KiB that a host may read at once, so that each read ends in another
  // line.
  static char block[50000], line[512];
  size_t held = 0;
  for (;;) {
    reading_advance(reading);
    size_t length = (size_t)snprintf(line, sizeof line, format, reading->count, reading->level);
    if (held + length > sizeof block) break;
    memcpy(block + held, line, length);
    held += length;
  }
  for (size_t sent = 0;;) {
    ssize_t part = write(STDOUT_FILENO, block + sent, held - sent);
    if (part <= 0) return;
    sent = (sent + (size_t)part) % held;
  }
}
