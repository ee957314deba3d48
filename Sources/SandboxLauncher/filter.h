/// Filters of system calls, made by libseccomp: everything is allowed but what is refused.
#ifndef SANDBOX_FILTER_H
#define SANDBOX_FILTER_H

#include <seccomp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "launcher.h"

/// Conditions for the lower half of an argument, which is what the kernel reads of an int.
#define HAS(index, mask, value) SCMP_CMP((index), SCMP_CMP_MASKED_EQ, (mask), (value))
#define IS(index, value) HAS(index, UINT32_MAX, (uint32_t)(value))
/// Conditions for a whole argument.
#define IS_NOT(index, value) SCMP_CMP((index), SCMP_CMP_NE, (value), 0)
#define IS_ABOVE(index, value) SCMP_CMP((index), SCMP_CMP_GT, (value), 0)

/// Refuses a call with an error if all conditions hold, of which each has an argument of its own.
#define REFUSE(filter, error, call, ...) REFUSE_CALL(filter, error, SCMP_SYS(call), __VA_ARGS__)
#define REFUSE_CALL(filter, error, call, ...)                                                     \
  filter_check(seccomp_rule_add_array(                                                            \
      filter, SCMP_ACT_ERRNO(error), call,                                                        \
      sizeof((struct scmp_arg_cmp[]){__VA_ARGS__}) / sizeof(struct scmp_arg_cmp),                 \
      (struct scmp_arg_cmp[]){__VA_ARGS__}))

/// Ends the program if a function of libseccomp failed.
static inline void filter_check(int result) {
  if (result < 0) launcher_fail(STATUS_NO_SANDBOX, -result, "cannot filter system calls", NULL);
}

/// Refuses a call with an error, whatever its arguments are.
static inline void filter_refuse(scmp_filter_ctx filter, int error, int call) {
  filter_check(seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(error), call, 0, NULL));
}

/// A filter without rules; `foreign` happens to calls of other kinds of processors.
scmp_filter_ctx filter_open(uint32_t foreign);

/// Installs a filter.
void filter_install(scmp_filter_ctx filter);

/// Refuses sockets of all domains, the first argument of `call`, but those whose bits are set in `allowed`.
void filter_refuse_domains(scmp_filter_ctx filter, int error, int call, uint32_t allowed);

/// Refuses sockets of one domain, or of all if it is negative, of all types but those whose bits are set in `allowed`.
void filter_refuse_types(scmp_filter_ctx filter, int error, int call, int domain, uint32_t allowed);

/// The filter that all sandboxes have.
///
/// It refuses what a widget does not need and what a sandbox cannot contain otherwise: tracing other processes, new
/// namespaces, mounts, keys, pushing input into a terminal, loading BPF programs, kinds of sockets other than those
/// of the network and of local files, and changing RLIMIT_LOCKS, which identifies the processes of a run.
scmp_filter_ctx filter_common(bool local_sockets);

#endif
