/// Linux calls that Swift does not import or must not make.
#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "CPlatformLoop.h"
#include "CPlatformTerminal.h"

/// The most descriptors beside the three streams that a child is given.
enum { PLATFORM_INPUT_LIMIT = 16 };

/// The parameters of a child process.
typedef struct platform_spawn_request {
  /// The program, an absolute path; no search, no shell.
  const char *_Nonnull path;
  /// Arguments with the program's name first, ended by NULL.
  char *_Nullable const *_Nonnull arguments;
  /// `NAME=value` strings, ended by NULL: the whole environment of the child.
  char *_Nullable const *_Nonnull environment;
  /// The working directory; NULL keeps the parent's.
  const char *_Nullable directory;
  /// Descriptors 0, 1 and 2 of the child; −1 for those of the parent.
  int streams[3];
  /// Further descriptors of the child: 3, 4 and so on; at most PLATFORM_INPUT_LIMIT.
  const int *_Nullable inputs;
  size_t input_count;
  /// Nonzero: the child leads a new session, without a terminal.
  int new_session;
  /// Nonzero: everything that the child started, also daemons with an empty environment, is killed when
  /// the child ends, and the child with all of that when the parent ends.
  int is_contained;
  /// Nonzero: the child and its process group are killed when the parent ends.
  int ends_with_parent;
  /// The terminal whose foreground group the child becomes; −1 for none.
  int foreground_terminal;
  /// The folder of a control group in which the child starts (clone3(2), CLONE_INTO_CGROUP); −1 for that
  /// of the parent.
  int control_group;
  /// The limits of address space and file size in bytes, and of descriptors; 0 for none.
  uint64_t memory_limit;
  uint64_t file_size_limit;
  uint64_t descriptor_limit;
} platform_spawn_request;

/// A child that was started.
typedef struct platform_child {
  pid_t pid;
  /// Readable when it has ended; the owner of the child closes it.
  int pidfd;
  /// The mark of all processes of a contained child; 0 for others.
  uint64_t run;
  /// Nonzero: its group is killed when the parent ends.
  int ends_with_parent;
  /// The errno with which its control group was refused, and it started in that of the parent; else 0.
  int group_error;
} platform_child;

/// Starts a process and opens a pidfd on it.
///
/// Swift cannot: between fork and exec only C is safe. One thread that never ends starts all children,
/// as a death signal, used where there is no guardian, is sent when that *thread* ends. Returns 0,
/// or the errno of the failed call, also of exec; there is no child then.
int platform_spawn(const platform_spawn_request *_Nonnull request,
                   platform_child *_Nonnull child);

/// Lets the guardian kill all processes of a control group if the host ends; `kill_file` is its
/// `cgroup.kill` (cgroups(7)), which stays open.
void platform_guardian_hold_group(int kill_file);

/// Raises the soft limit of open descriptors to the hard one, at most to 16,384; returns 0 or errno.
///
/// Each widget takes four. Children get the limit that the program was started with.
int platform_raise_descriptor_limit(void);

/// The status and the resource usage of a child that has ended.
typedef struct platform_exit {
  /// The exit code, or the number of the signal that ended it.
  int code;
  /// Nonzero: it was a signal.
  int signaled;
  /// Microseconds of CPU, its waited-for children included.
  uint64_t cpu_microseconds;
} platform_exit;

/// Kills the group of a contained child that has ended, and collects the child.
///
/// Swift sees neither P_PIDFD nor the W macros. The group is killed while the child is still a
/// zombie, so that its number cannot have been reused; a thread kills processes that left the group
/// some milliseconds later. Returns 0, EAGAIN if the child is running, or another errno if its status
/// was lost.
int platform_reap(const platform_child *_Nonnull child, platform_exit *_Nonnull result);

/// Locks one byte of an open file, at any place, for all that share this opening of it (F_OFD_SETLK, which
/// Swift does not import). The lock ends when the last of them closes it. Returns 0, or errno: EAGAIN if
/// somebody else holds it.
int platform_lock_byte(int file, uint64_t place);

/// Returns 1 if somebody else has locked the byte, else 0.
int platform_byte_is_locked(int file, uint64_t place);

/// Returns 1 if somebody else has locked one of `count` bytes from `first` on, else 0. These are bytes of the file: the
/// place of ``platform_lock_byte`` is four times as large, as its lowest two bits are left out.
int platform_bytes_are_locked(int file, int64_t first, int64_t count);

/// What is done with a byte of a file.
enum platform_byte_lock { platform_byte_free, platform_byte_shared, platform_byte_exclusive };

