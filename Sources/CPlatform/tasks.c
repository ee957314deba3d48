#include "CPlatformLoop.h"

#include <unistd.h>

// Exported by the runtime of Swift for programs with an event loop of their own, and declared in none of its headers.
typedef struct job job;
typedef __attribute__((swiftcall)) void enqueue(job *job);
extern __attribute__((swiftcall)) void swift_task_enqueueMainExecutor(job *job);
extern __attribute__((swiftcall)) void (*swift_task_enqueueGlobal_hook)(job *job, enqueue *original);

static __attribute__((swiftcall)) void enqueue_on_main(job *job, enqueue *original) {
  (void)original;
  swift_task_enqueueMainExecutor(job);
}

void platform_run_tasks_on_main(void) { swift_task_enqueueGlobal_hook = enqueue_on_main; }

/// Wakes the loop; −1 if it has no bell.
static int bell = -1;

void platform_set_bell(int descriptor) { bell = descriptor; }

void platform_ring_bell(void) {
  uint64_t one = 1;
  if (bell >= 0) (void)!write(bell, &one, sizeof one);
}
