#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>

int platform_lock_byte(int file, uint64_t place) {
  struct flock lock = {
      .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)(place >> 2), .l_len = 1};
  return fcntl(file, F_OFD_SETLK, &lock) == 0 ? 0 : errno;
}

int platform_byte_is_locked(int file, uint64_t place) {
  struct flock lock = {
      .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)(place >> 2), .l_len = 1};
  return fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

int platform_bytes_are_locked(int file, int64_t first, int64_t count) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = first, .l_len = count};
  return fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

int platform_change_byte_lock(int file, uint64_t place, int part, enum platform_byte_lock lock) {
  static const short types[] = {F_UNLCK, F_RDLCK, F_WRLCK};
  off_t start = (off_t)((place >> 2) & ~UINT64_C(1)) + (part != 0);
  struct flock range = {.l_type = types[lock], .l_whence = SEEK_SET, .l_start = start, .l_len = 1};
  return fcntl(file, F_OFD_SETLK, &range) == 0 ? 0 : errno;
}
