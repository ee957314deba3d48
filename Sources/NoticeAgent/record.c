#include "record.h"

#include <errno.h>
#include <inttypes.h>
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

static void send_bytes(const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t part = write(STDOUT_FILENO, bytes, count);
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) _exit(0);
    bytes += part;
    count -= (size_t)part;
  }
}

void record_send(record *record) {
  char head[32];
  int count = snprintf(head, sizeof head, "%u", record->fields);
  send_bytes(head, (size_t)count + 1);
  send_bytes(record->bytes, record->count);
  record_free(record);
}

void record_free(record *record) {
  free(record->bytes);
  *record = (struct record){0};
}

void send_state(const char *word, const char *explanation) {
  record state = {0};
  record_add(&state, "state", 16);
  record_add(&state, word, 64);
  record_add(&state, explanation, 1024);
  record_send(&state);
}
