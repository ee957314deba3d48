// Why there is no connection, in words on which a person can act.
#include "words.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mosquitto.h"

void trouble_clear(trouble *trouble) { memset(trouble, 0, sizeof *trouble); }

void trouble_note(trouble *trouble, const char *line) {
  if (strcasestr(line, "ssl") == NULL && strcasestr(line, "tls") == NULL && strcasestr(line, "certificate") == NULL &&
      strcasestr(line, "host name") == NULL) {
    return;
  }
  size_t count = strlen(trouble->log);
  (void)snprintf(trouble->log + count, sizeof trouble->log - count, "%s%s", count > 0 ? "; " : "", line);
}

/// Once a connection was made, its end is not about certificates, whatever the library says of TLS then.
static bool is_about_tls(const trouble *trouble) {
  return !trouble->was_open && (trouble->log[0] != 0 || trouble->error == MOSQ_ERR_TLS);
}

bool trouble_is_version(const trouble *trouble) {
  if (trouble->is_refused) return trouble->reason == REASON_VERSION || trouble->reason == 1;
  // A broker that does not know the version may also just end the connection.
  return !is_about_tls(trouble) && !trouble->is_silent &&
         (trouble->error == MOSQ_ERR_CONN_LOST || trouble->error == MOSQ_ERR_PROTOCOL);
}

const char *words_of_reason(int reason) {
  switch (reason) {
    case REASON_CLIENT: return "the broker refuses the name of this client";
    case REASON_PASSWORD: return "the broker refuses the user name or the password";
    case REASON_NOT_AUTHORIZED: return "the broker does not allow it";
    case REASON_TAKEN_OVER: return "another client with the same name has connected";
    case REASON_NO_RETAIN: return "the broker keeps no messages (retain is switched off there)";
    default: return mosq.reason_words(reason);
  }
}

/// The code of MQTT 5 for one of 3.1.1 (section 3.2.2.3).
static int reason_of(const trouble *trouble) {
  if (trouble->version == PROTOCOL_5) return trouble->reason;
  switch (trouble->reason) {
    case 1: return REASON_VERSION;
    case 2: return REASON_CLIENT;
    case 3: return REASON_UNAVAILABLE;
    case 4: return REASON_PASSWORD;
    case 5: return REASON_NOT_AUTHORIZED;
    default: return REASON_FAILURE;
  }
}

static const char *say(char words[WORDS_LIMIT], const char *kind, const char *text) {
  (void)snprintf(words, WORDS_LIMIT, "%s", text);
  return kind;
}

static const char *refusal_words(const trouble *trouble, const broker *broker, char words[WORDS_LIMIT]) {
  int reason = reason_of(trouble);
  switch (reason) {
    case REASON_PASSWORD: return say(words, "password", words_of_reason(reason));
    case REASON_NOT_AUTHORIZED:
      // Mosquitto says so of a wrong password, too.
      return say(words, "password",
                 broker->user == NULL ? "the broker wants a user name and a password"
                                      : "the broker refuses the user name or the password");
    case REASON_VERSION: return say(words, "refused", "the broker supports neither MQTT 5 nor 3.1.1");
    default: return say(words, "refused", words_of_reason(reason));
  }
}

/// What a broker that ends a connection with TLS may have against this client; it often does not say that.
static const char *client_words(const broker *broker) {
  return broker->certificate == NULL ? "the broker refuses the connection; it may want a client certificate"
                                     : "the broker refuses the client certificate";
}

static const char *tls_words(const trouble *trouble, const broker *broker, char words[WORDS_LIMIT]) {
  const char *log = trouble->log;
  if (strcasestr(log, "host name") != NULL || strcasestr(log, "hostname mismatch") != NULL ||
      strcasestr(log, "ip address mismatch") != NULL) {
    (void)snprintf(words, WORDS_LIMIT, "the certificate of the broker is not for %s", broker->host);
  } else if (strcasestr(log, "certificate verify failed") != NULL) {
    (void)snprintf(words, WORDS_LIMIT, "the certificate of the broker is not trusted%s",
                   broker->ca == NULL ? "; set ca to the certificate of its authority" : " by the authority in ca");
  } else if (strcasestr(log, "handshake failure") != NULL ||
             (strcasestr(log, "alert") != NULL &&
              (strcasestr(log, "certificate") != NULL || strcasestr(log, "unknown ca") != NULL))) {
    return say(words, "tls", client_words(broker));
  } else if (strcasestr(log, "wrong version number") != NULL) {
    return say(words, "tls", "there is no TLS on this port of the broker");
  } else {
    (void)snprintf(words, WORDS_LIMIT, "TLS: %.300s", log[0] != 0 ? log : "it is not possible with this broker");
  }
  return "tls";
}

static const char *end_words(const trouble *trouble, const broker *broker, char words[WORDS_LIMIT]) {
  if (trouble->was_open) return say(words, "network", "the broker has ended the connection");
  if (broker->is_secure) return say(words, "tls", client_words(broker));
  return say(words, "network", "the broker ends the connection before it answers");
}

const char *trouble_words(const trouble *trouble, const broker *broker, char words[WORDS_LIMIT]) {
  if (trouble->is_refused) return refusal_words(trouble, broker, words);
  if (is_about_tls(trouble)) return tls_words(trouble, broker, words);
  if (trouble->is_silent) return say(words, "network", "the broker does not answer");
  if (trouble->reason >= REASON_FAILURE) return say(words, "broker", words_of_reason(trouble->reason));
  switch (trouble->error) {
    case MOSQ_ERR_EAI: return say(words, "network", "the name of the broker cannot be resolved");
    case MOSQ_ERR_NOMEM: return say(words, "broker", "the broker sent a message larger than the memory limit");
    case MOSQ_ERR_KEEPALIVE: return say(words, "network", "the broker does not answer any more");
    case MOSQ_ERR_PROTOCOL: return say(words, "protocol", "the answer is not that of an MQTT broker");
    case MOSQ_ERR_ERRNO:
      // The library does not say more of what a broker answers to a certificate in TLS 1.3.
      if (trouble->system == EPROTO && broker->is_secure) return end_words(trouble, broker, words);
      if (trouble->system == EINTR) return say(words, "network", "the broker does not answer");
      return say(words, "network", trouble->system != 0 ? strerror(trouble->system) : "no connection");
    case MOSQ_ERR_CONN_LOST:
    case MOSQ_ERR_NO_CONN:
    case MOSQ_ERR_TLS: return end_words(trouble, broker, words);
    default: return say(words, "broker", mosq.error_words(trouble->error));
  }
}

const char *words_of_files(const broker *broker) {
  static char words[WORDS_LIMIT];
  const char *paths[] = {broker->ca, broker->certificate, broker->key};
  for (size_t index = 0; index < sizeof paths / sizeof paths[0]; index++) {
    if (paths[index] == NULL || access(paths[index], R_OK) == 0) continue;
    (void)snprintf(words, sizeof words, "%.300s: %s", paths[index], strerror(errno));
    return words;
  }
  return NULL;
}

int words_no_passphrase(char *buffer, int size, int writes, void *object) {
  (void)buffer, (void)size, (void)writes, (void)object;
  return 0;
}
