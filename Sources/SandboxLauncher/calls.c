#include <asm/unistd.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "launcher.h"

#if defined(__x86_64__)
static const uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
static const uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
/// No filter for other processors.
static const uint32_t architecture = 0;
#endif

// The last calls that the headers of the machine that builds may not know; the numbers are common.
enum {
  CALL_FCHMODAT2 = 452,
  CALL_SETXATTRAT = 463,
  CALL_REMOVEXATTRAT = 466,
  CALL_OPEN_TREE_ATTR = 467,
  CALL_FILE_SETATTR = 469,
  CALL_LAST_KNOWN = 469,
};

enum { INSTRUCTION_LIMIT = 512 };

struct program {
  struct sock_filter instructions[INSTRUCTION_LIMIT];
  size_t count;
};

static void add(struct program *program, uint16_t code, uint32_t value, uint8_t yes, uint8_t no) {
  if (program->count == INSTRUCTION_LIMIT) {
    launcher_fail(STATUS_NO_SANDBOX, E2BIG, "the filter is too long", NULL);
  }
  program->instructions[program->count++] =
      (struct sock_filter){.code = code, .jt = yes, .jf = no, .k = value};
}

static uint32_t refusal(int number) { return SECCOMP_RET_ERRNO | ((uint32_t)number & SECCOMP_RET_DATA); }

