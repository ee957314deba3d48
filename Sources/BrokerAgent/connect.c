// Makes connections, each with a client of the library of its own, so that nothing is left of the last one.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "session.h"

enum {
  KEEPALIVE_SECONDS = 60,
  LONGEST_PAUSE = 60 * 1000,
  /// A connection that has lasted so long was not lost for a reason that lasts.
  USUAL_MILLISECONDS = 10 * 1000,
};

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

void session_lose(int error) {
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
  reports_follow(session.client);
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

void session_connect(void) {
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
    session_lose(result);
    return;
  }
  session.phase = GREETING;
  session.since = session.looked = now();
}
