#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "CPlatform.h"

/// The unit of st_blocks (stat(2)).
enum { BLOCK = 512, NAME_LIMIT = 4096 };

static int begins_with(const char *text, const char *beginning) {
  return strncmp(text, beginning, strlen(beginning)) == 0;
}

static int ends_with(const char *text, const char *end) {
  size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/// Whether an open descriptor is of a file in memory: one of memfd_create(2), or in a tmpfs without a name that
/// could be found, or for shared memory (shm_overview(7)).
static int is_in_memory(int folder, const char *name, const char *target) {
  if (begins_with(target, "/memfd:")) return 1;
  if (!begins_with(target, "/dev/shm/") && !ends_with(target, " (deleted)")) return 0;
  int file = openat(folder, name, O_PATH | O_CLOEXEC);
  if (file < 0) return 0;
  struct statfs system;
  int is_memory = fstatfs(file, &system) == 0
                  && (system.f_type == TMPFS_MAGIC || system.f_type == HUGETLBFS_MAGIC);
  close(file);
  return is_memory;
}

static void note(platform_shared_file file, platform_shared_file *files, size_t capacity, size_t *count) {
  for (size_t index = 0; index < *count; index++) {
    if (files[index].device == file.device && files[index].inode == file.inode) return;
  }
  if (*count < capacity) files[(*count)++] = file;
}

size_t platform_shared_files(const pid_t *pids, size_t pid_count, size_t budget, platform_shared_file *files,
                             size_t capacity) {
  size_t count = 0;
  for (size_t index = 0; index < pid_count && budget > 0; index++) {
    char path[32], target[NAME_LIMIT + 1];
    _Alignas(struct dirent64) char entries[4096];
    (void)snprintf(path, sizeof path, "/proc/%d/fd", pids[index]);
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) continue;
    ssize_t length;
    while (budget > 0 && (length = getdents64(folder, entries, sizeof entries)) > 0) {
      for (ssize_t place = 0; place < length && budget > 0;) {
        const struct dirent64 *entry = (const struct dirent64 *)(const void *)(entries + place);
        place += entry->d_reclen;
        if (entry->d_name[0] == '.') continue;
        budget--;
        ssize_t size = readlinkat(folder, entry->d_name, target, NAME_LIMIT);
        if (size <= 0) continue;
        target[size] = 0;
        struct stat status;
        if (!is_in_memory(folder, entry->d_name, target)
            || fstatat(folder, entry->d_name, &status, 0) < 0 || !S_ISREG(status.st_mode)) {
          continue;
        }
        note((platform_shared_file){.device = status.st_dev,
                                    .inode = status.st_ino,
                                    .bytes = (uint64_t)status.st_blocks * BLOCK},
             files, capacity, &count);
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
