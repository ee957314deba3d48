// Decodes the images of widgets, which are hostile input, in a process that can do nothing else: it
// reads requests from standard input and writes answers to standard output.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "decoder.h"

/// Seconds of CPU for one request.
static const rlim_t request_seconds = 4;

static int read_all(void *target, size_t count) {
  uint8_t *place = target;
  while (count > 0) {
    ssize_t part = read(STDIN_FILENO, place, count);
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) return -1;
    place += part;
    count -= (size_t)part;
  }
  return 0;
}

static void write_all(const void *source, size_t count) {
  const uint8_t *place = source;
  while (count > 0) {
    ssize_t part = write(STDOUT_FILENO, place, count);
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) _exit(1);
    place += part;
    count -= (size_t)part;
  }
}

static void answer(decoder_kind kind, uint32_t width, uint32_t height, const void *bytes,
                   size_t count) {
  decoder_answer head = {DECODER_MAGIC, kind, width, height, (uint32_t)count};
  write_all(&head, sizeof head);
  write_all(bytes, count);
}

/// Lets the next request take its time, counted from what was used so far.
static void allow_time(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) < 0) return;
  rlim_t used = (rlim_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec);
  struct rlimit limit = {.rlim_cur = used + request_seconds + 1, .rlim_max = RLIM_INFINITY};
  (void)setrlimit(RLIMIT_CPU, &limit);
}

static const char *perform(const decoder_request *request, const uint8_t *bytes) {
  size_t count = (size_t)request->columns * request->rows;
  decoder_image image = {0};
  const char *fault = decoder_decode(request, bytes, &image);
  if (fault != NULL) return fault;
  size_t unit = request->kind == DECODER_PIXELS ? 4 : sizeof(decoder_cell);
  void *result = calloc(count, unit);
  if (result == NULL) {
    fault = "not enough memory";
  } else if (request->kind == DECODER_PIXELS) {
    fault = decoder_scale(&image, (int)request->columns, (int)request->rows, result);
  } else {
    fault = decoder_draw(&image, request, result);
  }
  decoder_release(&image);
  if (fault == NULL) answer(request->kind, request->columns, request->rows, result, count * unit);
  free(result);
  return fault;
}

int main(void) {
  decoder_load_images();
  decoder_load_symbols();
  if (decoder_confine() != 0) return 2;
  decoder_request request;
  while (read_all(&request, sizeof request) == 0) {
    uint64_t count = (uint64_t)request.columns * request.rows;
    if (request.magic != DECODER_MAGIC || request.byte_count > DECODER_BYTE_LIMIT || count == 0 ||
        count > DECODER_ANSWER_LIMIT ||
        (request.kind != DECODER_PIXELS && request.kind != DECODER_SYMBOLS)) {
      return 3;
    }
    uint8_t *bytes = malloc(request.byte_count + 1);
    if (bytes == NULL || read_all(bytes, request.byte_count) < 0) return 4;
    allow_time();
    const char *fault = perform(&request, bytes);
    if (fault != NULL) answer(DECODER_FAILED, 0, 0, fault, strlen(fault));
    free(bytes);
  }
  return 0;
}
