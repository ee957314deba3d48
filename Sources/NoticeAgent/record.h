#ifndef NOTICE_AGENT_RECORD_H
#define NOTICE_AGENT_RECORD_H

#include <stdbool.h>
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
void record_free(record *record);

/// Puts the record in the queue for standard output, and empties it. It is never waited for a reader: if too much is in
/// the queue, the record is left out and counted. If there is no reader any more, the program ends.
void record_send(record *record);
/// The same for a record of a notification, of which there may be many.
void record_send_posted(record *record);
/// Counts a notification that is left out.
void record_omit(void);
/// Whether there is room for a notification of so many bytes in the queue.
bool record_has_room(size_t count);
/// Whether something is in the queue.
bool record_is_waiting(void);
/// Writes what standard output takes now. When all was read, the reader is told how many records were left out.
void record_flush(void);
/// Writes all of the queue before the end of the program; a reader that takes nothing is waited for for so long.
void record_finish(int milliseconds);

/// Sends the state of the agent in a word, and words that explain it.
void send_state(const char *word, const char *explanation);

#endif
