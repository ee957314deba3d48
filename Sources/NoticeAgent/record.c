#include "record.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void record_add(record *record, const char *text, size_t limit) {
  size_t count = strnlen(text, limit);
  // Behind a cut may be the rest of a character.
  if (text[count] != 0) {
    while (count > 0 && ((unsigned char)text[count] & 0xC0) == 0x80) count--;
  }
  if (record->count + count + 1 > record->space) {
    record->space = 2 * (record->count + count + 1);
    record->bytes = realloc(record->bytes, record->space);
    if (record->bytes == NULL) _exit(1);
  }
  if (count > 0) memcpy(record->bytes + record->count, text, count);
  record->bytes[record->count + count] = 0;
  record->count += count + 1;
  record->fields++;
}

void record_add_number(record *record, int64_t number) {
  char text[32];
  (void)snprintf(text, sizeof text, "%" PRId64, number);
  record_add(record, text, sizeof text - 1);
}

void record_append(record *record, const struct record *other) {
  for (size_t place = 0; place < other->count; place += strlen(other->bytes + place) + 1) {
    record_add(record, other->bytes + place, other->count);
  }
}

// MARK: - The queue

enum {
  /// The most bytes that wait for the reader, before a record of a notification is left out, and before any other is.
  QUEUE_LIMIT = 1024 * 1024,
  QUEUE_LIMIT_OF_OTHERS = QUEUE_LIMIT + 256 * 1024,
};

/// What was not written yet: applications that send notifications never wait for the program that reads them.
static struct {
  char *bytes;
  size_t start, count, space;
  /// How many records were left out since that was said last.
  uint32_t omitted;
} queue;

static void append(const char *bytes, size_t count) {
  if (queue.start + queue.count + count > queue.space) {
    if (queue.count > 0) memmove(queue.bytes, queue.bytes + queue.start, queue.count);
    queue.start = 0;
    if (queue.count + count > queue.space) {
      queue.space = 2 * (queue.count + count);
      queue.bytes = realloc(queue.bytes, queue.space);
      if (queue.bytes == NULL) _exit(1);
    }
  }
  memcpy(queue.bytes + queue.start + queue.count, bytes, count);
  queue.count += count;
}

static void append_record(const record *record) {
  char head[32];
  int count = snprintf(head, sizeof head, "%u", record->fields);
  append(head, (size_t)count + 1);
  append(record->bytes, record->count);
}

void record_flush(void) {
  while (queue.count > 0) {
    ssize_t part = write(STDOUT_FILENO, queue.bytes + queue.start, queue.count);
    if (part < 0 && errno == EINTR) continue;
    if (part < 0 && errno == EAGAIN) return;
    if (part <= 0) _exit(0);
    queue.start += (size_t)part;
    queue.count -= (size_t)part;
    if (queue.count == 0 && queue.omitted > 0) {
      record omitted = {0};
      record_add(&omitted, "omitted", 16);
      record_add_number(&omitted, queue.omitted);
      queue.omitted = 0;
      append_record(&omitted);
      record_free(&omitted);
    }
  }
  // What a reader has left for long does not stay in memory.
  free(queue.bytes);
  queue.bytes = NULL;
  queue.start = queue.space = 0;
}

void record_finish(int milliseconds) {
  record_flush();
  struct pollfd file = {.fd = STDOUT_FILENO, .events = POLLOUT};
  while (queue.count > 0 && poll(&file, 1, milliseconds) > 0) record_flush();
}

bool record_is_waiting(void) { return queue.count > 0; }

bool record_has_room(size_t count) { return queue.count + count <= QUEUE_LIMIT; }

static void send_within(record *record, size_t limit) {
  if (queue.count + record->count > limit) {
    record_omit();
  } else {
    append_record(record);
  }
  record_free(record);
  record_flush();
}

void record_omit(void) {
  if (queue.omitted < INT32_MAX) queue.omitted++;
}

void record_send_posted(record *record) { send_within(record, QUEUE_LIMIT); }

void record_send(record *record) { send_within(record, QUEUE_LIMIT_OF_OTHERS); }

void record_free(record *record) {
  free(record->bytes);
  *record = (struct record){0};
}

void send_state(const char *word, const char *explanation) {
  record state = {0};
  record_add(&state, "state", 16);
  record_add(&state, word, 64);
  record_add(&state, explanation, 1024);
  // It says what all that follows is about.
  send_within(&state, SIZE_MAX);
}
