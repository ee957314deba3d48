#include <fcntl.h>

#include "CPlatform.h"

void platform_begin_writeback(int descriptor) {
  (void)sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
}
