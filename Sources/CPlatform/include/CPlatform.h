/// Linux calls that Swift cannot see or must not make.
#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "CPlatformLoop.h"
#include "CPlatformTerminal.h"

/// What a child process is started with.
typedef struct platform_spawn_request {
  /// The program, an absolute path; no search, no shell.
  const char *_Nonnull path;
  /// Arguments with the program's name first, ended by NULL.
  char *_Nullable const *_Nonnull arguments;
  /// `NAME=value` strings, ended by NULL: all that the child gets to see.
  char *_Nullable const *_Nonnull environment;
  /// The working directory; NULL keeps the parent's.
  const char *_Nullable directory;
  /// What becomes of descriptors 0, 1 and 2; −1 leaves the parent's in place.
  int streams[3];
  /// Nonzero: the child leads a session of its own, without a terminal.
  int new_session;
  /// Nonzero: the child dies with the parent (PR_SET_PDEATHSIG), and at its own end or the parent's
  /// so does everything that it started, a session of its own and an empty environment or not.
  int is_contained;
  /// The terminal whose foreground the child's own process group becomes; −1 for none.
  int foreground_terminal;
  /// Bytes of address space, of one file, and descriptors that the child may have; 0: no limit.
  uint64_t memory_limit;
  uint64_t file_size_limit;
  uint64_t descriptor_limit;
} platform_spawn_request;

/// A child that was started.
typedef struct platform_child {
  pid_t pid;
  /// Readable when it has ended; whoever has the child closes it.
  int pidfd;
  /// What everything that a contained child starts is known by; 0 for one that is not contained.
  uint64_t run;
} platform_child;

/// Starts a process and opens a pidfd on it.
///
/// Swift cannot: the death signal follows the *thread* that spawned, so all children
/// come from one thread that never ends, and between fork and exec only C is safe. Returns 0, or the
/// errno of what failed, also of exec itself; the child then does not exist.
int platform_spawn(const platform_spawn_request *_Nonnull request,
                   platform_child *_Nonnull child);

/// Raises the soft limit of open descriptors to the hard one, at most to 16,384; returns 0 or errno.
///
/// Each widget takes four. Children get the limit that the program was started with.
int platform_raise_descriptor_limit(void);

/// What became of a child: how it ended and what it cost.
typedef struct platform_exit {
  /// The exit code, or the number of the signal that ended it.
  int code;
  /// Nonzero: it was a signal.
  int signaled;
  /// Microseconds of CPU, its waited-for children included.
  uint64_t cpu_microseconds;
} platform_exit;

/// Collects a child that has ended, and before that kills what is left of a contained child's group.
///
/// Swift sees neither P_PIDFD nor the W macros. The group is killed while the child is still a
/// zombie, so that its number cannot belong to somebody else; what left the group is killed by a
/// thread some milliseconds later. Returns 0, EAGAIN where the child still runs, or another errno:
/// then it is not known how it ended, and never will be.
int platform_reap(const platform_child *_Nonnull child, platform_exit *_Nonnull result);

/// Sends a signal to the process group that `pid` leads, else to `pid`; returns 0 or errno.
int platform_signal_group(pid_t pid, int signal);

/// One run of a contained child, by which all its processes are known.
typedef struct platform_run {
  /// The child, which leads its process group; it was not collected yet.
  pid_t leader;
  /// What everything that it started carries; 0 if only the group counts.
  uint64_t mark;
} platform_run;

/// A process of a run.
typedef struct platform_member {
  pid_t pid;
  /// The index of its run.
  size_t run;
} platform_member;

/// Lists all processes of some runs, also those that left the group, from one look at /proc.
///
/// Swift would need a file for each process; this asks with prlimit(2), which takes 3 to 5 µs a
/// process with the reading of the folder. Returns how many there are; at most `capacity` are written.
size_t platform_members(const platform_run *_Nonnull runs, size_t count,
                        platform_member *_Nonnull members, size_t capacity);

/// Whether a process carries the mark of the calling one, which has mostly none: a widget's has one.
int platform_shares_mark(pid_t pid);

/// Sends SIGSTOP or SIGCONT to all processes of a run that have left its group.
///
/// After SIGSTOP it looks until there are no new ones. Returns how many there are.
size_t platform_signal_strays(const platform_run *_Nonnull run, int signal);

/// Hands over `argv` itself, so that the guardian can show a name of its own in `ps`.
///
/// A process forked before the first widget ends what the widgets left when the host is gone.
void platform_name_arguments(char *_Nullable *_Nonnull arguments);

/// Makes a pipe whose ends are closed on exec; Swift does not import pipe2. Returns 0 or errno.
int platform_pipe(int *_Nonnull ends);

/// The name of a signal without SIG, or NULL; Swift does not import sigabbrev_np.
const char *_Nullable platform_signal_name(int number);

/// The process's environment; Swift imports the variable as one that is never NULL.
char *_Nullable *_Nullable platform_environment(void);

/// Gives back the pages of the program's own code and constants that only its start needed.
///
/// They are clean copies of the file; what is used again is mapped again from the page cache. The
/// kernel maps 16 pages around each one that is touched, and a start touches most of them.
void platform_forget_start(void);

/// Gives back the pages that the allocator keeps for later (malloc_trim(3)).
void platform_trim_heap(void);

/// Opens a descriptor that becomes readable when the wall clock is set or the machine has slept.
///
/// Swift imports neither timerfd nor its flags. Returns the descriptor, or −1.
int platform_clock_watch(void);

/// Whether the descriptor of platform_clock_watch says so; from then on it watches again.
int platform_clock_jumped(int descriptor);

/// Ignores SIGPIPE and SIGXFSZ: a write to a dead widget, or to a file that may not grow, must be an
/// error value.
void platform_ignore_write_signals(void);

/// Begins to write a file's changed pages to the disk, and does not wait for them.
///
/// Swift's module of the C library leaves sync_file_range(2) out. Says nothing of failures: the
/// kernel writes them later by itself.
void platform_begin_writeback(int descriptor);

#endif
