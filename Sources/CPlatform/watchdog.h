/// A thread that ends a program whose event loop does not come round.
///
/// It sleeps until there is something to read on the terminal, or a signal, and then looks whether the loop takes it.
#ifndef WATCHDOG_H
#define WATCHDOG_H

/// The event loop begins to wait, or has something to do.
void watchdog_begin_wait(void);
void watchdog_end_wait(void);

#endif
