#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "filter.h"

/// The system calls that no widget needs, and that reach beyond a sandbox. Those that this kind of processor lacks
/// have no rule.
static const int refused[] = {
    SCMP_SYS(acct), SCMP_SYS(add_key), SCMP_SYS(bpf), SCMP_SYS(chroot), SCMP_SYS(delete_module),
    SCMP_SYS(finit_module), SCMP_SYS(fsconfig), SCMP_SYS(fsmount), SCMP_SYS(fsopen),
    SCMP_SYS(fspick), SCMP_SYS(init_module), SCMP_SYS(io_uring_setup), SCMP_SYS(ioperm),
    SCMP_SYS(iopl), SCMP_SYS(kcmp), SCMP_SYS(kexec_file_load), SCMP_SYS(kexec_load),
    SCMP_SYS(keyctl), SCMP_SYS(lookup_dcookie), SCMP_SYS(mount), SCMP_SYS(mount_setattr),
    SCMP_SYS(move_mount), SCMP_SYS(msgget), SCMP_SYS(name_to_handle_at), SCMP_SYS(nfsservctl),
    SCMP_SYS(open_by_handle_at), SCMP_SYS(open_tree), SCMP_SYS(perf_event_open),
    SCMP_SYS(pidfd_getfd), SCMP_SYS(pivot_root), SCMP_SYS(process_madvise),
    SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(ptrace),
    SCMP_SYS(quotactl), SCMP_SYS(reboot), SCMP_SYS(request_key), SCMP_SYS(setns),
    SCMP_SYS(settimeofday), SCMP_SYS(swapoff), SCMP_SYS(swapon), SCMP_SYS(syslog),
    SCMP_SYS(umount2), SCMP_SYS(unshare), SCMP_SYS(uselib), SCMP_SYS(userfaultfd),
    SCMP_SYS(vhangup),
    // Memory that nothing in /proc tells from outside of a sandbox, and that no process need hold: a file of
    // memfd_create may wait in a socket, and a pipe may hold the pages of vmsplice.
    SCMP_SYS(memfd_create), SCMP_SYS(memfd_secret), SCMP_SYS(semget), SCMP_SYS(shmget),
    SCMP_SYS(vmsplice),
};

/// Flags of clone(2) that make namespaces; the last one is CLONE_NEWTIME, which older headers lack.
static const unsigned namespaces[] = {
    CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET,
    CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP, 0x80,
};

static void restrict_sockets(scmp_filter_ctx filter, bool local_sockets) {
  uint32_t domains = 1u << AF_INET | 1u << AF_INET6 | 1u << AF_NETLINK | 1u << AF_UNIX;
  filter_refuse_domains(filter, EAFNOSUPPORT, SCMP_SYS(socket), domains);
  filter_refuse_domains(filter, EAFNOSUPPORT, SCMP_SYS(socketpair), 1u << AF_UNIX);
  // A local socket of datagrams can send to any other, also to an abstract one, whichever it is connected to.
  uint32_t types = 1u << SOCK_STREAM | 1u << SOCK_SEQPACKET;
  filter_refuse_types(filter, EACCES, SCMP_SYS(socket), AF_UNIX, local_sockets ? types : 0);
  filter_refuse_types(filter, EACCES, SCMP_SYS(socketpair), AF_UNIX, types);
}

/// Buffers of sockets and pipes are in no process: they keep the size that is counted for each.
static void restrict_buffers(scmp_filter_ctx filter) {
  // The kernel grants less than what is asked for without an error, and so does this.
  REFUSE(filter, 0, setsockopt, IS(1, SOL_SOCKET), IS(2, SO_SNDBUF));
  REFUSE(filter, 0, setsockopt, IS(1, SOL_SOCKET), IS(2, SO_RCVBUF));
  REFUSE(filter, EPERM, setsockopt, IS(1, SOL_SOCKET), IS(2, SO_SNDBUFFORCE));
  REFUSE(filter, EPERM, setsockopt, IS(1, SOL_SOCKET), IS(2, SO_RCVBUFFORCE));
  REFUSE(filter, EPERM, fcntl, IS(1, F_SETPIPE_SZ));
}

scmp_filter_ctx filter_common(bool local_sockets) {
  scmp_filter_ctx filter = filter_open(SCMP_ACT_ERRNO(ENOSYS));
  // Its flags are in memory, where a filter cannot look; the C library then uses clone.
  filter_refuse(filter, ENOSYS, SCMP_SYS(clone3));
  for (size_t index = 0; index < sizeof refused / sizeof refused[0]; index++) {
    filter_refuse(filter, EPERM, refused[index]);
  }
  for (size_t index = 0; index < sizeof namespaces / sizeof namespaces[0]; index++) {
    REFUSE(filter, EPERM, clone, HAS(0, namespaces[index], namespaces[index]));
  }
  REFUSE(filter, EPERM, ioctl, IS(1, TIOCSTI));
  REFUSE(filter, EPERM, ioctl, IS(1, TIOCLINUX));
  restrict_sockets(filter, local_sockets);
  restrict_buffers(filter);
  // A process must not hide its descriptors from the host, which counts what they hold.
  REFUSE(filter, EPERM, prctl, IS(0, PR_SET_DUMPABLE), IS_NOT(1, 1));
  // The limit that identifies a run. Reading it is allowed: the new one is NULL then.
  REFUSE(filter, EPERM, setrlimit, IS(0, RLIMIT_LOCKS));
  REFUSE(filter, EPERM, prlimit64, IS(1, RLIMIT_LOCKS), IS_NOT(2, 0));
  return filter;
}

void launcher_print_filter(bool local_sockets) {
  filter_check(seccomp_export_bpf(filter_common(local_sockets), STDOUT_FILENO));
  exit(EXIT_SUCCESS);
}
