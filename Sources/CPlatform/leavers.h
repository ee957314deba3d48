/// Widgets that may finish something after the host has ended, as the process sees them that takes over from it.
#ifndef LEAVERS_H
#define LEAVERS_H

#include <stddef.h>

#include "CPlatform.h"

enum { LEAVER_LIMIT = 64 };

/// Takes over widgets; returns 0 if one of them cannot be.
int leavers_adopt(const platform_leaver *sources, size_t count);

/// Takes the end of activities of what they write, and returns when all have ended. Async-signal-safe.
void leavers_serve(void);

/// Closes their streams, which another process has too. Async-signal-safe.
void leavers_close_streams(void);

/// Ends all of them. Async-signal-safe.
void leavers_end(void);

#endif
