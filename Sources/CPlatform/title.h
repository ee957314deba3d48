/// The name of the calling process in lists of processes.
#ifndef TITLE_H
#define TITLE_H

/// Changes the name of a process that was forked from the host, so that a search for the host does not
/// find it: `name`, of at most 15 bytes, for ps and pkill, and `title` in place of the arguments.
/// Async-signal-safe.
void title_set(const char *name, const char *title);

#endif
