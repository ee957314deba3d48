// Becomes a widget in a sandbox without namespaces: Landlock limits the files, a filter the system calls.
//
//   sandbox-launcher PROGRAM [ARGUMENT...] 3<RULES
//
// Or starts the programs that a sandbox with namespaces needs beside it, and becomes that sandbox:
//
//   sandbox-launcher --beside {bus|network} COUNT PROGRAM [ARGUMENT...] ... -- bwrap [ARGUMENT...]
//
// Or writes the filter of system calls that such a sandbox reads, without or with local sockets:
//
//   sandbox-launcher --filter [local]
//
// It ends with 125 and a line on standard error if any part of the sandbox cannot be had: a widget is never
// started in half of it.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "launcher.h"

enum { RULES_LIMIT = 1 << 20 };

/// Reads all rules and closes their descriptor, as the program must not have it.
static char *read_rules(size_t *length) {
  static const char name[] = "the rules (descriptor 3)";
  char *bytes = malloc(RULES_LIMIT + 1);
  if (bytes == NULL) launcher_fail(STATUS_NO_SANDBOX, errno, "no memory for", name);
  *length = 0;
  for (;;) {
    ssize_t count = read(RULES_FILE, bytes + *length, RULES_LIMIT + 1 - *length);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) launcher_fail(STATUS_NO_SANDBOX, errno, "cannot read", name);
    if (count == 0) break;
    *length += (size_t)count;
    if (*length > RULES_LIMIT) launcher_fail(STATUS_NO_SANDBOX, E2BIG, "cannot read", name);
  }
  close(RULES_FILE);
  return bytes;
}

int main(int count, char **arguments) {
  extern char **environ;
  if (count < 2) launcher_fail(STATUS_NO_SANDBOX, 0, "usage: sandbox-launcher PROGRAM [ARGUMENT...]", NULL);
  if (strcmp(arguments[1], "--beside") == 0) launcher_run_beside(arguments + 2);
  if (strcmp(arguments[1], "--filter") == 0) launcher_print_filter(count > 2 && strcmp(arguments[2], "local") == 0);
  size_t length;
  char *rules = read_rules(&length);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) {
    launcher_fail(STATUS_NO_SANDBOX, errno, "cannot give up new privileges", NULL);
  }
  launcher_drop_capabilities();
  launcher_rights rights = launcher_restrict_files(rules, length);
  launcher_restrict_calls(&rights);
  // Not execvp, which would pass a text without `#!` to a shell.
  execve(arguments[1], arguments + 1, environ);
  launcher_fail(STATUS_NO_PROGRAM, errno, "cannot start", arguments[1]);
}
