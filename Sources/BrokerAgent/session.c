// The turns of the process: it waits for the broker, for its input and for its reader, and does what comes first.
#include <errno.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

#include "session.h"

enum {
  /// How often the library looks whether it has to say something, and whether the broker has.
  MISC_MILLISECONDS = 10 * 1000,
  /// How long a broker has for the end of the handshakes.
  GREETING_MILLISECONDS = 15 * 1000,
  /// The bytes that wait for the reader before nothing more is read from the broker.
  HELD_BYTES = 2 * 1024 * 1024,
  /// How many messages are taken at once, and then in a second.
  BURST = 4096,
  RATE = 1000,
};

session_state session = {
    .version = PROTOCOL_5, .pause = FIRST_PAUSE, .next = INT64_MAX, .has_input = true, .tokens = BURST};

int64_t now(void) {
  struct timespec time;
  (void)clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

void session_start(const broker *broker) {
  session.broker = broker;
  session.next = session.counted = now();
}

bool session_has_room(void) { return session.waiting_count < WAITING_LIMIT && frames_waiting() < HELD_BYTES; }

void session_end(void) { session.is_ending = true; }

/// Disconnects when all was acknowledged.
static void end_if_done(void) {
  if (session.phase != OPEN) _exit(0);
  if (session.waiting_count > 0) return;
  (void)mosq.disconnect(session.client, 0, NULL);
  for (int turn = 0; turn < 20 && mosq.wants_write(session.client) && mosq.socket(session.client) >= 0; turn++) {
    struct pollfd file = {.fd = mosq.socket(session.client), .events = POLLOUT};
    (void)poll(&file, 1, 100);
    (void)mosq.loop_write(session.client, 1);
  }
  _exit(0);
}

static bool may_receive(void) {
  int64_t present = now();
  session.tokens += (double)(present - session.counted) * RATE / 1000;
  if (session.tokens > BURST) session.tokens = BURST;
  session.counted = present;
  return session.tokens >= 1 && frames_waiting() < HELD_BYTES;
}

static int wait_time(bool receives) {
  if (session.client == NULL) {
    if (session.next == INT64_MAX) return -1;
    int64_t wait = session.next - now();
    return wait < 0 ? 0 : (int)wait;
  }
  if (!receives && frames_waiting() < HELD_BYTES) return 100;
  int64_t wait = session.looked + MISC_MILLISECONDS - now();
  if (session.phase == GREETING) wait = session.since + GREETING_MILLISECONDS - now();
  return wait < 0 ? 0 : wait > MISC_MILLISECONDS ? MISC_MILLISECONDS : (int)wait;
}

/// Lets the library do its work; returns its error.
static int work(short events, bool receives) {
  int result = MOSQ_ERR_SUCCESS;
  errno = 0;
  if (events & POLLOUT) result = mosq.loop_write(session.client, 1);
  if (result == MOSQ_ERR_SUCCESS && receives && (events & (POLLIN | POLLHUP | POLLERR))) {
    result = mosq.loop_read(session.client, 1);
  }
  if (result == MOSQ_ERR_SUCCESS && now() - session.looked >= MISC_MILLISECONDS) {
    session.looked = now();
    result = mosq.loop_misc(session.client);
  }
  return result;
}

static void did_open(void) {
  session.since = now();
  const char *version = session.version == PROTOCOL_5 ? "5" : "3.1.1";
  const char *words = session.version == PROTOCOL_5 ? "" : session.version_words;
  frames_send("connected", 2, (field[]){text_field(version), text_field(words)});
  requests_subscribe_again();
}

static void turn_client(short events, bool receives) {
  bool was_open = session.phase == OPEN;
  int result = work(events, receives);
  if (session.phase == OPEN && !was_open) did_open();
  if (session.trouble.is_refused || result != MOSQ_ERR_SUCCESS) {
    session_lose(result);
  } else if (session.phase == GREETING && now() - session.since >= GREETING_MILLISECONDS) {
    session.trouble.is_silent = true;
    session_lose(MOSQ_ERR_CONN_LOST);
  }
}

void session_turn(void) {
  if (session.is_ending) end_if_done();
  if (session.client == NULL && now() >= session.next) session_connect();
  bool receives = may_receive();
  struct pollfd files[3] = {
      {.fd = session.has_input && session_has_room() ? STDIN_FILENO : -1, .events = POLLIN},
      {.fd = frames_waiting() > 0 ? STDOUT_FILENO : -1, .events = POLLOUT},
      {.fd = session.client != NULL ? mosq.socket(session.client) : -1},
  };
  if (session.client != NULL) {
    files[2].events = (short)((receives ? POLLIN : 0) | (mosq.wants_write(session.client) ? POLLOUT : 0));
    // An end would be reported without a pause while nothing is received.
    if (files[2].events == 0) files[2].fd = -1;
  }
  if (poll(files, 3, wait_time(receives)) < 0) return;
  if (files[1].revents != 0) frames_flush();
  if (session.client != NULL) turn_client(files[2].revents, receives);
  if (files[0].revents != 0 && !frames_read()) {
    if (!session.is_ending) _exit(0);
    session.has_input = false;
  }
}
