// Frames: a line of a word and the number of bytes of each field, then the bytes of the fields.
//
//   message 11 2 1 0 0\nsensors/wan up 1
//
// (without the spaces between the fields). Fields may have any bytes.
#include <CAgent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent.h"

enum {
  HEAD_LIMIT = 128,
  /// The most bytes of a frame: a topic, a payload, and small values.
  FRAME_LIMIT = 2 * TOPIC_LIMIT + PAYLOAD_LIMIT + 4096,
};

static char input[FRAME_LIMIT + HEAD_LIMIT];
static size_t input_count;
/// The bytes of the frame that was returned last.
static size_t used;

bool frames_read(void) {
  if (input_count == FRAME_LIMIT + HEAD_LIMIT) return true;
  ssize_t part = read(STDIN_FILENO, input + input_count, FRAME_LIMIT + HEAD_LIMIT - input_count);
  if (part < 0) return errno == EINTR || errno == EAGAIN;
  input_count += (size_t)part;
  return part > 0;
}

static void drop_last(void) {
  if (used == 0) return;
  input_count -= used;
  memmove(input, input + used, input_count);
  used = 0;
}

/// Reads the lengths behind the word of a head; returns the bytes of all fields, or −1.
static long read_lengths(const char *text, frame *frame) {
  size_t whole = 0;
  frame->count = 0;
  while (*text != 0) {
    char *end;
    if (*text++ != ' ' || *text < '0' || *text > '9' || frame->count == FIELD_LIMIT) return -1;
    errno = 0;
    unsigned long count = strtoul(text, &end, 10);
    if (errno != 0 || count > FRAME_LIMIT) return -1;
    whole += count;
    if (whole > FRAME_LIMIT) return -1;
    frame->fields[frame->count++].count = count;
    text = end;
  }
  return (long)whole;
}

frame_result frames_next(frame *frame) {
  drop_last();
  size_t looked = input_count < HEAD_LIMIT ? input_count : HEAD_LIMIT;
  char *end = memchr(input, '\n', looked);
  if (end == NULL) return looked == HEAD_LIMIT ? FRAME_INVALID : FRAME_NONE;
  char head[HEAD_LIMIT];
  size_t count = (size_t)(end - input);
  memcpy(head, input, count);
  head[count] = 0;
  size_t word = strcspn(head, " ");
  if (strlen(head) != count || word == 0 || word >= sizeof frame->word) return FRAME_INVALID;
  memcpy(frame->word, head, word);
  frame->word[word] = 0;
  long whole = read_lengths(head + word, frame);
  if (whole < 0) return FRAME_INVALID;
  if (input_count < count + 1 + (size_t)whole) return FRAME_NONE;
  char *bytes = end + 1;
  for (int index = 0; index < frame->count; index++) {
    frame->fields[index].bytes = bytes;
    bytes += frame->fields[index].count;
  }
  used = (size_t)(bytes - input);
  return FRAME_FOUND;
}

// MARK: - Output

static agent_queue queue;

char *field_text(const field *field) {
  if (memchr(field->bytes, 0, field->count) != NULL) return NULL;
  return strndup(field->bytes, field->count);
}

void frames_send(const char *word, int count, const field *fields) {
  char head[HEAD_LIMIT];
  int place = snprintf(head, sizeof head, "%s", word);
  for (int index = 0; index < count; index++) {
    place += snprintf(head + place, sizeof head - (size_t)place, " %zu", fields[index].count);
  }
  head[place++] = '\n';
  agent_queue_add(&queue, head, (size_t)place);
  for (int index = 0; index < count; index++) {
    agent_queue_add(&queue, fields[index].bytes, fields[index].count);
  }
  frames_flush();
}

void frames_flush(void) {
  if (!agent_queue_flush(&queue, STDOUT_FILENO)) _exit(1);
}

size_t frames_waiting(void) { return queue.count; }
