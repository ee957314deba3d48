#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "CPlatform.h"

/// The unit of stx_blocks (statx(2)).
enum { BLOCK = 512 };

/// Whether an open descriptor is of a file in memory.
static int is_in_memory(int folder, const char *name) {
  int file = openat(folder, name, O_PATH | O_CLOEXEC);
  if (file < 0) return 0;
  struct statfs system;
  int is_memory = fstatfs(file, &system) == 0
                  && (system.f_type == TMPFS_MAGIC || system.f_type == HUGETLBFS_MAGIC);
  close(file);
  return is_memory;
}

/// Whether an open descriptor is of a file with a name in the folder of shared memory (shm_overview(7)).
static int is_shared_memory(int folder, const char *name) {
  static const char place[] = "/dev/shm/";
  char target[sizeof place];
  return readlinkat(folder, name, target, sizeof place - 1) == sizeof place - 1
         && memcmp(target, place, sizeof place - 1) == 0 && is_in_memory(folder, name);
}

/// Reads a small file of a process; returns its bytes, 0 if there are none.
static size_t read_text(pid_t pid, const char *name, char *text, size_t capacity) {
  char path[64];
  (void)snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
  text[0] = 0;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t count = read(file, text, capacity - 1);
  close(file);
  text[count > 0 ? count : 0] = 0;
  return count > 0 ? (size_t)count : 0;
}

/// Whether a process whose descriptors cannot be read hides them; one that has ended has no memory any more.
static int is_hiding(pid_t pid) {
  char text[4096];
  if (read_text(pid, "statm", text, sizeof text) == 0 || strtoull(text, NULL, 10) == 0) return 0;
  // Outside of a sandbox, it may be a program of the system that becomes another user.
  if (read_text(pid, "status", text, sizeof text) == 0) return 0;
  const char *filter = strstr(text, "\nSeccomp:\t2");
  return filter != NULL;
}

/// The number of descriptors that wait in a socket; Linux 5.6 and later tell it.
static size_t waiting_in(pid_t pid, const char *descriptor) {
  char name[48], text[1024];
  static const char word[] = "scm_fds:";
  (void)snprintf(name, sizeof name, "fdinfo/%.20s", descriptor);
  if (read_text(pid, name, text, sizeof text) == 0) return 0;
  const char *place = strstr(text, word);
  return place ? strtoul(place + sizeof word - 1, NULL, 10) : 0;
}

/// Adds something unless it is there; returns whether it was added.
static int note(platform_held found, platform_held *held, size_t capacity, size_t *count) {
  for (size_t index = 0; index < *count; index++) {
    if (held[index].device == found.device && held[index].inode == found.inode) return 0;
  }
  if (*count == capacity) return 0;
  held[(*count)++] = found;
  return 1;
}

/// Tells what a descriptor holds; returns 0 if that is nothing to be counted.
static int identify(int folder, const char *name, platform_held *found) {
  struct statx status;
  if (statx(folder, name, AT_STATX_DONT_SYNC, STATX_TYPE | STATX_NLINK | STATX_INO | STATX_BLOCKS, &status) < 0) {
    return 0;
  }
  *found = (platform_held){
      .device = makedev(status.stx_dev_major, status.stx_dev_minor),
      .inode = status.stx_ino,
  };
  switch (status.stx_mode & S_IFMT) {
    case S_IFSOCK: found->kind = PLATFORM_HELD_SOCKET; return 1;
    case S_IFIFO: found->kind = PLATFORM_HELD_PIPE; return 1;
    case S_IFREG: break;
    default: return 0;
  }
  found->bytes = status.stx_blocks * BLOCK;
  if (status.stx_nlink == 0) {
    found->kind = is_in_memory(folder, name) ? PLATFORM_HELD_MEMORY : PLATFORM_HELD_DELETED;
    return 1;
  }
  found->kind = PLATFORM_HELD_MEMORY;
  return is_shared_memory(folder, name);
}

size_t platform_held_by(const pid_t *pids, size_t pid_count, size_t budget, platform_held *held,
                        size_t capacity, platform_holders *holders) {
  size_t count = 0;
  *holders = (platform_holders){0};
  for (size_t index = 0; index < pid_count && budget > 0; index++) {
    char path[32];
    _Alignas(struct dirent64) char entries[4096];
    (void)snprintf(path, sizeof path, "/proc/%d/fd", pids[index]);
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
      if ((errno == EACCES || errno == EPERM) && is_hiding(pids[index])) holders->hidden++;
      continue;
    }
    ssize_t length;
    while (budget > 0 && (length = getdents64(folder, entries, sizeof entries)) > 0) {
      for (ssize_t place = 0; place < length && budget > 0;) {
        const struct dirent64 *entry = (const struct dirent64 *)(const void *)(entries + place);
        place += entry->d_reclen;
        if (entry->d_name[0] == '.') continue;
        budget--;
        platform_held found;
        if (!identify(folder, entry->d_name, &found)) continue;
        found.pid = pids[index];
        found.descriptor = atoi(entry->d_name);
        if (note(found, held, capacity, &count) && found.kind == PLATFORM_HELD_SOCKET) {
          holders->waiting += waiting_in(pids[index], entry->d_name);
        }
      }
    }
    close(folder);
  }
  return count;
}

uint64_t platform_used_bytes(const char *folder) {
  struct statfs system;
  if (statfs(folder, &system) < 0 || system.f_blocks < system.f_bfree) return 0;
  return (uint64_t)(system.f_blocks - system.f_bfree) * (uint64_t)system.f_bsize;
}
