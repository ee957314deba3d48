#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "filter.h"

// The last calls that the library of the machine that builds may not know; the numbers are common.
enum {
  CALL_FCHMODAT2 = 452,
  CALL_SETXATTRAT = 463,
  CALL_REMOVEXATTRAT = 466,
  CALL_OPEN_TREE_ATTR = 467,
  CALL_FILE_SETATTR = 469,
  CALL_LAST_KNOWN = 469,
};

/// Calls that change files by their path, or by a descriptor that may only be for reading; calls that reach
/// other programs; and those that tell what happens in folders which cannot be read.
static const int refused[] = {
    SCMP_SYS(chmod), SCMP_SYS(chown), SCMP_SYS(lchown), SCMP_SYS(utime), SCMP_SYS(utimes),
    SCMP_SYS(futimesat), SCMP_SYS(fchmod), SCMP_SYS(fchmodat), SCMP_SYS(fchown),
    SCMP_SYS(fchownat), SCMP_SYS(setxattr), SCMP_SYS(lsetxattr), SCMP_SYS(fsetxattr),
    SCMP_SYS(removexattr), SCMP_SYS(lremovexattr), SCMP_SYS(fremovexattr), CALL_FCHMODAT2,
    CALL_SETXATTRAT, CALL_REMOVEXATTRAT, CALL_FILE_SETATTR, CALL_OPEN_TREE_ATTR,
    SCMP_SYS(inotify_add_watch), SCMP_SYS(fanotify_init), SCMP_SYS(fanotify_mark),
    SCMP_SYS(shmget), SCMP_SYS(shmat), SCMP_SYS(shmctl), SCMP_SYS(semget), SCMP_SYS(semop),
    SCMP_SYS(semtimedop), SCMP_SYS(semctl), SCMP_SYS(msgget), SCMP_SYS(msgsnd),
    SCMP_SYS(msgrcv), SCMP_SYS(msgctl), SCMP_SYS(mq_open), SCMP_SYS(mq_unlink),
    SCMP_SYS(migrate_pages), SCMP_SYS(move_pages), SCMP_SYS(process_mrelease),
};

static void restrict_processes(scmp_filter_ctx filter) {
  // The first argument is a process: 0, the caller, is the only one.
  REFUSE(filter, EPERM, prlimit64, IS_NOT(0, 0));
  REFUSE(filter, EPERM, sched_setaffinity, IS_NOT(0, 0));
  REFUSE(filter, EPERM, sched_setattr, IS_NOT(0, 0));
  REFUSE(filter, EPERM, sched_setparam, IS_NOT(0, 0));
  REFUSE(filter, EPERM, sched_setscheduler, IS_NOT(0, 0));
  // Priorities: the kind of who, of which one is a process, and who.
  REFUSE(filter, EPERM, setpriority, IS_NOT(0, PRIO_PROCESS));
  REFUSE(filter, EPERM, setpriority, IS_NOT(1, 0));
  REFUSE(filter, EPERM, ioprio_set, IS_NOT(0, 1));
  REFUSE(filter, EPERM, ioprio_set, IS_NOT(1, 0));
}

/// Landlock covers only TCP, and by number, so that sockets are refused where they are made.
static void restrict_sockets(scmp_filter_ctx filter, bool network) {
  // A pair of datagram sockets could send to any local socket.
  uint32_t pairs = 1u << SOCK_STREAM | 1u << SOCK_SEQPACKET;
  filter_refuse_types(filter, EACCES, SCMP_SYS(socketpair), -1, pairs);
  if (!network) {
    filter_refuse(filter, EACCES, SCMP_SYS(socket));
    filter_refuse(filter, EACCES, SCMP_SYS(connect));
    filter_refuse(filter, EACCES, SCMP_SYS(bind));
    filter_refuse(filter, EACCES, SCMP_SYS(listen));
    filter_refuse(filter, EACCES, SCMP_SYS(accept));
    filter_refuse(filter, EACCES, SCMP_SYS(accept4));
    return;
  }
  uint32_t domains = 1u << AF_INET | 1u << AF_INET6 | 1u << AF_NETLINK;
  filter_refuse_domains(filter, EACCES, SCMP_SYS(socket), domains);
  uint32_t types = 1u << SOCK_STREAM | 1u << SOCK_DGRAM;
  filter_refuse_types(filter, EACCES, SCMP_SYS(socket), AF_INET, types);
  filter_refuse_types(filter, EACCES, SCMP_SYS(socket), AF_INET6, types);
  // Netlink is how a program learns which addresses the machine has: that protocol alone.
  REFUSE(filter, EACCES, socket, IS(0, AF_NETLINK), IS_NOT(2, NETLINK_ROUTE));
}

