// One connection after another: each has a client of the library of its own, so that nothing is left of the last one.
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "agent.h"
#include "mosquitto.h"
#include "words.h"

enum {
  KEEPALIVE_SECONDS = 60,
  /// How often the library looks whether it has to say something, and whether the broker has.
  MISC_MILLISECONDS = 10 * 1000,
  /// How long a broker has for the end of the handshakes.
  GREETING_MILLISECONDS = 15 * 1000,
  FIRST_PAUSE = 1000,
  LONGEST_PAUSE = 60 * 1000,
  /// A connection that has lasted so long was not lost for a reason that lasts.
  USUAL_MILLISECONDS = 10 * 1000,
  /// The bytes that wait for the reader before nothing more is read from the broker.
  HELD_BYTES = 2 * 1024 * 1024,
  /// How many messages are taken at once, and then in a second.
  BURST = 4096,
  RATE = 1000,
};

typedef struct filter {
  char *text;
  int mid;
} filter;

typedef struct waiting {
  int mid;
  char number[24];
} waiting;

static struct {
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
} session = {.version = PROTOCOL_5, .pause = FIRST_PAUSE, .next = INT64_MAX, .has_input = true, .tokens = BURST};

static int64_t now(void) {
  struct timespec time;
  (void)clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// MARK: - What the library reports

static void did_connect(mosquitto *client, void *object, int reason, int flags, const property *properties) {
  (void)client, (void)object, (void)flags, (void)properties;
  session.trouble.reason = reason;
  session.trouble.is_refused = reason != 0;
  if (reason == 0) session.phase = OPEN;
}

static void did_disconnect(mosquitto *client, void *object, int reason, const property *properties) {
  (void)client, (void)object, (void)properties;
  if (session.phase == OPEN && reason >= REASON_FAILURE) session.trouble.reason = reason;
}

static void report_published(const char *number, const char *words) {
  frames_send("published", 2, (field[]){text_field(number), text_field(words)});
}

static void did_publish(mosquitto *client, void *object, int mid, int reason, const property *properties) {
  (void)client, (void)object, (void)properties;
  for (int index = 0; index < session.waiting_count; index++) {
    if (session.waiting[index].mid != mid) continue;
    report_published(session.waiting[index].number, reason >= REASON_FAILURE ? words_of_reason(reason) : "");
    session.waiting[index] = session.waiting[--session.waiting_count];
    return;
  }
}

static void did_subscribe(mosquitto *client, void *object, int mid, int count, const int *granted,
                          const property *properties) {
  (void)client, (void)object, (void)properties;
  for (int index = 0; index < session.filter_count; index++) {
    if (session.filters[index].mid != mid) continue;
    session.filters[index].mid = 0;
    const char *words = "";
    if (count < 1 || granted[0] >= REASON_FAILURE) {
      words = count < 1 || granted[0] == REASON_FAILURE ? "the broker refuses it" : words_of_reason(granted[0]);
    }
    frames_send("subscribed", 2, (field[]){text_field(session.filters[index].text), text_field(words)});
    return;
  }
}

static void did_receive(mosquitto *client, void *object, const message *message, const property *properties) {
  (void)client, (void)object;
  session.tokens -= 1;
  if (message->topic == NULL || message->payloadlen < 0) return;
  size_t count = (size_t)message->payloadlen;
  field topic = text_field(message->topic);
  if (topic.count == 0 || topic.count > TOPIC_LIMIT) return;
  char number[24], *type = NULL;
  if (count > PAYLOAD_LIMIT) {
    (void)snprintf(number, sizeof number, "%zu", count);
    frames_send("large", 2, (field[]){topic, text_field(number)});
    return;
  }
  uint32_t expiry = 0;
  number[0] = 0;
  if (mosq.read_int32(properties, PROPERTY_MESSAGE_EXPIRY, &expiry, false) != NULL) {
    (void)snprintf(number, sizeof number, "%u", expiry);
  }
  (void)mosq.read_string(properties, PROPERTY_CONTENT_TYPE, &type, false);
  frames_send("message", 5, (field[]){topic, {message->payload, count}, text_field(message->retain ? "1" : "0"),
                                      text_field(number), text_field(type != NULL ? type : "")});
  free(type);
}

static void did_log(mosquitto *client, void *object, int level, const char *text) {
  (void)client, (void)object;
  if (level == MOSQ_LOG_ERR || level == MOSQ_LOG_WARNING) trouble_note(&session.trouble, text);
}

// MARK: - Connecting

/// What is wrong is said, and it is tried again after a pause.
static void report_away(const char *kind, const char *words) {
  uint32_t random = 0;
  if (getrandom(&random, sizeof random, GRND_NONBLOCK) < 0) random = (uint32_t)now() * 2654435761U;
  // Many clients of a broker that is started again do not come all at once.
  int64_t pause = session.pause * 3 / 4 + session.pause * (int64_t)(random % 1000) / 2000;
  session.next = now() + pause;
  session.pause = session.pause * 2 > LONGEST_PAUSE ? LONGEST_PAUSE : session.pause * 2;
  char seconds[24];
  (void)snprintf(seconds, sizeof seconds, "%lld", (long long)(pause + 999) / 1000);
  frames_send("disconnected", 3, (field[]){text_field(kind), text_field(words), text_field(seconds)});
}

static void drop_client(void) {
  if (session.client != NULL) mosq.destroy(session.client);
  session.client = NULL;
  session.phase = AWAY;
  for (int index = 0; index < session.waiting_count; index++) {
    report_published(session.waiting[index].number, "the connection was lost");
  }
  session.waiting_count = 0;
  for (int index = 0; index < session.filter_count; index++) session.filters[index].mid = 0;
}

/// The connection is lost, or could not be made.
static void lose(int error) {
  trouble trouble = session.trouble;
  trouble.error = error;
  trouble.system = errno;
  trouble.was_open = session.phase == OPEN;
  trouble.version = session.version;
  bool was_greeting = session.phase == GREETING;
  if (trouble.was_open && now() - session.since >= USUAL_MILLISECONDS) session.pause = FIRST_PAUSE;
  drop_client();
  if (session.is_ending) _exit(0);
  if (was_greeting && session.version == PROTOCOL_5 && trouble_is_version(&trouble)) {
    session.version = PROTOCOL_3_1_1;
    session.refuses_5 = trouble.is_refused;
    session.version_words = trouble.is_refused ? "the broker refuses MQTT 5" : "the broker does not answer to MQTT 5";
    session.next = now();
    return;
  }
  // A connection that was only closed may have been so for another reason.
  if (!trouble.was_open || !session.refuses_5) session.version = PROTOCOL_5;
  char words[WORDS_LIMIT];
  const char *kind = trouble_words(&trouble, session.broker, words);
  report_away(kind, words);
}

/// Creates a client with what the broker has to know; NULL or what is wrong.
static const char *make_client(void) {
  const broker *broker = session.broker;
  session.client = mosq.new_client(broker->client, true, NULL);
  // Without a name the broker chooses one.
  if (session.client == NULL) return "the name of the client cannot be used";
  mosq.on_log(session.client, did_log);
  mosq.on_connect(session.client, did_connect);
  mosq.on_disconnect(session.client, did_disconnect);
  mosq.on_publish(session.client, did_publish);
  mosq.on_subscribe(session.client, did_subscribe);
  mosq.on_message(session.client, did_receive);
  (void)mosq.int_option(session.client, OPTION_PROTOCOL_VERSION, session.version);
  if (broker->user != NULL && mosq.credentials_set(session.client, broker->user, broker->password) != 0) {
    return "the user name or the password cannot be used";
  }
  if (broker->is_secure) {
    const char *fault = words_of_files(broker);
    if (fault != NULL) return fault;
    if (broker->ca == NULL) (void)mosq.int_option(session.client, OPTION_USE_OS_CERTS, 1);
    if ((broker->ca != NULL || broker->certificate != NULL) &&
        mosq.tls_set(session.client, broker->ca, broker->ca == NULL ? "/etc/ssl/certs" : NULL, broker->certificate,
                     broker->key, words_no_passphrase) != MOSQ_ERR_SUCCESS) {
      return "the certificates cannot be used";
    }
  }
  if (broker->will_topic != NULL) {
    const char *payload = broker->will_payload != NULL ? broker->will_payload : "";
    if (mosq.will_set(session.client, broker->will_topic, (int)strlen(payload), payload, 1, true, NULL) != 0) {
      return "the topic of the will cannot be used";
    }
  }
  return NULL;
}

static void connect_now(void) {
  session.next = INT64_MAX;
  trouble_clear(&session.trouble);
  const char *fault = make_client();
  if (fault != NULL) {
    drop_client();
    report_away("request", fault);
    return;
  }
  property *properties = NULL;
  if (session.version == PROTOCOL_5) {
    (void)mosq.add_int32(&properties, PROPERTY_MAXIMUM_PACKET_SIZE, PACKET_LIMIT);
  }
  errno = 0;
  watch_set_connecting(true);
  int result = mosq.connect(session.client, session.broker->host, session.broker->port, KEEPALIVE_SECONDS, NULL,
                            properties);
  int system = errno;
  watch_set_connecting(false);
  mosq.free_properties(&properties);
  errno = system;
  if (result != MOSQ_ERR_SUCCESS && result != MOSQ_ERR_CONN_PENDING) {
    lose(result);
    return;
  }
  session.phase = GREETING;
  session.since = session.looked = now();
}

static void subscribe_to(filter *filter) {
  // What was published as retained says so also when it is new; 3.1.1 has no such option.
  int options = session.version == PROTOCOL_5 ? 8 : 0;
  if (mosq.subscribe(session.client, &filter->mid, filter->text, 1, options, NULL) != MOSQ_ERR_SUCCESS) {
    frames_send("subscribed", 2, (field[]){text_field(filter->text), text_field("the subscription could not be sent")});
  }
}

static void did_open(void) {
  session.since = now();
  const char *version = session.version == PROTOCOL_5 ? "5" : "3.1.1";
  const char *words = session.version == PROTOCOL_5 ? "" : session.version_words;
  frames_send("connected", 2, (field[]){text_field(version), text_field(words)});
  for (int index = 0; index < session.filter_count; index++) subscribe_to(&session.filters[index]);
}

// MARK: - What is asked for

void session_start(const broker *broker) {
  session.broker = broker;
  session.next = session.counted = now();
}

void session_subscribe(const field *filter) {
  char *text = field_text(filter);
  if (text == NULL) return;
  for (int index = 0; index < session.filter_count; index++) {
    if (strcmp(session.filters[index].text, text) != 0) continue;
    free(text);
    return;
  }
  const char *fault = mosq.filter_check(text, filter->count) != MOSQ_ERR_SUCCESS ? "it is not a filter of topics"
                      : session.filter_count == FILTER_LIMIT                     ? "more than 4096 subscriptions"
                                                                                 : NULL;
  if (fault != NULL) {
    frames_send("subscribed", 2, (field[]){*filter, text_field(fault)});
    free(text);
    return;
  }
  struct filter *new = &session.filters[session.filter_count++];
  *new = (struct filter){.text = text};
  if (session.phase == OPEN) subscribe_to(new);
}

void session_unsubscribe(const field *filter) {
  for (int index = 0; index < session.filter_count; index++) {
    char *text = session.filters[index].text;
    if (strlen(text) != filter->count || memcmp(text, filter->bytes, filter->count) != 0) continue;
    if (session.phase == OPEN) (void)mosq.unsubscribe(session.client, NULL, text, NULL);
    free(text);
    session.filters[index] = session.filters[--session.filter_count];
    return;
  }
}

/// Publishes; returns NULL or why not.
static const char *publish(const frame *frame, const char *topic, const char *type, uint32_t expiry, int *mid) {
  const field *payload = &frame->fields[2];
  if (session.phase != OPEN) return "there is no connection";
  if (topic == NULL || mosq.topic_check(topic, frame->fields[1].count) != 0 || topic[0] == 0 ||
      mosq.utf8_check(topic, (int)frame->fields[1].count) != 0) {
    return "the topic cannot be used";
  }
  if (payload->count > PAYLOAD_LIMIT) return "it is too large";
  property *properties = NULL;
  if (session.version == PROTOCOL_5) {
    if (expiry > 0) (void)mosq.add_int32(&properties, PROPERTY_MESSAGE_EXPIRY, expiry);
    if (type != NULL && type[0] != 0) (void)mosq.add_string(&properties, PROPERTY_CONTENT_TYPE, type);
  }
  bool retained = frame->fields[3].count == 1 && frame->fields[3].bytes[0] == '1';
  int result = mosq.publish(session.client, mid, topic, (int)payload->count, payload->bytes, 1, retained, properties);
  mosq.free_properties(&properties);
  return result == MOSQ_ERR_SUCCESS ? NULL : mosq.error_words(result);
}

void session_publish(const frame *frame) {
  char *number = field_text(&frame->fields[0]), *topic = field_text(&frame->fields[1]);
  char *expiry = field_text(&frame->fields[4]), *type = field_text(&frame->fields[5]);
  waiting *entry = &session.waiting[session.waiting_count];
  (void)snprintf(entry->number, sizeof entry->number, "%s", number != NULL ? number : "");
  unsigned long seconds = expiry != NULL ? strtoul(expiry, NULL, 10) : 0;
  const char *fault = publish(frame, topic, type, seconds > UINT32_MAX ? UINT32_MAX : (uint32_t)seconds, &entry->mid);
  if (fault == NULL) {
    session.waiting_count++;
  } else {
    report_published(entry->number, fault);
  }
  free(number);
  free(topic);
  free(expiry);
  free(type);
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

// MARK: - Turns

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

static void turn_client(short events, bool receives) {
  bool was_open = session.phase == OPEN;
  int result = work(events, receives);
  if (session.phase == OPEN && !was_open) did_open();
  if (session.trouble.is_refused || result != MOSQ_ERR_SUCCESS) {
    lose(result);
  } else if (session.phase == GREETING && now() - session.since >= GREETING_MILLISECONDS) {
    session.trouble.is_silent = true;
    lose(MOSQ_ERR_CONN_LOST);
  }
}

void session_turn(void) {
  if (session.is_ending) end_if_done();
  if (session.client == NULL && now() >= session.next) connect_now();
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
