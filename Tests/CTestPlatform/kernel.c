#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CTestPlatform.h"

int test_landlock_version(void) {
  // landlock_create_ruleset(2) with LANDLOCK_CREATE_RULESET_VERSION; the numbers are common to all processors.
  long version = syscall(444, NULL, 0, 1);
  return version < 0 ? -errno : (int)version;
}
