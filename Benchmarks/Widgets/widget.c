// A resident widget in C with the lowest possible cost, for measuring the host.
//
// The file `mode` in its bundle sets what it does:
//   push  a new view once a second while it is on the screen; after the signal USR1, as fast as
//         the pipe accepts it
//   rest  one view, then nothing
//   due   a new view at every requested update, and at no other time
//   more  as rest, with a button that makes the card 26 rows tall and 2 again
// The name of the bundle ends in its number, which is the seed of its data.
#include "flood.h"
#include "reading.h"
#include "request.h"
#include <ctype.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { short_body = 2, tall_body = 26 };
enum mode { mode_push = 'p', mode_rest = 'r', mode_due = 'd', mode_more = 'm' };

static enum mode mode = mode_push;
static struct reading reading;
static struct beat beat;
static int height = short_body, has_answered_update, ends;

/// Reads the bundle's mode and number, using the path with which this program was started.
static void read_bundle(void) {
  char path[4096], first = 0;
  unsigned number = 1;
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 8);
  if (length <= 0) return;
  path[length] = 0;
  char *slash = strrchr(path, '/');
  for (char *end = slash; end > path; end--) {
    if (!isdigit((unsigned char)end[-1]) && isdigit((unsigned char)*end)) {
      number = (unsigned)atoi(end);
      break;
    }
  }
  strcpy(slash, "/mode");
  FILE *file = fopen(path, "r");
  if (file && fread(&first, 1, 1, file) == 1) mode = (enum mode)first;
  if (file) fclose(file);
  reading = reading_start(number);
}

static void send_line(const char *format, ...) {
  static char line[8192];
  va_list values;
  va_start(values, format);
  int length = vsnprintf(line, sizeof line - 1, format, values);
  va_end(values);
  line[length++] = '\n';
  if (write(STDOUT_FILENO, line, (size_t)length) != length) exit(0);
}

/// The view as JSON, valid until the next call.
static const char *view(void) {
  static char text[4096];
  int at = snprintf(text, sizeof text, "{\"type\":\"vstack\",\"children\":[\"%s\",", reading.count);
  size_t size = sizeof text;
  if (mode == mode_more) {
    at += snprintf(text + at, size - (size_t)at,
                   "{\"type\":\"button\",\"id\":\"more\",\"label\":\"%s\",\"action\":\"more\"}",
                   height == short_body ? "More" : "Less");
  } else {
    at += snprintf(text + at, size - (size_t)at, "\"%s\"", reading.level);
  }
  for (int row = short_body + 1; row <= height; row++) {
    at += snprintf(text + at, size - (size_t)at,
                   ",{\"type\":\"text\",\"id\":\"%d\",\"text\":\"row %02d\"}", row, row);
  }
  snprintf(text + at, size - (size_t)at, "]}");
  return text;
}

static void answer(const struct request *request, const char *result) {
  if (!request->id[0]) return;
  send_line("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}", request->id, result);
}

static void answer_with(const struct request *request, const char *format, const char *view) {
  static char result[4608];
  snprintf(result, sizeof result, format, view);
  answer(request, result);
}

/// Answers one message. `visible` is whether the card is on the screen.
static void handle(const struct request *request, int *visible) {
  const char *method = request->method;
  if (strcmp(method, "initialize") == 0) {
    answer(request, "{\"protocolVersion\":1,\"implements\":[\"viewWillAppear\",\"viewDidAppear\","
                    "\"viewWillDisappear\",\"viewDidDisappear\",\"viewWillTransitionToSize\","
                    "\"widgetPerformUpdate\",\"performAction\"]}");
  } else if (strcmp(method, "viewWillAppear") == 0) {
    answer_with(request, "{\"view\":%s}", view());
  } else if (strcmp(method, "viewDidAppear") == 0) {
    if (!*visible) beat = beat_from_now();
    *visible = 1;
  } else if (strcmp(method, "viewDidDisappear") == 0) {
    *visible = 0;
  } else if (strcmp(method, "viewWillDisappear") == 0) {
    answer(request, "{}");
  } else if (strcmp(method, "widgetPerformUpdate") == 0) {
    if (mode == mode_due) reading_advance(&reading);
    if (has_answered_update && mode != mode_due) answer(request, "{\"result\":\"noData\"}");
    else answer_with(request, "{\"result\":\"newData\",\"view\":%s}", view());
    has_answered_update = 1;
  } else if (strcmp(method, "performAction") == 0) {
    char size[96];
    height = height == short_body ? tall_body : short_body;
    snprintf(size, sizeof size, "{\"preferredContentSize\":{\"width\":0,\"height\":%d}}", height);
    answer(request, size);
  } else if (strcmp(method, "viewWillTransitionToSize") == 0) {
    answer_with(request, "{\"alongside\":%s}", view());
  } else if (strcmp(method, "shutdown") == 0) {
    ends = 1;
  } else if (request->id[0]) {
    send_line("{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32601,\"message\":\"%s\"}}",
              request->id, "no such method");
  }
}

int main(void) {
  static char text[262144];
  size_t length = 0;
  int visible = 0;
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  read_bundle();
  flood_await();
  while (!ends) {
    struct timespec pause = beat_remaining(&beat);
    int ready = ppoll(&input, 1, visible && mode == mode_push ? &pause : NULL, NULL);
    if (flood_is_wanted) {
      flood(&reading, "{\"jsonrpc\":\"2.0\",\"method\":\"setView\",\"params\":{\"view\":{\"type\":"
                      "\"vstack\",\"children\":[\"%s\",\"%s\"]}}}\n");
      return 0;
    }
    if (ready == 0) {
      reading_advance(&reading);
      beat.next.tv_sec += 1;
      send_line("{\"jsonrpc\":\"2.0\",\"method\":\"setView\",\"params\":{\"view\":%s}}", view());
      continue;
    }
    ssize_t got = read(STDIN_FILENO, text + length, sizeof text - length);
    if (got <= 0) return 0;
    length += (size_t)got;
    char *line = text, *end;
    while ((end = memchr(line, '\n', length - (size_t)(line - text)))) {
      struct request request = request_in(line, end);
      handle(&request, &visible);
      line = end + 1;
    }
    length -= (size_t)(line - text);
    memmove(text, line, length);
  }
  return 0;
}
