#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "CPlatformTerminal.h"

enum {
  /// If the limit of file sizes is lower, a pipe is used instead.
  FILE_SIZE_NEEDED = 64 * 1024 * 1024,
  PIPE_SIZE = 1024 * 1024,
  /// More memory than this is released after a frame.
  KEPT_SIZE = 256 * 1024,
};

static int open_pipe(platform_frame *frame) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  // This fails if the pipes of the user are too large already.
  (void)fcntl(ends[1], F_SETPIPE_SZ, PIPE_SIZE);
  int size = fcntl(ends[1], F_GETPIPE_SZ);
  // A write that does not fit into the rest of a page uses a new page.
  *frame = (platform_frame){ends[1], ends[0], size > 0 ? (size_t)size / 2 : 2048};
  return 0;
}

int platform_frame_open(platform_frame *frame) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < FILE_SIZE_NEEDED) {
    return open_pipe(frame);
  }
  int memory = memfd_create("frame", MFD_CLOEXEC);
  if (memory < 0) return open_pipe(frame);
  *frame = (platform_frame){.writer = memory, .reader = -1};
  return 0;
}

size_t platform_frame_size(const platform_frame *frame) {
  if (frame->reader < 0) {
    off_t end = lseek(frame->writer, 0, SEEK_CUR);
    return end > 0 ? (size_t)end : 0;
  }
  int size = 0;
  return ioctl(frame->reader, FIONREAD, &size) == 0 && size > 0 ? (size_t)size : 0;
}

size_t platform_frame_take(const platform_frame *frame, uint8_t *bytes, size_t count) {
  size_t taken = 0;
  while (taken < count) {
    ssize_t part = frame->reader < 0
                       ? pread(frame->writer, bytes + taken, count - taken, (off_t)taken)
                       : read(frame->reader, bytes + taken, count - taken);
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) break;
    taken += (size_t)part;
  }
  if (frame->reader < 0) {
    (void)lseek(frame->writer, 0, SEEK_SET);
    if (count > KEPT_SIZE) (void)!ftruncate(frame->writer, 0);
  }
  return taken;
}