/// Like `platform_lock_byte`, for one of two bytes (`part` 0 or 1) at `place`: frees it, or locks it together
/// with others or alone. Locking alone needs a file that was opened for writing, with others for reading.
int platform_change_byte_lock(int file, uint64_t place, int part, enum platform_byte_lock lock);

/// Replaces the program of this process by another one, which is looked for in PATH and gets the same
/// streams, environment, and signals that have their default actions. An open `file` stays open, also in the
/// processes that it starts. Returns errno if that failed.
int platform_become(const char *_Nullable const *_Nonnull arguments, int file);

/// What is between a command that is attended and the streams of this process.
enum {
  /// A pipe, if standard error is one, so that what the command writes there is seen.
  PLATFORM_ATTEND_ERRORS = 1,
  /// A terminal, if standard input and output are one, so that what the command writes there is seen.
  PLATFORM_ATTEND_TERMINAL = 2,
};

enum platform_attend_event {
  /// The time has passed.
  PLATFORM_ATTEND_NOTHING,
  /// The command has written to its standard error, which was passed on.
  PLATFORM_ATTEND_SAW_ERRORS,
  /// The command has written to its terminal, which was passed on.
  PLATFORM_ATTEND_SAW_TERMINAL,
  /// It has ended.
  PLATFORM_ATTEND_ENDED,
};

/// Starts a program, which is looked for in PATH, in the process group of this one and with its streams. Until
/// `platform_attend_finish` keys of the terminal act on the program alone, other signals that end a process are passed
/// on to it, and this process stops and continues with it. Returns 0, or the errno with which it could not be started.
/// One program at a time.
///
/// With a terminal of its own it is in another session, whose size, keys and stops are those of this one.
///
/// Swift cannot: between fork and exec only C is safe.
int platform_attend_start(const char *_Nullable const *_Nonnull arguments, int streams);

/// Waits until the program has ended or has written something that is seen, for some milliseconds at most. What it has
/// written was passed on, and is in `bytes`.
enum platform_attend_event
platform_attend_turn(int limit, uint8_t *_Nonnull bytes, size_t capacity, size_t *_Nonnull count);

/// Gives the terminal and the signals back after the program has ended; `result` says how.
void platform_attend_finish(platform_exit *_Nullable result);

/// Ends this process by a signal, as a command has ended, without a core of its own.
void platform_end_by_signal(int number) __attribute__((noreturn));

/// Writes all that waits for the file system of an open folder to the disk (syncfs(2)), which Swift does not see.
/// Returns 0, or -1 with errno.
int platform_sync_file_system(int folder);

/// Renames `from` to `to`, both below an open folder: exchanges the two names, or fails with EEXIST if
/// `to` exists. Returns 0, or -1 with errno.
int platform_rename(
  int folder,
  const char *_Nonnull from,
  const char *_Nonnull to,
  int exchanges
);

/// Sends a signal to the process group of leader `pid`, else to `pid`; returns 0 or errno.
int platform_signal_group(pid_t pid, int signal);

/// Sends a signal to the process `pid` that was started at `started` ticks, and to no other; returns 0 or
/// errno, ESRCH if there is no such process.
int platform_signal_process(pid_t pid, uint64_t started, int signal);

/// One run of a contained child, which identifies all its processes.
typedef struct platform_run {
  /// The child, which leads its process group and was not collected yet.
  pid_t leader;
  /// The mark of all its processes; 0 to find only the group.
  uint64_t mark;
} platform_run;

/// A process of a run.
typedef struct platform_member {
  pid_t pid;
  /// The index of its run.
  size_t run;
} platform_member;

/// Lists all processes of some runs, also those that left the group, with one scan of /proc.
///
/// Uses prlimit(2) rather than a file for each process: 3 to 5 µs per process, including the scan.
/// Returns how many there are; at most `capacity` are written.
size_t platform_members(const platform_run *_Nonnull runs, size_t count,
                        platform_member *_Nonnull members, size_t capacity);

/// What an open descriptor holds that no process has among its pages, and no folder among its names.
typedef enum platform_held_kind {
  /// A file that is only in memory: of memfd_create(2), shared memory, or deleted in a tmpfs.
  PLATFORM_HELD_MEMORY,
  /// A file on a disk without any name.
  PLATFORM_HELD_DELETED,
  PLATFORM_HELD_SOCKET,
  PLATFORM_HELD_PIPE,
} platform_held_kind;

/// A file, a socket or a pipe that processes have open.
typedef struct platform_held {
  platform_held_kind kind;
  uint64_t device;
  uint64_t inode;
  /// The bytes that a file occupies; 0 for others.
  uint64_t bytes;
  /// A process that has it open, and its descriptor.
  pid_t pid;
  int descriptor;
} platform_held;

