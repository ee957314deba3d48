#include "CPlatform.h"

#include <unistd.h>

int platform_sync_file_system(int folder) {
  return syncfs(folder);
}
