/// The state of the terminal that the host shares with the guardian.
#ifndef TERMINAL_H
#define TERMINAL_H

#include <sys/types.h>

/// The descriptor whose settings were stored; −1 before that, or if they cannot be shared.
int terminal_descriptor(void);

/// The descriptor for the restore sequence; −1 before the screen is opened.
int terminal_output(void);

/// Whether the screen is open and the terminal was not restored.
int terminal_is_screen(void);

/// Restores the terminal of a host that has ended, if its screen was open.
///
/// The settings are restored only if they are still those of the screen, as a shell may have changed
/// them. Async-signal-safe. Returns 0 if the terminal is blocked and `milliseconds` is 0; call it
/// again then. After a longer wait, the pending output of the terminal is discarded.
int terminal_give_back(int settings, int output, int milliseconds);

/// Notes that a process group has the terminal instead of the screen, until the screen is opened again; 0 for none.
void terminal_lend(pid_t group);

/// The group that has the terminal instead of the screen; 0 for none.
pid_t terminal_borrower(void);

/// Whether that group or the host still has it, and not a shell. Async-signal-safe.
int terminal_is_borrowed(void);

/// Takes back what the borrower of the terminal may have set and left. Async-signal-safe.
///
/// `settings` is −1 if they are those of a shell by now. Returns 0 if the terminal is blocked for so many milliseconds.
int terminal_take_back(int settings, int output, int milliseconds);

#endif
