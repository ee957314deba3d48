#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "CPlatform.h"

int platform_open_unnamed(const char *folder) {
  int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) return file;
  // A file system that makes no file without a name (open(2)).
  char path[4096];
  int length = snprintf(path, sizeof path, "%s/.today-XXXXXX", folder);
  if (length < 0 || (size_t)length >= sizeof path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  file = mkostemp(path, O_CLOEXEC);
  if (file >= 0) (void)unlink(path);
  return file;
}

/// Names and values of attributes have at most 64 KiB (xattr(7)).
enum { ATTRIBUTE_BYTES = 64 * 1024 };

int platform_copy_attributes(const char *path, int file) {
  char *names = malloc(2 * ATTRIBUTE_BYTES);
  if (names == NULL) return -1;
  char *value = names + ATTRIBUTE_BYTES;
  ssize_t count = listxattr(path, names, ATTRIBUTE_BYTES);
  int failed = 0;
  for (ssize_t at = 0; at < count; at += (ssize_t)strlen(names + at) + 1) {
    ssize_t size = getxattr(path, names + at, value, ATTRIBUTE_BYTES);
    if (size >= 0 && fsetxattr(file, names + at, value, (size_t)size, 0) < 0) failed++;
  }
  free(names);
  return failed;
}
