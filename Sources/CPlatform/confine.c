#include "CPlatform.h"

#include <asm/ioctls.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OWN_PROCESSOR AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_PROCESSOR AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define OWN_PROCESSOR AUDIT_ARCH_RISCV64
#endif

// The interface of Landlock, as the headers of the machine that builds may be older than the kernel that runs.
enum { CREATE_RULESET = 444, RESTRICT_SELF = 446, VERSION_FLAG = 1 };

/// Rights of files: all of the first version but reading, and those that came later. Terminals that are open, and
/// what is asked of them, are not covered.
enum { CHANGING = ((1 << 13) - 1) & ~(1 << 2 | 1 << 3), MOVING = 1 << 13, TRUNCATING = 1 << 14 };

/// Gives up by Landlock to change files and to start programs; without it the filter alone does that.
static void restrict_files(void) {
  long version = syscall(CREATE_RULESET, NULL, 0, VERSION_FLAG);
  if (version < 1) return;
  struct {
    uint64_t files, network, scope;
  } set = {
      .files = CHANGING | (version >= 2 ? MOVING : 0) | (version >= 3 ? TRUNCATING : 0),
      .network = version >= 4 ? 3 : 0,
      // Not signals: one of the end of this process ends the one that stands by for it.
      .scope = version >= 6 ? 1 : 0,
  };
  int rules = (int)syscall(CREATE_RULESET, &set, sizeof set, 0);
  if (rules < 0) return;
  (void)syscall(RESTRICT_SELF, rules, 0);
  close(rules);
}

#ifdef OWN_PROCESSOR

/// The last call that this filter knows: later ones are refused, as nobody knows what they do.
enum { LAST_KNOWN = 469 };

/// Calls that start programs, change files, reach other processes and machines, or change the system.
static const int refused[] = {
    SYS_execve, SYS_execveat, SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen,
    SYS_accept, SYS_accept4, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_tkill,
    SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_truncate, SYS_mkdirat, SYS_unlinkat,
    SYS_renameat2, SYS_linkat, SYS_symlinkat, SYS_mknodat, SYS_fchmod, SYS_fchmodat, SYS_fchown,
    SYS_fchownat, SYS_utimensat, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr,
    SYS_lremovexattr, SYS_fremovexattr, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot,
    SYS_unshare, SYS_setns, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_add_key,
    SYS_request_key, SYS_keyctl, SYS_init_module, SYS_finit_module, SYS_delete_module,
    SYS_kexec_load, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_acct, SYS_quotactl,
    SYS_settimeofday, SYS_clock_settime, SYS_adjtimex, SYS_sethostname, SYS_setdomainname,
    SYS_name_to_handle_at, SYS_open_by_handle_at, SYS_fanotify_init, SYS_shmget, SYS_shmat,
    SYS_shmctl, SYS_semget, SYS_semop, SYS_semtimedop, SYS_semctl, SYS_msgget, SYS_msgsnd, SYS_msgrcv,
    SYS_msgctl, SYS_mq_open, SYS_mq_unlink, SYS_setpriority, SYS_ioprio_set,
    SYS_sched_setaffinity, SYS_sched_setscheduler, SYS_sched_setattr, SYS_sched_setparam,
    SYS_migrate_pages, SYS_move_pages, SYS_vhangup, SYS_syslog, SYS_personality,
    /* pidfd_send_signal, io_uring, open_tree … pidfd_open, openat2, pidfd_getfd, process_madvise,
       mount_setattr, quotactl_fd, memfd_secret, process_mrelease, fchmodat2, setxattrat,
       removexattrat, open_tree_attr, file_setattr: the numbers are those of all processors */
    424, 425, 426, 427, 428, 429, 430, 431, 432, 433, 434, 437, 438, 440, 442, 443, 447, 448, 452,
    463, 466, 467, 469,
#ifdef SYS_open
    SYS_creat, SYS_mkdir, SYS_rmdir, SYS_unlink, SYS_rename, SYS_link, SYS_symlink, SYS_mknod,
    SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat, SYS_fork, SYS_vfork,
    SYS_iopl, SYS_ioperm,
#endif
#ifdef SYS_renameat
    SYS_renameat,
#endif
};

/// What fcntl(2) does with a descriptor so that the kernel signals another process, or that others have to wait.
static const uint32_t refused_of_files[] = {F_SETOWN, F_SETOWN_EX, F_SETSIG, F_SETLEASE, F_NOTIFY};

/// What ioctl(2) does besides: it types for others, signals them, and changes attributes of files.
static const uint32_t refused_of_devices[] = {
    TIOCSTI, TIOCLINUX, TIOCSETD, FIOSETOWN, SIOCSPGRP, FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR,
};

enum { LIMIT = 512 };

/// The memory of a process that shows a page (RLIMIT_DATA, which stacks of threads count for), and the longest file: a
/// picture is in memory that counts as one.
enum { VIEWER_BYTES = 512 << 20, VIEWER_FILE_BYTES = 64 << 20 };

/// The program of the filter while it is written; one that needs more steps than there is room for is not used.
struct filter {
  struct sock_filter steps[LIMIT];
  size_t count;
};

static void add(struct filter *filter, struct sock_filter step) {
  if (filter->count < LIMIT) filter->steps[filter->count] = step;
  filter->count++;
}

