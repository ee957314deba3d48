/// A second process that outlives the host, beside the guardian: it does what the guardian does if that is killed
/// with the host, or before it. Each of the two replaces the other: a guardian starts its warden, and the host starts
/// a guardian.
#ifndef WARDEN_H
#define WARDEN_H

#include <stddef.h>
#include <sys/types.h>

enum { GUARDED_LIMIT = 4096 };

/// What a host, a guardian and its warden have in common; in memory that they share.
struct guarded {
  /// The guardian is not needed any more: another one has its place, or the host has ended as it should.
  volatile int is_over;
  /// Everything that the host left has been ended.
  volatile int is_done;
  /// The process groups of the host.
  volatile size_t group_count;
  volatile pid_t groups[GUARDED_LIMIT];
};

/// Memory for one guardian; NULL if there is none.
struct guarded *guarded_new(void);

void guarded_forget(struct guarded *guarded);

/// Adds a process group, or removes it if the number is negative.
void guarded_note(struct guarded *guarded, pid_t value);

/// Starts a warden in a guardian; returns a pidfd on it, or −1. `finish` ends what the host left, and `host` is a
/// pidfd on that. Async-signal-safe.
int warden_start(struct guarded *guarded, int host, void (*finish)(void));

#endif
