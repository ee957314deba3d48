/// What the guardian needs of the terminal: the host's memory of it is shared with it.
#ifndef TERMINAL_H
#define TERMINAL_H

/// The descriptor whose settings were remembered; −1 before that, or where they cannot be shared.
int terminal_descriptor(void);

/// Gives the terminal back for a host that is gone, if that one had it still.
///
/// The settings are put back only where they are still the screen's: a shell may have been quicker.
/// Async-signal-safe. Returns 0 where the output took nothing for `milliseconds`, and can be tried
/// again.
int terminal_give_back(int settings, int output, int milliseconds);

#endif
