#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent.h"

enum {
  /// Two copies of the largest packet, and what the libraries need. Where a broker does not keep to that, the
  /// connection ends, and not this process.
  MEMORY_LIMIT = 96 * 1024 * 1024,
  FILE_LIMIT = 64,
};

static void limit(int resource, rlim_t value) {
  struct rlimit limits = {value, value};
  (void)setrlimit((__rlimit_resource_t)resource, &limits);
}

/// Lets no file be changed or executed, where the kernel has Landlock. Files are still read: those of the resolver and the
/// certificates.
static void close_files(void) {
  struct landlock_ruleset_attr rules = {
      .handled_access_fs = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                           LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |
                           LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                           LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM,
  };
  int file = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules.handled_access_fs, 0);
  if (file < 0) return;
  (void)syscall(SYS_landlock_restrict_self, file, 0);
  (void)close(file);
}

void confine(void) {
  (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  // Passwords are in no core, and no process of the user reads them here.
  (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_DATA, MEMORY_LIMIT);
  limit(RLIMIT_NOFILE, FILE_LIMIT);
  close_files();
}
