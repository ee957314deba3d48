#ifndef CMAGIC_H
#define CMAGIC_H

#include <stddef.h>

#pragma clang assume_nonnull begin

/// libmagic with its database, which recognizes content by its bytes.
typedef struct cm_magic cm_magic;

/// Loads the library and its database; NULL if either is not installed.
///
/// The library is loaded when it is needed, as only few commands look at content and each library costs time at the
/// start of all.
cm_magic *_Nullable cm_open(void);

/// The MIME type of content by its first bytes; NULL if the library fails.
///
/// The text belongs to the library, until the next call.
const char *_Nullable cm_mime_type(cm_magic *magic, const void *_Nullable bytes, size_t count);

void cm_close(cm_magic *magic);

#pragma clang assume_nonnull end

#endif
