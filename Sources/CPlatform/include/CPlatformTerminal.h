/// The terminal: its size, its settings, and restoring it when the program crashes.
#ifndef CPLATFORM_TERMINAL_H
#define CPLATFORM_TERMINAL_H

#include <stddef.h>
#include <stdint.h>

/// Reads the terminal's size; returns 0 or -1. ioctl is variadic.
int platform_terminal_size(int descriptor, int *_Nonnull columns, int *_Nonnull rows);

/// Whether the terminal was closed or hung up.
///
/// Nonzero after a hang-up, and if it is readable but has no byte. FIONREAD is a macro.
int platform_terminal_is_closed(int descriptor);

/// How many bytes can be read from the terminal; 0 if that is not known.
int platform_terminal_waiting(int descriptor);

/// Opens the terminal of a descriptor again, so that O_NONBLOCK does not affect programs that share
/// the descriptor; returns the new descriptor, or -1. open is variadic.
int platform_terminal_reopen(int descriptor);

/// Stores the settings of the terminal, before the screen is opened. Returns 0 or -1.
int platform_terminal_remember(int descriptor);

/// Sets the descriptor for the restore sequence.
///
/// If the terminal could not be opened again, `is_shared` is nonzero: O_NONBLOCK is then set on a
/// descriptor that other programs share, but only while the screen is open.
void platform_terminal_set_output(int descriptor, int is_shared);

/// Sets the restore sequence; at most 512 bytes are kept.
void platform_terminal_set_restore_bytes(const uint8_t *_Nonnull bytes, size_t count);

/// Sets the terminal settings of the screen: single keys, no echo.
///
/// Not with ncurses, which would wait until the terminal has accepted all output.
void platform_terminal_enter_screen(void);

/// Passes the terminal to the guardian, which restores it when the host has ended.
///
/// The guardian is started or replaced. Without stored settings nothing happens.
void platform_guardian_hold_terminal(void);

/// Restores the stored settings, after the restore sequence was written. Does not block.
void platform_terminal_leave_screen(void);

/// Writes the restore sequence and restores the settings, once. Does not block: the pending output
/// of a blocked terminal is discarded.
void platform_terminal_restore(void);

/// From now on a crash restores the terminal before it ends the process.
///
/// Handlers for SEGV, ILL, ABRT, BUS, FPE and TRAP must be C, as they may neither allocate nor call
/// Swift. They end with the default action, so that the exit status is correct. The same applies to
/// TERM, HUP, INT and QUIT, until the event loop watches them. SIGTTOU is ignored. SIGWINCH gets a
/// handler that does nothing, so that ncurses, which does not write to the terminal itself, does not
/// follow its size.
void platform_terminal_guard(void);

/// Stops the job, as the key Ctrl-Z does: this process and those that were started with it, such as the
/// script that runs it. Returns when it continues.
///
/// An orphaned process group, which nobody could continue, is not stopped.
void platform_job_stop(void);

/// Whether the job may use a terminal; also if there is no job control.
int platform_job_is_in_foreground(int terminal);

typedef enum platform_foreground {
  /// The terminal is the job's.
  PLATFORM_FOREGROUND = 0,
  /// It is not, but the process is to end.
  PLATFORM_ENDING = 1,
  /// It is not, and will not be.
  PLATFORM_BACKGROUND = -1,
} platform_foreground;

/// Stops the job while it is in the background (SIGTTOU), as a write to the settings of the terminal does.
///
/// Call it on the main thread, before the terminal is used and when the process has continued.
platform_foreground platform_job_await_foreground(int terminal);

/// The output of ncurses, instead of the terminal, so that its writes do not block.
typedef struct platform_frame {
  /// The descriptor that ncurses writes to.
  int writer;
  /// The other end of the pipe; −1 for memory.
  int reader;
  /// How many bytes can be written to the pipe before they are read; memory takes any number.
  size_t capacity;
} platform_frame;

/// Creates a memory file, or a pipe if the size of files is limited. Returns 0 or −1. Swift does not
/// import memfd_create and F_SETPIPE_SZ.
int platform_frame_open(platform_frame *_Nonnull frame);

/// How many bytes have been written and not read.
size_t platform_frame_size(const platform_frame *_Nonnull frame);

/// Reads `count` bytes, the result of `platform_frame_size`; returns how many were read.
size_t platform_frame_take(const platform_frame *_Nonnull frame, uint8_t *_Nonnull bytes,
                           size_t count);

/// Sets an alternate signal stack for the calling thread, once, for stack overflows.
void platform_terminal_guard_thread(void);

#endif