enum { LOAD = BPF_LD | BPF_W | BPF_ABS, RETURN = BPF_RET | BPF_K };
enum { IF_EQUAL = BPF_JMP | BPF_JEQ | BPF_K, IF_GREATER = BPF_JMP | BPF_JGT | BPF_K };
enum { IF_ANY = BPF_JMP | BPF_JSET | BPF_K };

static void load(struct filter *filter, size_t place) {
  add(filter, (struct sock_filter)BPF_STMT(LOAD, (uint32_t)place));
}

/// Returns `result` if what was loaded fits.
static void decide(struct filter *filter, unsigned short test, uint32_t value, uint32_t result) {
  add(filter, (struct sock_filter)BPF_JUMP(test, value, 0, 1));
  add(filter, (struct sock_filter)BPF_STMT(RETURN, result));
}

static void refuse(struct filter *filter, int call, int error) {
  decide(filter, IF_EQUAL, (uint32_t)call, SECCOMP_RET_ERRNO | (uint32_t)error);
}

/// Refuses a call where an argument fits, or where it does not if `fits` is 0. Its lower half is looked at, where all
/// of these have what counts.
static void refuse_by(struct filter *filter, int call, int argument, unsigned short test,
                      uint32_t value, int fits, int error) {
  size_t place = offsetof(struct seccomp_data, args) + (size_t)argument * 8;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  place += 4;
#endif
  add(filter, (struct sock_filter)BPF_JUMP(IF_EQUAL, (uint32_t)call, 0, 4));
  load(filter, place);
  add(filter, (struct sock_filter)BPF_JUMP(test, value, fits ? 0 : 1, fits ? 1 : 0));
  add(filter, (struct sock_filter)BPF_STMT(RETURN, SECCOMP_RET_ERRNO | (uint32_t)error));
  load(filter, offsetof(struct seccomp_data, nr));
}

static void write_filter(struct filter *filter) {
  load(filter, offsetof(struct seccomp_data, arch));
  add(filter, (struct sock_filter)BPF_JUMP(IF_EQUAL, OWN_PROCESSOR, 1, 0));
  add(filter, (struct sock_filter)BPF_STMT(RETURN, SECCOMP_RET_KILL_PROCESS));
  load(filter, offsetof(struct seccomp_data, nr));
  // Those of the x32 ABI, too.
  decide(filter, IF_GREATER, LAST_KNOWN, SECCOMP_RET_ERRNO | ENOSYS);
  // Its flags are in memory, where a filter cannot look; the C library then uses clone.
  refuse(filter, SYS_clone3, ENOSYS);
  for (size_t index = 0; index < sizeof refused / sizeof refused[0]; index++) {
    refuse(filter, refused[index], EPERM);
  }
  // Threads, but no processes.
  refuse_by(filter, SYS_clone, 0, IF_ANY, 0x00010000, 0, EPERM);
  // A terminal that is open is written to; nothing is opened for that.
  uint32_t changing = O_ACCMODE | O_CREAT | O_TRUNC;
  refuse_by(filter, SYS_openat, 2, IF_ANY, changing, 1, EACCES);
#ifdef SYS_open
  refuse_by(filter, SYS_open, 1, IF_ANY, changing, 1, EACCES);
#endif
  uint32_t self = (uint32_t)getpid();
  refuse_by(filter, SYS_kill, 0, IF_EQUAL, self, 0, EPERM);
  refuse_by(filter, SYS_tgkill, 0, IF_EQUAL, self, 0, EPERM);
  refuse_by(filter, SYS_prlimit64, 0, IF_EQUAL, 0, 0, EPERM);
  for (size_t index = 0; index < sizeof refused_of_files / sizeof refused_of_files[0]; index++) {
    refuse_by(filter, SYS_fcntl, 1, IF_EQUAL, refused_of_files[index], 1, EPERM);
  }
  for (size_t index = 0; index < sizeof refused_of_devices / sizeof refused_of_devices[0]; index++) {
    refuse_by(filter, SYS_ioctl, 1, IF_EQUAL, refused_of_devices[index], 1, EPERM);
  }
  add(filter, (struct sock_filter)BPF_STMT(RETURN, SECCOMP_RET_ALLOW));
}

/// What is open for writing does not fill the disk, and a screen takes no more than a machine has for one.
static void restrict_resources(void) {
  static const struct rlimit file = {VIEWER_FILE_BYTES, VIEWER_FILE_BYTES}, memory = {VIEWER_BYTES, VIEWER_BYTES};
  (void)setrlimit(RLIMIT_FSIZE, &file);
  (void)setrlimit(RLIMIT_DATA, &memory);
}

int platform_confine_viewer(void) {
  static struct filter filter;
  filter.count = 0;
  write_filter(&filter);
  if (filter.count > LIMIT) return E2BIG;
  struct sock_fprog program = {.len = (unsigned short)filter.count, .filter = filter.steps};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return errno;
  restrict_resources();
  restrict_files();
  // All threads: some were started with the screen.
  long status = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  return status == 0 ? 0 : status > 0 ? EAGAIN : errno;
}

#else

int platform_confine_viewer(void) { return ENOSYS; }

#endif
