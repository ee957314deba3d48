// The parts of a JSON-RPC message that the benchmark's widget uses.
#pragma once
#include <string.h>

/// A message's method and its id as written; the id is empty in a notification.
struct request {
  char id[64], method[64];
};

/// Finds the members `id` and `method` of the outermost object, anywhere in the line.
static inline struct request request_in(const char *at, const char *end) {
  struct request request = {.id = "", .method = ""};
  char key[64] = "";
  int depth = 0, is_value = 0;
  while (at < end) {
    const char *start = at;
    if (*at == '"') {
      for (at++; at < end && *at != '"'; at++) at += *at == '\\';
      at += at < end;
    } else if (strchr("{}[]:, \t\r", *at)) {
      depth += *at == '{' || *at == '[';
      depth -= *at == '}' || *at == ']';
      if (*at == ':') is_value = 1;
      if (*at == ',' || *at == '{') is_value = 0;
      at++;
      continue;
    } else {
      while (at < end && !strchr("{}[]:,\" \t\r", *at)) at++;
    }
    size_t length = (size_t)(at - start);
    if (depth != 1 || length >= sizeof key) continue;
    char *into = !is_value ? key : !strcmp(key, "\"id\"") ? request.id : NULL;
    if (is_value && !strcmp(key, "\"method\"") && length >= 2) {
      into = request.method;
      start++, length -= 2;
    }
    if (into) memcpy(into, start, length), into[length] = 0;
  }
  return request;
}