/// Landlock before version 3 lets every program cut any file that the user can write.
static void restrict_truncation(scmp_filter_ctx filter) {
  filter_refuse(filter, EACCES, SCMP_SYS(truncate));
  filter_refuse(filter, ENOSYS, SCMP_SYS(openat2));
  REFUSE(filter, EACCES, open, HAS(1, O_TRUNC | O_ACCMODE, O_TRUNC | O_RDONLY));
  REFUSE(filter, EACCES, openat, HAS(2, O_TRUNC | O_ACCMODE, O_TRUNC | O_RDONLY));
}

/// Landlock before version 6 does not cover signals. The first process, which this one is, and its group are what
/// remains; `install_limits` restricts kill(2).
static void restrict_signals(scmp_filter_ctx filter) {
  REFUSE(filter, EPERM, tgkill, IS_NOT(0, (uint32_t)getpid()));
  filter_refuse(filter, EPERM, SCMP_SYS(tkill));
  filter_refuse(filter, EPERM, SCMP_SYS(rt_sigqueueinfo));
  filter_refuse(filter, EPERM, SCMP_SYS(rt_tgsigqueueinfo));
  filter_refuse(filter, EPERM, SCMP_SYS(pidfd_send_signal));
  // Descriptors that send a signal when they become ready.
  REFUSE(filter, EPERM, fcntl, IS(1, F_SETOWN));
  REFUSE(filter, EPERM, fcntl, IS(1, F_SETOWN_EX));
}

/// The filter of what Landlock does not cover.
static scmp_filter_ctx beside_landlock(const launcher_rights *rights) {
  scmp_filter_ctx filter = filter_open(SCMP_ACT_KILL_PROCESS);
  for (size_t index = 0; index < sizeof refused / sizeof refused[0]; index++) {
    filter_refuse(filter, EPERM, refused[index]);
  }
  restrict_processes(filter);
  // Times may be set of an open file, as touch(1) does, but not of a path.
  REFUSE(filter, EPERM, utimensat, IS_NOT(1, 0));
  restrict_sockets(filter, rights->network);
  if (rights->version < 3) restrict_truncation(filter);
  if (rights->version < 6) restrict_signals(filter);
  // Attributes of files, and the process that a socket sends signals to.
  REFUSE(filter, EPERM, ioctl, IS(1, FS_IOC_SETFLAGS));
  REFUSE(filter, EPERM, ioctl, IS(1, FS_IOC_FSSETXATTR));
  REFUSE(filter, EPERM, ioctl, IS(1, FIOSETOWN));
  REFUSE(filter, EPERM, ioctl, IS(1, SIOCSPGRP));
  return filter;
}

/// Installs what libseccomp has no rule for: a range of calls, and two values for one argument.
///
/// The other filters have ended everything that is of another kind of processor.
static void install_limits(bool covers_signals) {
  enum { IF_EQUAL = BPF_JMP | BPF_JEQ | BPF_K, IF_GREATER = BPF_JMP | BPF_JGT | BPF_K };
  struct sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      // Calls that were added later, and those of the x32 ABI.
      BPF_JUMP(IF_GREATER, CALL_LAST_KNOWN, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_JUMP(IF_EQUAL, covers_signals ? UINT32_MAX : SYS_kill, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
      BPF_JUMP(IF_EQUAL, 0, 2, 0),
      BPF_JUMP(IF_EQUAL, (uint32_t)getpid(), 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {.len = sizeof steps / sizeof steps[0], .filter = steps};
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0) {
    launcher_fail(STATUS_NO_SANDBOX, errno, "this kernel filters no system calls", NULL);
  }
}

void launcher_restrict_calls(const launcher_rights *rights) {
  // All are made first: making them needs calls that they refuse.
  scmp_filter_ctx common = filter_common(false), own = beside_landlock(rights);
  filter_install(common);
  filter_install(own);
  install_limits(rights->version >= 6);
}
