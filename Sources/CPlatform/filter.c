#include <asm/unistd.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "CPlatform.h"

#if defined(__x86_64__)
static const uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
static const uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
/// No filter for other processors.
static const uint32_t architecture = 0;
#endif

enum { INSTRUCTION_LIMIT = 256 };

/// A program that is being written; `count` goes on beyond the limit, so that it is noticed.
struct program {
  struct sock_filter instructions[INSTRUCTION_LIMIT];
  size_t count;
};

static void add(struct program *program, uint16_t code, uint32_t value, uint8_t yes, uint8_t no) {
  struct sock_filter instruction = {.code = code, .jt = yes, .jf = no, .k = value};
  if (program->count < INSTRUCTION_LIMIT) program->instructions[program->count] = instruction;
  program->count++;
}

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

static uint32_t refusal(int number) { return SECCOMP_RET_ERRNO | ((uint32_t)number & SECCOMP_RET_DATA); }

/// Ends the program with `action` if the accumulator has this value.
static void finish_if(struct program *program, uint32_t value, uint32_t action) {
  add(program, BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
  finish(program, action);
}

/// The system calls that no widget needs, and that reach beyond a sandbox.
static const int refused[] = {
#ifdef __NR_kexec_file_load
    __NR_kexec_file_load,
#endif
#ifdef __NR_uselib
    __NR_uselib,
#endif
#ifdef __NR_ioperm
    __NR_ioperm, __NR_iopl,
#endif
    __NR_acct, __NR_add_key, __NR_bpf, __NR_chroot, __NR_delete_module, __NR_finit_module,
    __NR_fsconfig, __NR_fsmount, __NR_fsopen, __NR_fspick, __NR_init_module, __NR_io_uring_setup,
    __NR_kcmp, __NR_kexec_load, __NR_keyctl, __NR_lookup_dcookie, __NR_mount, __NR_mount_setattr,
    __NR_move_mount, __NR_msgget, __NR_name_to_handle_at, __NR_nfsservctl, __NR_open_by_handle_at,
    __NR_open_tree, __NR_perf_event_open, __NR_pidfd_getfd, __NR_pivot_root,
    __NR_process_madvise, __NR_process_vm_readv, __NR_process_vm_writev, __NR_ptrace,
    __NR_quotactl, __NR_reboot, __NR_request_key, __NR_setns, __NR_settimeofday,
    // Memory that nothing in /proc tells from outside of a sandbox, and that no process need hold: a file of
    // memfd_create may wait in a socket, and a pipe may hold the pages of vmsplice.
    __NR_memfd_create, __NR_semget, __NR_shmget, __NR_vmsplice,
#ifdef __NR_memfd_secret
    __NR_memfd_secret,
#endif
    __NR_swapoff,
    __NR_swapon, __NR_syslog, __NR_umount2, __NR_unshare, __NR_userfaultfd, __NR_vhangup,
};

/// Flags of clone(2) that make namespaces.
static const uint32_t namespaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET
                                   | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP | 0x80;

/// Appends the part that is run for one system call, and skipped for all others.
static void for_call(struct program *program, int number, const struct program *part) {
  // The accumulator holds the number of the call, and each part ends the program.
  add(program, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, (uint8_t)part->count);
  for (size_t index = 0; index < part->count && index < INSTRUCTION_LIMIT; index++) {
    struct sock_filter step = part->instructions[index];
    add(program, step.code, step.k, step.jt, step.jf);
  }
}

static void restrict_clone(struct program *program) {
  struct program part = {.count = 0};
  load_argument(&part, 0);
  add(&part, BPF_JMP | BPF_JSET | BPF_K, namespaces, 0, 1);
  finish(&part, refusal(EPERM));
  finish(&part, SECCOMP_RET_ALLOW);
  for_call(program, __NR_clone, &part);
}

static void restrict_terminals(struct program *program) {
  struct program part = {.count = 0};
  load_argument(&part, 1);
  finish_if(&part, TIOCSTI, refusal(EPERM));
  finish_if(&part, TIOCLINUX, refusal(EPERM));
  finish(&part, SECCOMP_RET_ALLOW);
  for_call(program, __NR_ioctl, &part);
}

/// Ends the program by the kind of a socket, which is the second argument, for local sockets: one of datagrams can
/// send to any other, also to an abstract one, whichever it is connected to.
static void finish_local_sockets(struct program *part) {
  load_argument(part, 1);
  add(part, BPF_ALU | BPF_AND | BPF_K, 0xF, 0, 0);
  finish_if(part, SOCK_STREAM, SECCOMP_RET_ALLOW);
  finish_if(part, SOCK_SEQPACKET, SECCOMP_RET_ALLOW);
  finish(part, refusal(EACCES));
}

static void restrict_sockets(struct program *program, int unix_sockets) {
  struct program part = {.count = 0};
  load_argument(&part, 0);
  finish_if(&part, AF_INET, SECCOMP_RET_ALLOW);
  finish_if(&part, AF_INET6, SECCOMP_RET_ALLOW);
  finish_if(&part, AF_NETLINK, SECCOMP_RET_ALLOW);
  add(&part, BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 1, 0);
  finish(&part, refusal(EAFNOSUPPORT));
  if (unix_sockets) {
    finish_local_sockets(&part);
  } else {
    finish(&part, refusal(EACCES));
  }
  for_call(program, __NR_socket, &part);
  part.count = 0;
  load_argument(&part, 0);
  add(&part, BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 1, 0);
  finish(&part, refusal(EAFNOSUPPORT));
  finish_local_sockets(&part);
  for_call(program, __NR_socketpair, &part);
}

/// Buffers of sockets and pipes are in no process: they keep the size that is counted for each.
static void restrict_buffers(struct program *program) {
  struct program part = {.count = 0};
  load_argument(&part, 1);
  add(&part, BPF_JMP | BPF_JEQ | BPF_K, SOL_SOCKET, 1, 0);
  finish(&part, SECCOMP_RET_ALLOW);
  load_argument(&part, 2);
  // The kernel grants less than what is asked for without an error, and so does this.
  finish_if(&part, SO_SNDBUF, refusal(0));
  finish_if(&part, SO_RCVBUF, refusal(0));
  finish_if(&part, SO_SNDBUFFORCE, refusal(EPERM));
  finish_if(&part, SO_RCVBUFFORCE, refusal(EPERM));
  finish(&part, SECCOMP_RET_ALLOW);
  for_call(program, __NR_setsockopt, &part);
  part.count = 0;
  load_argument(&part, 1);
  finish_if(&part, F_SETPIPE_SZ, refusal(EPERM));
  finish(&part, SECCOMP_RET_ALLOW);
  for_call(program, __NR_fcntl, &part);
}

/// A process must not hide its descriptors from the host, which counts what they hold.
static void restrict_hiding(struct program *program) {
  struct program part = {.count = 0};
  load_argument(&part, 0);
  add(&part, BPF_JMP | BPF_JEQ | BPF_K, PR_SET_DUMPABLE, 1, 0);
  finish(&part, SECCOMP_RET_ALLOW);
  load_argument(&part, 1);
  finish_if(&part, 1, SECCOMP_RET_ALLOW);
  finish(&part, refusal(EPERM));
  for_call(program, __NR_prctl, &part);
}

static void restrict_limits(struct program *program) {
  struct program part = {.count = 0};
#ifdef __NR_setrlimit
  load_argument(&part, 0);
  finish_if(&part, RLIMIT_LOCKS, refusal(EPERM));
  finish(&part, SECCOMP_RET_ALLOW);
  for_call(program, __NR_setrlimit, &part);
#endif
  part.count = 0;
  load_argument(&part, 1);
  // Reading the limit is allowed: the new one is NULL then, in both halves.
  add(&part, BPF_JMP | BPF_JEQ | BPF_K, RLIMIT_LOCKS, 1, 0);
  finish(&part, SECCOMP_RET_ALLOW);
  load_argument(&part, 2);
  add(&part, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
  finish(&part, refusal(EPERM));
  load(&part, offsetof(struct seccomp_data, args) + 8 * 2 + 4);
  add(&part, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
  finish(&part, refusal(EPERM));
  finish(&part, SECCOMP_RET_ALLOW);
  for_call(program, __NR_prlimit64, &part);
}

size_t platform_syscall_filter(int unix_sockets, uint8_t *bytes, size_t capacity) {
  if (architecture == 0) return 0;
  struct program program = {.count = 0};
  load(&program, offsetof(struct seccomp_data, arch));
  add(&program, BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0);
  finish(&program, refusal(ENOSYS));
  load(&program, offsetof(struct seccomp_data, nr));
#if defined(__x86_64__)
  // The calls of the x32 ABI, which have numbers of their own.
  add(&program, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
  finish(&program, refusal(ENOSYS));
#endif
  // Its flags are in memory, where a filter cannot look; the C library then uses clone.
  finish_if(&program, __NR_clone3, refusal(ENOSYS));
  for (size_t index = 0; index < sizeof refused / sizeof refused[0]; index++) {
    finish_if(&program, (uint32_t)refused[index], refusal(EPERM));
  }
  restrict_clone(&program);
  restrict_terminals(&program);
  restrict_sockets(&program, unix_sockets);
  restrict_buffers(&program);
  restrict_hiding(&program);
  restrict_limits(&program);
  finish(&program, SECCOMP_RET_ALLOW);
  size_t length = program.count * sizeof program.instructions[0];
  if (program.count > INSTRUCTION_LIMIT || length > capacity) return 0;
  memcpy(bytes, program.instructions, length);
  return length;
}
