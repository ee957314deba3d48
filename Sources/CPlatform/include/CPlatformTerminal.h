/// The terminal: its size, its settings, and giving it back when the program crashes.
#ifndef CPLATFORM_TERMINAL_H
#define CPLATFORM_TERMINAL_H

#include <stddef.h>
#include <stdint.h>

/// Reads the terminal's size; 0, or -1 where there is none. ioctl is variadic.
int platform_terminal_size(int descriptor, int *_Nonnull columns, int *_Nonnull rows);

/// Whether nothing will ever be read from the terminal again: it was closed or hung up.
///
/// Nonzero for a hang-up, and where it is ready to read but has no byte. FIONREAD is a macro.
int platform_terminal_is_closed(int descriptor);

/// Opens the terminal of a descriptor again, so that O_NONBLOCK concerns nobody who shares the
/// first; returns the new descriptor, or -1 where the terminal cannot be opened. open is variadic.
int platform_terminal_reopen(int descriptor);

/// Remembers the settings of the terminal; call it before the screen is opened. Returns 0 or -1.
int platform_terminal_remember(int descriptor);

/// Says where the bytes of a restored terminal go.
///
/// Where the terminal could not be opened again, `is_shared` is nonzero: O_NONBLOCK is then set on a
/// descriptor that others share, but only while the terminal is the screen's.
void platform_terminal_set_output(int descriptor, int is_shared);

/// Remembers the bytes that undo what a screen does to the terminal; at most 512 are kept.
void platform_terminal_set_restore_bytes(const uint8_t *_Nonnull bytes, size_t count);

/// Sets the settings with which the screen works: each key by itself, nothing echoed.
///
/// ncurses does not: it would wait until the terminal has taken all output.
void platform_terminal_enter_screen(void);

/// Has the guardian hold the remembered terminal, so that it can give it back when the host is gone.
///
/// It is started, or another one takes its place. Without a remembered terminal nothing happens.
void platform_guardian_hold_terminal(void);

/// Sets the remembered settings; the bytes that undo the screen have been written. Never waits.
void platform_terminal_leave_screen(void);

/// Writes the bytes and sets the remembered settings; nothing twice. Never waits: what a terminal
/// that takes nothing has not shown yet is discarded to make room for the bytes.
void platform_terminal_restore(void);

/// From now on a crash restores the terminal before it ends the process.
///
/// Handlers for SEGV, ILL, ABRT, BUS, FPE and TRAP must be C: what they call may neither allocate
/// nor enter Swift. They end with the signal's own action, so the status tells what happened. The
/// same goes for TERM, HUP, INT and QUIT, until Dispatch sources take them over: a source is armed
/// some time after it is resumed. SIGTTOU is ignored. SIGWINCH gets a handler that does nothing, so
/// that ncurses, which does not write to the terminal itself, does not follow its size.
void platform_terminal_guard(void);

/// What ncurses writes to instead of the terminal, so that no write of its own ever waits.
typedef struct platform_frame {
  /// Where ncurses writes.
  int writer;
  /// The other end of a pipe; −1 where it is memory.
  int reader;
  /// How many bytes may be written before they are taken; SIZE_MAX for memory.
  size_t capacity;
} platform_frame;

/// Makes one: memory that looks like a file, or a pipe where the size of files is limited. Returns 0
/// or −1. memfd_create and F_SETPIPE_SZ are hidden from Swift.
int platform_frame_open(platform_frame *_Nonnull frame);

/// How many bytes have been written and not taken.
size_t platform_frame_size(const platform_frame *_Nonnull frame);

/// Takes as many as there are, which `platform_frame_size` told; returns how many it got.
size_t platform_frame_take(const platform_frame *_Nonnull frame, uint8_t *_Nonnull bytes,
                           size_t count);

/// Gives the calling thread a stack for the handlers, once; a stack that overflowed has no room.
void platform_terminal_guard_thread(void);

#endif
