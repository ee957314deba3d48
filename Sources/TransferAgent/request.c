// The request of a transfer: lines of a name, a blank and a value, up to the end of standard input.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent.h"

enum { REQUEST_LIMIT = 256 * 1024 };

static bool read_number(const char *text, int64_t least, int64_t *value) {
  char *end;
  errno = 0;
  long long number = strtoll(text, &end, 10);
  if (errno != 0 || end == text || *end != 0 || number < least) return false;
  *value = number;
  return true;
}

static bool take(agent_request *request, const char *name, char *value) {
  int64_t number = 0;
  if (strcmp(name, "method") == 0) {
    request->method = value;
  } else if (strcmp(name, "url") == 0) {
    request->url = value;
  } else if (strcmp(name, "validator") == 0) {
    request->validator = strdup(value);
    return request->validator != NULL;
  } else if (strcmp(name, "basic") == 0 || strcmp(name, "bearer") == 0) {
    request->authentication = name[1] == 'a' ? "basic" : "bearer";
    request->credential = value;
  } else if (strcmp(name, "body") == 0) {
    request->has_body = true;
  } else if (strcmp(name, "header") == 0) {
    header **end = &request->headers;
    while (*end != NULL) end = &(*end)->next;
    *end = calloc(1, sizeof **end);
    if (*end == NULL) return false;
    (*end)->line = value;
  } else if (strcmp(name, "limit") == 0) {
    return read_number(value, 0, &request->byte_limit);
  } else if (strcmp(name, "pause") == 0) {
    return read_number(value, 0, &request->pause_milliseconds);
  } else if (strcmp(name, "attempts") == 0) {
    if (!read_number(value, 1, &number) || number > 1000) return false;
    request->attempts = (int)number;
  } else {
    return false;
  }
  return true;
}

const char *agent_read(agent_request *request) {
  char *text = malloc(REQUEST_LIMIT + 1);
  if (text == NULL) return "not enough memory";
  size_t count = 0;
  for (;;) {
    ssize_t part = read(STDIN_FILENO, text + count, REQUEST_LIMIT + 1 - count);
    if (part < 0 && errno == EINTR) continue;
    if (part < 0) return "standard input cannot be read";
    if (part == 0) break;
    count += (size_t)part;
    if (count > REQUEST_LIMIT) return "the request is too long";
  }
  text[count] = 0;
  if (strlen(text) != count) return "the request has a zero byte";
  for (char *line = text; *line != 0;) {
    char *end = strchr(line, '\n');
    if (end == NULL) return "the request ends within a line";
    *end = 0;
    char *value = strchr(line, ' ');
    if (value != NULL) *value++ = 0;
    if (!take(request, line, value != NULL ? value : end)) return "the request is not valid";
    line = end + 1;
  }
  if (request->method == NULL || request->url == NULL) return "the request has no URL";
  return NULL;
}
