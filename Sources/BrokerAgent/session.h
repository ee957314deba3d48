#ifndef BROKER_AGENT_SESSION_H
#define BROKER_AGENT_SESSION_H

// What the files of the connections share, of which there is one after another.

#include <stdbool.h>
#include <stdint.h>

#include "agent.h"
#include "mosquitto.h"
#include "words.h"

enum {
  /// The pause before a connection is tried again, at first.
  FIRST_PAUSE = 1000,
};

typedef struct filter {
  char *text;
  int mid;
} filter;

typedef struct waiting {
  int mid;
  char number[24];
} waiting;

typedef struct session_state {
  const broker *broker;
  mosquitto *client;
  enum { AWAY, GREETING, OPEN } phase;
  int version;
  /// Why the version is not 5, and whether the broker has said so itself.
  const char *version_words;
  bool refuses_5;
  /// When this began, when it is tried again, and when the library was asked last.
  int64_t since, next, looked;
  int64_t pause;
  bool is_ending, has_input;
  filter filters[FILTER_LIMIT];
  int filter_count;
  waiting waiting[WAITING_LIMIT];
  int waiting_count;
  double tokens;
  int64_t counted;
  trouble trouble;
} session_state;

extern session_state session;

/// The milliseconds of a clock that never goes back.
int64_t now(void);

// connect.c

/// Begins to connect.
void session_connect(void);
/// The connection is lost, or could not be made: says why, and that it is tried again.
void session_lose(int error);

// reports.c

/// Lets the library report what happens to a client.
void reports_follow(mosquitto *client);
/// Says what became of a message that was to be published; without words the broker has it.
void report_published(const char *number, const char *words);

// requests.c

/// Subscribes to all that was asked for, on a new connection.
void requests_subscribe_again(void);

#endif