static void load(struct program *program, size_t offset) {
  add(program, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

/// The lower half of an argument; both kinds of processors are little-endian.
static void load_argument(struct program *program, size_t index) {
  load(program, offsetof(struct seccomp_data, args) + 8 * index);
}

static void finish(struct program *program, uint32_t action) {
  add(program, BPF_RET | BPF_K, action, 0, 0);
}

static void finish_if(struct program *program, uint32_t value, uint32_t action) {
  add(program, BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
  finish(program, action);
}

/// Begins what applies to one call; the accumulator has its number. Ends with `end_call`.
static size_t begin_call(struct program *program, int number) {
  add(program, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 0);
  return program->count;
}

/// Ends the part of a call with `action`, and lets all other calls skip it.
static void end_call(struct program *program, size_t start, uint32_t action) {
  finish(program, action);
  program->instructions[start - 1].jf = (uint8_t)(program->count - start);
}

/// Calls that change files by their path, or by a descriptor that may only be for reading; calls that reach
/// other programs; and those that tell what happens in folders which cannot be read.
static const int refused[] = {
#ifdef __NR_chmod
    __NR_chmod, __NR_chown, __NR_lchown, __NR_utime, __NR_utimes, __NR_futimesat,
#endif
    __NR_fchmod, __NR_fchmodat, __NR_fchown, __NR_fchownat, __NR_setxattr, __NR_lsetxattr,
    __NR_fsetxattr, __NR_removexattr, __NR_lremovexattr, __NR_fremovexattr, CALL_FCHMODAT2,
    CALL_SETXATTRAT, CALL_REMOVEXATTRAT, CALL_FILE_SETATTR, CALL_OPEN_TREE_ATTR,
    __NR_inotify_add_watch, __NR_fanotify_init, __NR_fanotify_mark, __NR_shmget, __NR_shmat,
    __NR_shmctl, __NR_semget, __NR_semop, __NR_semtimedop, __NR_semctl, __NR_msgget, __NR_msgsnd,
    __NR_msgrcv, __NR_msgctl, __NR_mq_open, __NR_mq_unlink, __NR_migrate_pages, __NR_move_pages,
#ifdef __NR_process_mrelease
    __NR_process_mrelease,
#endif
};

/// Calls whose first argument is a process: 0, the caller, is the only one.
static const int for_itself[] = {
    __NR_prlimit64, __NR_sched_setaffinity, __NR_sched_setattr, __NR_sched_setparam,
    __NR_sched_setscheduler,
};

static void restrict_processes(struct program *program) {
  for (size_t index = 0; index < sizeof for_itself / sizeof for_itself[0]; index++) {
    size_t start = begin_call(program, for_itself[index]);
    load_argument(program, 0);
    finish_if(program, 0, SECCOMP_RET_ALLOW);
    end_call(program, start, refusal(EPERM));
  }
  // Priorities: the kind of who, and who.
  const struct {
    int number;
    uint32_t kind;
  } calls[] = {{__NR_setpriority, PRIO_PROCESS}, {__NR_ioprio_set, 1}};
  for (size_t index = 0; index < sizeof calls / sizeof calls[0]; index++) {
    size_t start = begin_call(program, calls[index].number);
    load_argument(program, 0);
    add(program, BPF_JMP | BPF_JEQ | BPF_K, calls[index].kind, 1, 0);
    finish(program, refusal(EPERM));
    load_argument(program, 1);
    finish_if(program, 0, SECCOMP_RET_ALLOW);
    end_call(program, start, refusal(EPERM));
  }
}

/// Times may be set of an open file, as touch(1) does, but not of a path.
static void restrict_times(struct program *program) {
  size_t start = begin_call(program, __NR_utimensat);
  for (size_t half = 0; half < 8; half += 4) {
    load(program, offsetof(struct seccomp_data, args) + 8 + half);
    add(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
    finish(program, refusal(EPERM));
  }
  end_call(program, start, SECCOMP_RET_ALLOW);
}

/// Attributes of files, and the process that a socket sends signals to.
static void restrict_controls(struct program *program) {
  size_t start = begin_call(program, __NR_ioctl);
  load_argument(program, 1);
  finish_if(program, (uint32_t)FS_IOC_SETFLAGS, refusal(EPERM));
  finish_if(program, (uint32_t)FS_IOC_FSSETXATTR, refusal(EPERM));
  finish_if(program, FIOSETOWN, refusal(EPERM));
  finish_if(program, SIOCSPGRP, refusal(EPERM));
  end_call(program, start, SECCOMP_RET_ALLOW);
}

/// Landlock covers only TCP, and by number, so that sockets are refused where they are made.
static void restrict_sockets(struct program *program, bool network) {
  size_t start = begin_call(program, __NR_socket);
  if (network) {
    load_argument(program, 0);
    // Netlink is how a program learns which addresses the machine has: that protocol alone.
    add(program, BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 0, 4);
    load_argument(program, 2);
    finish_if(program, NETLINK_ROUTE, SECCOMP_RET_ALLOW);
    finish(program, refusal(EACCES));
    add(program, BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 2, 0);
    add(program, BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 1, 0);
    finish(program, refusal(EACCES));
    load_argument(program, 1);
    add(program, BPF_ALU | BPF_AND | BPF_K, 0xF, 0, 0);
    finish_if(program, SOCK_STREAM, SECCOMP_RET_ALLOW);
    finish_if(program, SOCK_DGRAM, SECCOMP_RET_ALLOW);
  }
  end_call(program, start, refusal(EACCES));
  // A pair of datagram sockets could send to any local socket.
  start = begin_call(program, __NR_socketpair);
  load_argument(program, 1);
  add(program, BPF_ALU | BPF_AND | BPF_K, 0xF, 0, 0);
  finish_if(program, SOCK_STREAM, SECCOMP_RET_ALLOW);
  finish_if(program, SOCK_SEQPACKET, SECCOMP_RET_ALLOW);
  end_call(program, start, refusal(EACCES));
  if (network) return;
  const int calls[] = {__NR_connect, __NR_bind, __NR_listen, __NR_accept, __NR_accept4};
  for (size_t index = 0; index < sizeof calls / sizeof calls[0]; index++) {
    finish_if(program, (uint32_t)calls[index], refusal(EACCES));
  }
}

/// Landlock before version 3 lets every program cut any file that the user can write.
static void restrict_truncation(struct program *program) {
  finish_if(program, __NR_truncate, refusal(EACCES));
  finish_if(program, __NR_openat2, refusal(ENOSYS));
  const struct {
    int number;
    size_t flags;
  } calls[] = {
#ifdef __NR_open
      {__NR_open, 1},
#endif
      {__NR_openat, 2}};
  for (size_t index = 0; index < sizeof calls / sizeof calls[0]; index++) {
    size_t start = begin_call(program, calls[index].number);
    load_argument(program, calls[index].flags);
    add(program, BPF_ALU | BPF_AND | BPF_K, O_TRUNC | O_ACCMODE, 0, 0);
    finish_if(program, O_TRUNC | O_RDONLY, refusal(EACCES));
    end_call(program, start, SECCOMP_RET_ALLOW);
  }
}

/// Landlock before version 6 does not cover signals. The first process, which this one is, and its group are what
/// remains.
static void restrict_signals(struct program *program) {
  uint32_t own = (uint32_t)getpid();
  size_t start = begin_call(program, __NR_kill);
  load_argument(program, 0);
  finish_if(program, 0, SECCOMP_RET_ALLOW);
  finish_if(program, own, SECCOMP_RET_ALLOW);
  end_call(program, start, refusal(EPERM));
  start = begin_call(program, __NR_tgkill);
  load_argument(program, 0);
  finish_if(program, own, SECCOMP_RET_ALLOW);
  end_call(program, start, refusal(EPERM));
  const int calls[] = {__NR_tkill, __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo, __NR_pidfd_send_signal};
  for (size_t index = 0; index < sizeof calls / sizeof calls[0]; index++) {
    finish_if(program, (uint32_t)calls[index], refusal(EPERM));
  }
  // Descriptors that send a signal when they become ready.
  start = begin_call(program, __NR_fcntl);
  load_argument(program, 1);
  finish_if(program, F_SETOWN, refusal(EPERM));
  finish_if(program, F_SETOWN_EX, refusal(EPERM));
  end_call(program, start, SECCOMP_RET_ALLOW);
}

/// The filter of what Landlock does not cover.
static void write_filter(struct program *program, const launcher_rights *rights) {
  load(program, offsetof(struct seccomp_data, arch));
  add(program, BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0);
  finish(program, SECCOMP_RET_KILL_PROCESS);
  load(program, offsetof(struct seccomp_data, nr));
  // Calls that were added later, and those of the x32 ABI.
  add(program, BPF_JMP | BPF_JGT | BPF_K, CALL_LAST_KNOWN, 0, 1);
  finish(program, refusal(ENOSYS));
  for (size_t index = 0; index < sizeof refused / sizeof refused[0]; index++) {
    finish_if(program, (uint32_t)refused[index], refusal(EPERM));
  }
  restrict_processes(program);
  restrict_times(program);
  restrict_sockets(program, rights->network);
  if (rights->version < 3) restrict_truncation(program);
  if (rights->version < 6) restrict_signals(program);
  restrict_controls(program);
  finish(program, SECCOMP_RET_ALLOW);
}

static void install(struct sock_filter *instructions, size_t count) {
  struct sock_fprog program = {.len = (unsigned short)count, .filter = instructions};
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0) {
    launcher_fail(STATUS_NO_SANDBOX, errno, "this kernel filters no system calls", NULL);
  }
}

void launcher_restrict_calls(const void *filter, size_t length, const launcher_rights *rights) {
  if (architecture == 0 || length == 0) {
    launcher_fail(STATUS_NO_SANDBOX, 0, "there is no filter of system calls for this processor", NULL);
  }
  if (length % sizeof(struct sock_filter) != 0) {
    launcher_fail(STATUS_NO_SANDBOX, 0, "the filter of system calls is not complete", NULL);
  }
  static struct program program;
  write_filter(&program, rights);
  install((struct sock_filter *)(uintptr_t)filter, length / sizeof(struct sock_filter));
  install(program.instructions, program.count);
}