/// What was found of some processes, beside what they hold.
typedef struct platform_holders {
  /// How many are in a sandbox and hide their descriptors, by prctl(2) or with a program that cannot be read.
  size_t hidden;
  /// How many descriptors wait in their sockets (unix(7)), where nothing tells what they are of.
  size_t waiting;
} platform_holders;

/// Lists what some processes hold by their descriptors, each thing once.
///
/// Reads at most `budget` descriptors: 2 to 3 µs for each, 10 µs for a socket. Never waits for a file system.
/// Returns how many were written, at most `capacity`.
size_t platform_held_by(const pid_t *_Nonnull pids, size_t pid_count, size_t budget,
                        platform_held *_Nonnull held, size_t capacity,
                        platform_holders *_Nonnull holders);

/// The bytes that are in use in the file system of a folder; 0 if that cannot be told. Swift does not import
/// statfs(2).
uint64_t platform_used_bytes(const char *_Nonnull folder);

/// Whether a process has the same mark as the calling process, or both have none.
int platform_shares_mark(pid_t pid);

/// Sends SIGSTOP or SIGCONT to all processes of a run that have left its group.
///
/// SIGSTOP is repeated until there are no new ones. Returns how many there are.
size_t platform_signal_strays(const platform_run *_Nonnull run, int signal);

/// Sends a signal to all processes of a run except its leader; returns how many there are.
///
/// The leader of a sandboxed widget only waits for the widget, and ends by the signal.
size_t platform_signal_followers(const platform_run *_Nonnull run, int signal);

/// The most activities of one widget that platform_leave waits for.
enum { PLATFORM_ACTIVITY_LIMIT = 128 };

/// A widget that may finish something after the host has ended.
typedef struct platform_leaver {
  /// The child, which leads its process group, a pidfd on it, and its mark.
  platform_child child;
  /// The ends of its standard input, output and errors that the host has; they do not block.
  int input;
  int output;
  int errors;
  /// The file `cgroup.kill` of its control group; −1 if it has none.
  int group_kill;
  /// The numbers of its open activities.
  const int *_Nonnull activities;
  size_t activity_count;
  /// The part of a line of its output that was read already.
  const uint8_t *_Nullable pending;
  size_t pending_count;
  /// Nonzero: it is told when the time of its activities has run out.
  int hears_expiry;
  /// The milliseconds that it has, and those of them after it was told.
  int milliseconds;
  int last_milliseconds;
} platform_leaver;

/// The most descriptors of a platform_leaving_server.
enum { PLATFORM_LEAVING_FILE_LIMIT = 1280 };

/// A program that serves widgets that may finish something, with the same numbers for all descriptors.
typedef struct platform_leaving_server {
  const char *_Nonnull path;
  char *_Nullable const *_Nonnull arguments;
  char *_Nullable const *_Nonnull environment;
  /// The descriptors that it gets beside those of the widgets.
  const int *_Nullable descriptors;
  size_t descriptor_count;
  /// The milliseconds after which it is killed, if it has not ended.
  int milliseconds;
} platform_leaving_server;

/// Starts a process that lets widgets finish their activities after the host has ended, and then ends
/// them with all that they have started.
///
/// The process starts `server`, which has the streams of the widgets, and waits for its end. Where that cannot
/// be started, or is NULL, only the end of activities is taken of what a widget writes, and nothing is answered.
/// The caller closes its descriptors of the widgets. Returns 0, or an errno; the widgets then end with the host.
/// If the host does not exit but is killed, they end with it too.
int platform_leave(const platform_leaver *_Nonnull leavers, size_t count,
                   const platform_leaving_server *_Nullable server);

/// Kills all processes of a widget that was passed on to this process, and closes its pidfd and `group_kill`.
void platform_end_left(platform_child *_Nonnull child, int group_kill);

/// The arguments with which the program was started, ended by NULL; they are there without /proc too.
char *_Nullable *_Nonnull platform_arguments(void);

/// The path of the program, without /proc: as it was started.
const char *_Nonnull platform_executable(void);

/// Sets `argv`, so that the guardian can change its name in `ps`.
void platform_name_arguments(char *_Nullable *_Nonnull arguments);

/// A file in memory, closed on exec; Swift does not import memfd_create. Returns -1 on errors.
int platform_memory_file(void);

/// Creates a pipe, closed on exec; Swift does not import pipe2. Returns 0 or errno.
int platform_pipe(int *_Nonnull ends);

/// How many bytes are in the pipe of which `descriptor` is an end; 0 if it is none.
int platform_pipe_bytes(int descriptor);

/// Makes a pipe as small as the kernel allows, one page; Swift does not import F_SETPIPE_SZ.
void platform_pipe_shrink(int descriptor);

