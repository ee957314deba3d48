#ifndef BROKER_AGENT_WORDS_H
#define BROKER_AGENT_WORDS_H

#include <stdbool.h>

#include "agent.h"

/// What is known of a connection that was lost or could not be made.
typedef struct trouble {
  /// The error of the library, and of the system.
  int error, system;
  /// The reason that the broker has given: a code of MQTT 5 or, for a refused connection, of 3.1.1.
  int reason;
  bool is_refused, is_silent, was_open;
  int version;
  /// The lines of its log that say why TLS is not possible.
  char log[WORDS_LIMIT];
} trouble;

void trouble_clear(trouble *trouble);
/// Takes a line of the log of the library.
void trouble_note(trouble *trouble, const char *line);
/// Whether it is because of the version of MQTT, as far as that can be known.
bool trouble_is_version(const trouble *trouble);
/// Writes what is wrong, in words for a person; returns a word for programs.
const char *trouble_words(const trouble *trouble, const broker *broker, char words[WORDS_LIMIT]);

/// The words for a reason of MQTT 5.
const char *words_of_reason(int reason);
/// Why the files of the certificates cannot be used; NULL if nothing is wrong with them.
const char *words_of_files(const broker *broker);
/// There is no passphrase: a key with one is refused instead of asked for.
int words_no_passphrase(char *buffer, int size, int writes, void *object);

#endif
