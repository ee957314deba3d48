// What the fields of a response say (RFC 9110).
#ifndef TRANSFER_AGENT_RESPONSE_H
#define TRANSFER_AGENT_RESPONSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A response; numbers that it does not say are -1.
typedef struct response {
  long status;
  /// Bytes of the content; INT64_MAX if there are more than can be counted.
  int64_t length;
  /// Whether it gives a length that is not a number, or several lengths.
  bool has_bad_length;
  /// Whether the content comes in chunks, so that its length says nothing (RFC 9112, 6.3).
  bool is_chunked;
  /// The first byte of a part, and the bytes of the whole.
  int64_t range_start, range_total;
  /// Seconds to wait.
  int64_t retry_after;
  /// Only a strong one; empty if there is none.
  char entity_tag[1024];
  char modified[128];
  bool takes_ranges;
} response;

/// Takes a line of the head; a status line begins a new response.
void response_take_line(response *response, const char *bytes, size_t count);

#endif
