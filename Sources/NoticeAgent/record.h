#ifndef NOTICE_AGENT_RECORD_H
#define NOTICE_AGENT_RECORD_H

#include <stddef.h>
#include <stdint.h>

/// Texts that are sent to the program that has started this one: their number, and each of them, all ended by a NUL.
typedef struct record {
  char *bytes;
  size_t count, space;
  unsigned fields;
} record;

/// Adds a text, of which at most so many bytes are taken, up to a whole character.
void record_add(record *record, const char *text, size_t limit);
void record_add_number(record *record, int64_t number);
/// Adds the fields of another record behind those of this one.
void record_append(record *record, const struct record *other);
/// Writes the record to standard output, and empties it. If nobody reads, the program ends.
void record_send(record *record);
void record_free(record *record);

/// Sends the state of the agent in a word, and words that explain it.
void send_state(const char *word, const char *explanation);

#endif
