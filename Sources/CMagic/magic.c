#include "CMagic.h"

#include <dlfcn.h>
#include <stdlib.h>

/// MAGIC_MIME_TYPE and MAGIC_NO_CHECK_COMPRESS of magic.h: a type, and that of an archive, not of what is in it.
static const int flags = 0x0000010 | 0x0001000;

typedef void *(*open_call)(int);
typedef int (*load_call)(void *, const char *);
typedef const char *(*buffer_call)(void *, const void *, size_t);
typedef void (*close_call)(void *);

struct cm_magic {
  void *library;
  void *cookie;
  buffer_call buffer;
  close_call close;
};

cm_magic *cm_open(void) {
  void *library = dlopen("libmagic.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return NULL;
  open_call open = (open_call)dlsym(library, "magic_open");
  load_call load = (load_call)dlsym(library, "magic_load");
  buffer_call buffer = (buffer_call)dlsym(library, "magic_buffer");
  close_call close = (close_call)dlsym(library, "magic_close");
  void *cookie = open != NULL && load != NULL && buffer != NULL && close != NULL ? open(flags) : NULL;
  if (cookie != NULL && load(cookie, NULL) != 0) {
    close(cookie);
    cookie = NULL;
  }
  cm_magic *magic = cookie != NULL ? malloc(sizeof *magic) : NULL;
  if (magic == NULL) {
    if (cookie != NULL) close(cookie);
    (void)dlclose(library);
    return NULL;
  }
  *magic = (cm_magic){.library = library, .cookie = cookie, .buffer = buffer, .close = close};
  return magic;
}

const char *cm_mime_type(cm_magic *magic, const void *bytes, size_t count) {
  return magic->buffer(magic->cookie, count > 0 ? bytes : "", count);
}

void cm_close(cm_magic *magic) {
  magic->close(magic->cookie);
  (void)dlclose(magic->library);
  free(magic);
}
