#include <errno.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "launcher.h"

void launcher_drop_capabilities(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct none[2] = {{0}};
  // Root does not regain them when a program is started. Only a process that has some can do, and needs, this.
  (void)prctl(PR_SET_SECUREBITS, SECURE_ALL_BITS | SECURE_ALL_LOCKS, 0, 0, 0);
  (void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  for (unsigned long number = 0; prctl(PR_CAPBSET_READ, number, 0, 0, 0) >= 0; number++) {
    (void)prctl(PR_CAPBSET_DROP, number, 0, 0, 0);
  }
  if (syscall(SYS_capset, &header, none) < 0) {
    launcher_fail(STATUS_NO_SANDBOX, errno, "cannot give up capabilities", NULL);
  }
}
