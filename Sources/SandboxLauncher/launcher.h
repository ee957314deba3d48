/// A program that gives up what a widget may not do, and then becomes the widget.
#ifndef SANDBOX_LAUNCHER_H
#define SANDBOX_LAUNCHER_H

#include <stdbool.h>
#include <stddef.h>

/// The descriptor of the rules.
enum { RULES_FILE = 3 };

/// The exit status where there is no such sandbox, and where the program cannot be started.
enum { STATUS_NO_SANDBOX = 125, STATUS_NO_PROGRAM = 126 };

/// What a widget may do beside reading and writing files.
typedef struct launcher_rights {
  /// It may use the network.
  bool network;
  /// The version of Landlock that is used: that of the kernel, or a lower one that the rules ask for.
  int version;
} launcher_rights;

/// Prints why the program cannot go on, with the message of errno unless it is 0, and ends it.
_Noreturn void launcher_fail(int status, int number, const char *what, const char *detail);

/// Confines the process to the files of the rules, and to signals to itself, as far as this version of
/// Landlock can; `rules` are strings that end with NUL, of the form `kind:path`.
///
/// `read`, `write` and `device` are kinds of paths, with `-try` for those that may be missing. `network:` permits
/// the network, and `version:2` uses an older Landlock than the kernel has, for tests.
launcher_rights launcher_restrict_files(const char *rules, size_t length);

/// Gives up all capabilities, which a process of root has, for good.
void launcher_drop_capabilities(void);

/// Installs the filter of system calls that all sandboxes have, and what refuses that which Landlock does not cover.
void launcher_restrict_calls(const launcher_rights *rights);

/// Writes the filter that all sandboxes have to standard output, as `bwrap --seccomp` reads it, and ends the program.
///
/// `local_sockets` allows sockets of local files.
_Noreturn void launcher_print_filter(bool local_sockets);

/// Starts programs beside a sandbox, waits until they are ready, and becomes the sandbox, which they end with.
///
/// `arguments` are the words after `--beside`, ended by NULL: for each companion its kind, the number of its
/// arguments and these, with its path first; then `--`, and the sandbox with its arguments. A companion writes a
/// byte to descriptor 3 when it is ready, and `{}` among its arguments is the process number of the sandbox. Before
/// a `network` companion is started, the sandbox is put into a network of its own.
_Noreturn void launcher_run_beside(char **arguments);

#endif
