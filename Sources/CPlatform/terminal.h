/// The state of the terminal that the host shares with the guardian.
#ifndef TERMINAL_H
#define TERMINAL_H

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

#endif
