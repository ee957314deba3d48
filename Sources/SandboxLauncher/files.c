#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "launcher.h"

// The interface of Landlock, as the headers of the machine that builds may be older than the kernel that runs.
// The numbers are the same for all processors.
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { VERSION_FLAG = 1, PATH_BENEATH = 1 };

/// Rights of files; they are refused unless a rule has them.
enum {
  MAY_EXECUTE = 1 << 0,
  MAY_WRITE = 1 << 1,
  MAY_READ = 1 << 2,
  MAY_LIST = 1 << 3,
  MAY_REMOVE = 1 << 4 | 1 << 5,
  MAY_MAKE_FOLDER = 1 << 7,
  MAY_MAKE_FILE = 1 << 8,
  MAY_MAKE_FIFO = 1 << 10,
  MAY_MAKE_LINK = 1 << 12,
  /// Those of all versions; further ones came later.
  FIRST_RIGHTS = (1 << 13) - 1,
  MAY_MOVE = 1 << 13,
  MAY_TRUNCATE = 1 << 14,
  MAY_CONTROL = 1 << 15,
  READING = MAY_EXECUTE | MAY_READ | MAY_LIST,
  WRITING = READING | MAY_WRITE | MAY_REMOVE | MAY_MAKE_FOLDER | MAY_MAKE_FILE | MAY_MAKE_FIFO
            | MAY_MAKE_LINK | MAY_MOVE | MAY_TRUNCATE,
  DEVICE = MAY_READ | MAY_WRITE | MAY_LIST | MAY_TRUNCATE | MAY_CONTROL,
};

enum { BIND_AND_CONNECT = 1 << 0 | 1 << 1 };
enum { ABSTRACT_SOCKETS_AND_SIGNALS = 1 << 0 | 1 << 1 };

struct ruleset {
  uint64_t files;
  uint64_t network;
  uint64_t scope;
};

struct path_rule {
  uint64_t rights;
  int32_t folder;
} __attribute__((packed));

/// A kind of path in the rules.
struct kind {
  const char *name;
  /// Whether there is nothing to do where it is missing.
  bool is_optional;
  /// Whether it must be a folder at its own place: a program that may change it could put a link there.
  bool is_own;
  uint64_t rights;
};

static const struct kind kinds[] = {
    {"read", false, false, READING},         {"read-try", true, false, READING},
    {"write", false, true, WRITING},         {"write-try", true, false, WRITING},
    {"device-try", true, false, DEVICE},
};

/// The rights of files that a version knows.
static uint64_t rights_of(int version) {
  uint64_t rights = FIRST_RIGHTS;
  if (version >= 2) rights |= MAY_MOVE;
  if (version >= 3) rights |= MAY_TRUNCATE;
  if (version >= 5) rights |= MAY_CONTROL;
  return rights;
}

static const struct kind *kind_named(const char *name, size_t length) {
  for (size_t index = 0; index < sizeof kinds / sizeof kinds[0]; index++) {
    if (strlen(kinds[index].name) == length && memcmp(kinds[index].name, name, length) == 0) {
      return &kinds[index];
    }
  }
  return NULL;
}

static void allow(int rules, uint64_t known, const struct kind *kind, const char *path) {
  int flags = O_PATH | O_CLOEXEC | (kind->is_own ? O_NOFOLLOW | O_DIRECTORY : 0);
  int place = open(path, flags);
  if (place < 0 && kind->is_optional) return;
  struct stat status;
  if (place < 0 || fstat(place, &status) < 0) {
    launcher_fail(STATUS_NO_SANDBOX, errno, "cannot open", path);
  }
  uint64_t rights = kind->rights;
  if (!S_ISDIR(status.st_mode)) {
    rights &= MAY_EXECUTE | MAY_READ | MAY_WRITE | MAY_TRUNCATE | MAY_CONTROL;
  }
  struct path_rule rule = {.rights = rights & known, .folder = place};
  if (syscall(ADD_RULE, rules, PATH_BENEATH, &rule, 0) < 0 && !kind->is_optional) {
    launcher_fail(STATUS_NO_SANDBOX, errno, "no rule is possible for", path);
  }
  close(place);
}

/// Its own files of /proc, which runtimes read when they start: nothing that is about other processes.
///
/// They are those of the widget's first process, which this one becomes.
static void allow_own_facts(int rules, uint64_t known) {
  static const char *const names[] = {"auxv", "cgroup", "cmdline", "comm",   "fd",     "limits",
                                      "maps", "smaps",  "stat",    "statm", "status", "task"};
  struct kind file = {"", true, false, MAY_READ | MAY_LIST};
  for (size_t index = 0; index < sizeof names / sizeof names[0]; index++) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/%s", names[index]);
    allow(rules, known, &file, path);
  }
}

/// The value of a rule of this name, else NULL.
static const char *value(const char *rule, const char *name) {
  size_t length = strlen(name);
  return strncmp(rule, name, length) == 0 && rule[length] == ':' ? rule + length + 1 : NULL;
}

launcher_rights launcher_restrict_files(const char *text, size_t length) {
  if (length == 0 || text[length - 1] != 0) {
    launcher_fail(STATUS_NO_SANDBOX, 0, "the rules are not complete", NULL);
  }
  long version = syscall(CREATE_RULESET, NULL, 0, VERSION_FLAG);
  if (version < 0) {
    const char *reason = errno == EOPNOTSUPP ? "Landlock is switched off in this kernel"
                                             : "this kernel has no Landlock";
    launcher_fail(STATUS_NO_SANDBOX, errno == ENOSYS || errno == EOPNOTSUPP ? 0 : errno, reason, NULL);
  }
  launcher_rights rights = {.version = (int)version};
  const char *end = text + length;
  for (const char *rule = text; rule < end; rule += strlen(rule) + 1) {
    const char *wanted = value(rule, "version");
    if (wanted && atoi(wanted) > 0 && atoi(wanted) < rights.version) rights.version = atoi(wanted);
    if (value(rule, "network")) rights.network = true;
  }
  struct ruleset set = {
      .files = rights_of(rights.version),
      .network = rights.version >= 4 && !rights.network ? BIND_AND_CONNECT : 0,
      .scope = rights.version >= 6 ? ABSTRACT_SOCKETS_AND_SIGNALS : 0,
  };
  // Older kernels accept what they do not know if it is 0.
  int rules = (int)syscall(CREATE_RULESET, &set, sizeof set, 0);
  if (rules < 0) launcher_fail(STATUS_NO_SANDBOX, errno, "no Landlock rules are possible", NULL);
  for (const char *rule = text; rule < end; rule += strlen(rule) + 1) {
    if (value(rule, "version") || value(rule, "network")) continue;
    const char *colon = strchr(rule, ':');
    const struct kind *kind = colon ? kind_named(rule, (size_t)(colon - rule)) : NULL;
    if (kind == NULL || colon[1] != '/') launcher_fail(STATUS_NO_SANDBOX, 0, "unknown rule", rule);
    allow(rules, set.files, kind, colon + 1);
  }
  allow_own_facts(rules, set.files);
  if (syscall(RESTRICT_SELF, rules, 0) < 0) {
    launcher_fail(STATUS_NO_SANDBOX, errno, "Landlock refuses the rules", NULL);
  }
  close(rules);
  return rights;
}
