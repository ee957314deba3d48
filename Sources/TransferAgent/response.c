#include "response.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

static bool take_field(const char *line, const char *name, char *value, size_t size) {
  size_t count = strlen(name);
  if (strncasecmp(line, name, count) != 0 || line[count] != ':') return false;
  const char *start = line + count + 1;
  while (*start == ' ' || *start == '\t') start++;
  size_t length = strcspn(start, "\r\n");
  while (length > 0 && (start[length - 1] == ' ' || start[length - 1] == '\t')) length--;
  if (length >= size) return false;
  memcpy(value, start, length);
  value[length] = 0;
  return true;
}

static int64_t number(const char *text) {
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  return errno == 0 && end != text && value >= 0 ? value : -1;
}

/// A length in digits alone (RFC 9110, 8.6), INT64_MAX if it is larger; −1 if it is none.
///
/// Several with the same value, which a proxy may have joined, are one.
static int64_t content_length(const char *text) {
  int64_t value = -1;
  for (;;) {
    int64_t one = 0;
    if (*text < '0' || *text > '9') return -1;
    for (; *text >= '0' && *text <= '9'; text++) {
      int digit = *text - '0';
      one = one > (INT64_MAX - digit) / 10 ? INT64_MAX : one * 10 + digit;
    }
    if (value >= 0 && value != one) return -1;
    value = one;
    text += strspn(text, " \t");
    if (*text == 0) return value;
    if (*text++ != ',') return -1;
    text += strspn(text, " \t");
  }
}

static void take_length(response *response, const char *text) {
  int64_t length = content_length(text);
  if (length < 0 || (response->length >= 0 && response->length != length)) response->has_bad_length = true;
  response->length = length;
}

/// The seconds of a Retry-After, which may also be a date (RFC 9110, 10.2.3).
static int64_t retry_after(const char *text) {
  if (*text >= '0' && *text <= '9') return number(text);
  struct tm date = {0};
  if (strptime(text, "%a, %d %b %Y %H:%M:%S GMT", &date) == NULL) return -1;
  time_t moment = timegm(&date), now = time(NULL);
  return moment > now ? moment - now : 0;
}

static void take_range(response *response, const char *text) {
  long long first = -1, last = -1, total = -1;
  if (sscanf(text, "bytes %lld-%lld/%lld", &first, &last, &total) >= 2 && first >= 0) {
    response->range_start = first;
    response->range_total = total;
  }
}

void response_take_line(response *response, const char *bytes, size_t count) {
  char line[4096], value[1024];
  if (count >= sizeof line) return;
  memcpy(line, bytes, count);
  line[count] = 0;
  if (strncmp(line, "HTTP/", 5) == 0) {
    // The headers of an interim response, or of a proxy, are not those of the content.
    response->length = response->range_start = response->range_total = -1;
    response->retry_after = -1;
    response->entity_tag[0] = response->modified[0] = 0;
    response->takes_ranges = true;
    response->has_bad_length = response->is_chunked = false;
    const char *blank = strchr(line, ' ');
    response->status = blank != NULL ? strtol(blank, NULL, 10) : 0;
  } else if (take_field(line, "Content-Length", value, sizeof value)) {
    take_length(response, value);
  } else if (take_field(line, "Transfer-Encoding", value, sizeof value)) {
    response->is_chunked = true;
  } else if (take_field(line, "Content-Range", value, sizeof value)) {
    take_range(response, value);
  } else if (take_field(line, "Retry-After", value, sizeof value)) {
    response->retry_after = retry_after(value);
  } else if (take_field(line, "Accept-Ranges", value, sizeof value)) {
    response->takes_ranges = strcasecmp(value, "none") != 0;
  } else if (take_field(line, "Last-Modified", value, sizeof value)) {
    (void)snprintf(response->modified, sizeof response->modified, "%.100s", value);
  } else if (take_field(line, "ETag", value, sizeof value)) {
    // Only a strong one says that two contents have the same bytes (RFC 9110, 8.8.1).
    if (value[0] == '"') strcpy(response->entity_tag, value);
  }
}
