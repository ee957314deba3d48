#ifndef BROKER_AGENT_AGENT_H
#define BROKER_AGENT_AGENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  /// The longest topic or filter (MQTT 5, section 1.5.4).
  TOPIC_LIMIT = 65535,
  /// The longest payload that is passed on or published.
  PAYLOAD_LIMIT = 64 * 1024,
  /// The largest packet that a broker may send, where it can be told that: what is larger than a payload may be is
  /// reported with its size, and nothing else is done with it.
  PACKET_LIMIT = 16 * 1024 * 1024,
  FILTER_LIMIT = 4096,
  /// How many messages may wait for the acknowledgement of the broker.
  WAITING_LIMIT = 256,
  WORDS_LIMIT = 512,
};

/// What is said at the start about a broker and this client of it.
typedef struct broker {
  char *host;
  int port;
  bool is_secure;
  char *ca, *certificate, *key;
  char *user, *password;
  char *client;
  char *will_topic, *will_payload;
} broker;

// frames.c: what this process and the one that has started it say.

/// Bytes, which may be any.
typedef struct field {
  char *bytes;
  size_t count;
} field;

enum { FIELD_LIMIT = 6 };

typedef struct frame {
  char word[16];
  field fields[FIELD_LIMIT];
  int count;
} frame;

typedef enum frame_result { FRAME_FOUND, FRAME_NONE, FRAME_INVALID } frame_result;

/// Reads what has come on standard input; returns false at its end.
bool frames_read(void);
/// Takes the next frame of what was read. It is valid until the next call.
frame_result frames_next(frame *frame);
/// Queues a frame for standard output.
void frames_send(const char *word, int count, const field *fields);
/// Writes as much of the queue as its reader takes.
void frames_flush(void);
/// The bytes that wait for the reader.
size_t frames_waiting(void);

/// A copy of a field as a text; NULL if it has a zero byte.
char *field_text(const field *field);

static inline field text_field(const char *text) {
  return (field){(char *)text, __builtin_strlen(text)};
}

// confine.c

/// Gives up what this process does not need: other programs, and files that it could change.
void confine(void);

// watch.c

/// Ends the process soon after its input has ended, also while a connection is being made.
void watch_input(void);
/// Whether a connection is being made, for which this process waits.
void watch_set_connecting(bool is_connecting);

// session.c, and requests.c for what is asked for.

/// Begins to connect, now and again whenever there is no connection.
void session_start(const broker *broker);
/// Receives what matches a filter, now and after each new connection.
void session_subscribe(const field *filter);
void session_unsubscribe(const field *filter);
/// Publishes the fields of a frame.
void session_publish(const frame *frame);
/// Disconnects as soon as everything that was published has been acknowledged.
void session_end(void);
/// Waits for what comes next, and does it. `reads` is whether input is read.
void session_turn(void);
/// Whether more may be published.
bool session_has_room(void);

// broker.c

/// Takes one value of the broker; returns false for one that is not known or cannot be used.
bool broker_take(broker *broker, const frame *frame);
/// What is wrong with the values; NULL for nothing.
const char *broker_fault(const broker *broker);

#endif
