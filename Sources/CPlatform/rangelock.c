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
