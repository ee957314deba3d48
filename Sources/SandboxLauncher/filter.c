#include "filter.h"

#include <errno.h>
#include <sys/socket.h>

scmp_filter_ctx filter_open(uint32_t foreign) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (filter == NULL) launcher_fail(STATUS_NO_SANDBOX, 0, "libseccomp has no filter for this processor", NULL);
  filter_check(seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, foreign));
  // The error of the kernel, not one of the library.
  filter_check(seccomp_attr_set(filter, SCMP_FLTATR_API_SYSRAWRC, 1));
  return filter;
}

void filter_install(scmp_filter_ctx filter) {
  int result = seccomp_load(filter);
  if (result < 0) launcher_fail(STATUS_NO_SANDBOX, -result, "this kernel filters no system calls", NULL);
  seccomp_release(filter);
}

void filter_refuse_domains(scmp_filter_ctx filter, int error, int call, uint32_t allowed) {
  for (unsigned domain = 0; domain < 32; domain++) {
    if ((allowed >> domain & 1) == 0) REFUSE_CALL(filter, error, call, IS(0, domain));
  }
  REFUSE_CALL(filter, error, call, IS_ABOVE(0, 31));
}

void filter_refuse_types(scmp_filter_ctx filter, int error, int call, int domain, uint32_t allowed) {
  // The other bits are flags.
  for (unsigned type = 0; type <= 0xF; type++) {
    if (allowed >> type & 1) continue;
    if (domain < 0) {
      REFUSE_CALL(filter, error, call, HAS(1, 0xF, type));
    } else {
      REFUSE_CALL(filter, error, call, IS(0, domain), HAS(1, 0xF, type));
    }
  }
}
