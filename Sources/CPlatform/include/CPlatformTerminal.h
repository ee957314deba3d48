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

/// Remembers the settings of the terminal; call it before the screen is opened. Returns 0 or -1.
int platform_terminal_remember(int descriptor);

/// Remembers the bytes that undo what a screen does to the terminal; at most 512 are kept.
void platform_terminal_set_restore_bytes(const uint8_t *_Nonnull bytes, size_t count);

/// Remembers the settings with which the screen works, so that after a kill −9 those of a shell that
/// was quicker are left alone.
void platform_terminal_note_screen(void);

/// Writes the bytes and sets the remembered settings; nothing twice.
void platform_terminal_restore(void);

/// From now on a crash restores the terminal before it ends the process (RELIABILITY F12).
///
/// Handlers for SEGV, ILL, ABRT, BUS, FPE and TRAP must be C: what they call may neither allocate
/// nor enter Swift. They end with the signal's own action, so the status tells what happened. The
/// same goes for TERM, HUP, INT and QUIT, until Dispatch sources take them over: a source is armed
/// some time after it is resumed. SIGTTOU is ignored.
void platform_terminal_guard(void);

/// The terminal is the screen's (nonzero), or the shell's, which a crash leaves alone (0).
///
/// While it is the screen's, the guardian gives it back after a kill −9 too.
void platform_terminal_arm(int armed);

/// Gives the calling thread a stack for the handlers, once; a stack that overflowed has no room.
void platform_terminal_guard_thread(void);

#endif
