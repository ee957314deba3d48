#include <CAgent.h>
#include <stdint.h>
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

// The interface of Landlock, as the headers of the machine that builds may be older than the kernel that runs.
enum { CREATE_RULESET = 444, RESTRICT_SELF = 446, VERSION_FLAG = 1 };

/// Rights of files: all of the first version but reading, and those that came later.
enum { CHANGING = ((1 << 13) - 1) & ~(1 << 2 | 1 << 3), MOVING = 1 << 13, TRUNCATING = 1 << 14 };

/// Lets no file be changed or executed, where the kernel has Landlock. Files are still read: those of the resolver and the
/// certificates.
static void close_files(void) {
  long version = syscall(CREATE_RULESET, NULL, 0, VERSION_FLAG);
  if (version < 1) return;
  uint64_t rights = CHANGING | (version >= 2 ? MOVING : 0) | (version >= 3 ? TRUNCATING : 0);
  int file = (int)syscall(CREATE_RULESET, &rights, sizeof rights, 0);
  if (file < 0) return;
  (void)syscall(RESTRICT_SELF, file, 0);
  (void)close(file);
}

void confine(void) {
  // Passwords are in no core, and no process of the user reads them here.
  agent_become_private();
  limit(RLIMIT_DATA, MEMORY_LIMIT);
  limit(RLIMIT_NOFILE, FILE_LIMIT);
  close_files();
}
