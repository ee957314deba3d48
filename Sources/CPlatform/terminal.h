/// What the guardian needs of the terminal: the host's memory of it is shared with it.
#ifndef TERMINAL_H
#define TERMINAL_H

/// The descriptor whose settings were remembered; −1 before that, or where they cannot be shared.
int terminal_descriptor(void);

/// The descriptor that the bytes of a restored terminal go to; −1 before the screen is opened.
int terminal_output(void);

/// Whether the terminal is the screen's and was not given back.
int terminal_is_screen(void);

/// Gives the terminal back for a host that is gone, if that one had it still.
///
/// The settings are put back only where they are still the screen's: a shell may have been quicker.
/// Async-signal-safe. Returns 0 if the output takes nothing at the moment and `milliseconds` is 0;
/// it can be tried again. A longer wait ends with what the terminal has not shown being discarded.
int terminal_give_back(int settings, int output, int milliseconds);

#endif
