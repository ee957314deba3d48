#include "record.h"

#include <CAgent.h>
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
static agent_queue queue;
/// How many records were left out since that was said last.
static uint32_t omitted;

static void append_record(const record *record) {
  char head[32];
  int count = snprintf(head, sizeof head, "%u", record->fields);
  agent_queue_add(&queue, head, (size_t)count + 1);
  agent_queue_add(&queue, record->bytes, record->count);
}

void record_flush(void) {
  while (queue.count > 0) {
    if (!agent_queue_flush(&queue, STDOUT_FILENO)) _exit(0);
    if (queue.count > 0 || omitted == 0) return;
    record told = {0};
    record_add(&told, "omitted", 16);
    record_add_number(&told, omitted);
    omitted = 0;
    append_record(&told);
    record_free(&told);
  }
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
  if (omitted < INT32_MAX) omitted++;
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
