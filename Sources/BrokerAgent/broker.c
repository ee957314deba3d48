// The values of a broker, as they come before the first connection.
#include <stdlib.h>
#include <string.h>

#include "agent.h"

static bool take_port(broker *broker, const char *text) {
  char *end;
  long port = strtol(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != 0 || port < 1 || port > 65535) return false;
  broker->port = (int)port;
  return true;
}

bool broker_take(broker *broker, const frame *frame) {
  const struct {
    const char *name;
    char **place;
  } texts[] = {
      {"host", &broker->host},
      {"ca", &broker->ca},
      {"certificate", &broker->certificate},
      {"key", &broker->key},
      {"user", &broker->user},
      {"password", &broker->password},
      {"client", &broker->client},
      {"will-topic", &broker->will_topic},
      {"will-payload", &broker->will_payload},
  };
  if (frame->count != 2 || frame->fields[1].count > TOPIC_LIMIT) return false;
  char *name = field_text(&frame->fields[0]), *value = field_text(&frame->fields[1]);
  bool is_taken = false;
  if (name == NULL || value == NULL) {
    // It has a zero byte.
  } else if (strcmp(name, "port") == 0) {
    is_taken = take_port(broker, value);
  } else if (strcmp(name, "tls") == 0) {
    broker->is_secure = is_taken = true;
  } else {
    for (size_t index = 0; index < sizeof texts / sizeof texts[0]; index++) {
      if (strcmp(name, texts[index].name) != 0) continue;
      free(*texts[index].place);
      *texts[index].place = value;
      value = NULL;
      is_taken = true;
    }
  }
  free(name);
  free(value);
  return is_taken;
}

const char *broker_fault(const broker *broker) {
  if (broker->host == NULL || broker->host[0] == 0 || broker->port == 0) return "there is no address of a broker";
  if ((broker->certificate == NULL) != (broker->key == NULL)) return "a client certificate needs its key, and a key its certificate";
  if (broker->certificate != NULL && !broker->is_secure) return "a client certificate needs mqtts";
  // A password without a user is not possible in 3.1.1, and of no use to any broker.
  if (broker->password != NULL && broker->user == NULL) return "a password needs a user name";
  return NULL;
}
