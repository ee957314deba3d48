#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "CAgent.h"

void agent_queue_add(agent_queue *queue, const char *bytes, size_t count) {
  if (count == 0) return;
  if (queue->start + queue->count + count > queue->space) {
    if (queue->count > 0) memmove(queue->bytes, queue->bytes + queue->start, queue->count);
    queue->start = 0;
    if (queue->count + count > queue->space) {
      queue->space = 2 * (queue->count + count);
      queue->bytes = realloc(queue->bytes, queue->space);
      if (queue->bytes == NULL) _exit(1);
    }
  }
  memcpy(queue->bytes + queue->start + queue->count, bytes, count);
  queue->count += count;
}

bool agent_queue_flush(agent_queue *queue, int file) {
  while (queue->count > 0) {
    ssize_t part = write(file, queue->bytes + queue->start, queue->count);
    if (part < 0 && errno == EINTR) continue;
    if (part < 0 && errno == EAGAIN) return true;
    if (part <= 0) return false;
    queue->start += (size_t)part;
    queue->count -= (size_t)part;
  }
  free(queue->bytes);
  *queue = (agent_queue){0};
  return true;
}
