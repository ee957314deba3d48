#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "CPlatform.h"

/// Releases the read-only segments of the program, which is the first object of the list.
static int forget(struct dl_phdr_info *object, size_t size, void *unused) {
  (void)size;
  (void)unused;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t relro_start = 0, relro_end = 0;
  for (int index = 0; index < object->dlpi_phnum; index++) {
    const ElfW(Phdr) *header = &object->dlpi_phdr[index];
    if (header->p_type != PT_GNU_RELRO) continue;
    relro_start = object->dlpi_addr + header->p_vaddr;
    relro_end = relro_start + header->p_memsz;
  }
  for (int index = 0; index < object->dlpi_phnum; index++) {
    const ElfW(Phdr) *header = &object->dlpi_phdr[index];
    // Only pages that were never written: the kernel reads them again from the file.
    if (header->p_type != PT_LOAD || (header->p_flags & PF_W)) continue;
    uintptr_t start = object->dlpi_addr + header->p_vaddr;
    uintptr_t end = (start + header->p_memsz) & ~(page - 1);
    start = (start + page - 1) & ~(page - 1);
    if (start >= end || (start < relro_end && end > relro_start)) continue;
    (void)madvise((void *)start, end - start, MADV_DONTNEED);
  }
  return 1;
}

void platform_forget_start(void) { (void)dl_iterate_phdr(forget, NULL); }

void platform_trim_heap(void) { (void)malloc_trim(0); }