/// The name of a signal without SIG, or NULL; Swift does not import sigabbrev_np.
const char *_Nullable platform_signal_name(int number);

/// The environment; Swift imports the variable as never NULL, which it can be.
char *_Nullable *_Nullable platform_environment(void);

/// Releases the pages of code and constants that only the start needed.
///
/// They are clean copies of the file, and mapped again from the page cache when they are used. The
/// kernel maps 16 pages around each page that is touched, so a start maps most of them.
void platform_forget_start(void);

/// Releases free pages of the allocator (malloc_trim(3)).
void platform_trim_heap(void);

/// Opens a descriptor that becomes readable when the wall clock is set or the machine has slept.
///
/// Swift imports neither timerfd nor its flags. Returns the descriptor, or −1.
int platform_clock_watch(void);

/// Whether the clock was set or the machine has slept since the last call; rearms the descriptor.
int platform_clock_jumped(int descriptor);

/// Resets what a parent may have left: SIGCHLD ignored, and blocked signals.
void platform_reset_signals(void);

/// Ignores SIGPIPE and SIGXFSZ: a write to a dead widget, or to a file that may not grow, must be an
/// error value.
void platform_ignore_write_signals(void);

/// Ignores SIGRTMIN+1 and the signals above it, which users send to all programs with a name: their default
/// action is to end a program.
///
/// SIGRTMIN is a function call, which Swift does not import.
void platform_ignore_user_signals(void);

/// SIGRTMIN, above which are the signals that users send.
int platform_first_user_signal(void);

/// Starts writing the changed pages of a file to the disk, without waiting.
///
/// Swift does not import sync_file_range(2). Failures are ignored, as the kernel writes the pages
/// later in any case.
void platform_begin_writeback(int descriptor);

/// O_TMPFILE is not visible to Swift. Opens a new file without a name in a folder; -1 and errno on failure.
int platform_open_unnamed(const char *_Nonnull folder);

/// The calls of xattr(7) are not visible to Swift. Copies the extended attributes of a file, with its access control
/// lists, to an open one; returns how many could not be set, -1 without memory.
int platform_copy_attributes(const char *_Nonnull path, int file);

/// Keeps descriptors open until this program has ended, and a moment longer, in a process of their own.
///
/// A program that closes the last descriptor of something for which the kernel needs a while would wait for it when it
/// exits. It is called once, with at most 64. Returns the process, which is killed when the program has closed its own;
/// -1 if none could be started.
pid_t platform_outlive(const int *_Nonnull descriptors, size_t count);

/// Prevents a guardian for this process: it starts no widgets, and gives up what a guardian may do.
void platform_guardian_refuse(void);

/// The bytes at the beginning of a file that are for ``platform_bell_ring``.
enum { PLATFORM_BELL_LENGTH = 64 };

/// A program that is started when nobody has the lock on the first byte of a file.
typedef struct platform_standby_program {
  /// The file, which exists.
  const char *_Nonnull lock;
  /// The file of the bell, behind which the last start is noted.
  const char *_Nonnull bell;
  const char *_Nonnull path;
  const char *_Nullable const *_Nonnull arguments;
  const char *_Nullable const *_Nonnull environment;
} platform_standby_program;

/// Starts a process that waits for the lock, without any work, and starts the program with it as often as it gets it:
/// at the beginning, if the program does not run, and whenever it has ended. The program gets the locked file as its
/// descriptor 3, a session of its own and no terminal, and outlives this process; one that ends within ten seconds is
/// started again after a pause of up to 32 seconds. The process ends with the caller, in whatever way.
///
/// Swift cannot: between fork and exec only C is safe. Returns the process, or -1 with errno.
pid_t platform_stand_by(const platform_standby_program *_Nonnull program);

/// Listens to the bell that is a file, which is made if there is none: returns a descriptor of eventfd(2) that becomes
/// readable when it is rung, or -1 with errno. Once in a process, which can only read the file.
///
/// It is a number in memory that the processes share, on which a thread waits in the kernel. inotify allows a user 128
/// watchers by default, and more people look at a page.
int platform_bell_listen(const char *_Nonnull path);

/// Rings the bell in a file: everybody who listens is woken, and nobody is waited for.
void platform_bell_ring(const char *_Nonnull path);

/// Gives up, for all threads of this process and for good, to start programs and processes, to open files for writing
/// or to change any by its path, to open sockets, and to send signals to other processes. What is open stays open.
///
/// The filter of system calls is enough for that; Landlock says the same once more where the kernel has it. Returns 0,
/// or why it is not possible: ENOSYS on a processor without a filter, EINVAL for a kernel without filters, E2BIG for a
/// filter that is too long.
int platform_confine_viewer(void);

#endif
