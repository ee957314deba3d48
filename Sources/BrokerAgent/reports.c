// What the library reports of the present connection.
#include <stdio.h>
#include <stdlib.h>

#include "session.h"

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

void report_published(const char *number, const char *words) {
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

void reports_follow(mosquitto *client) {
  mosq.on_log(client, did_log);
  mosq.on_connect(client, did_connect);
  mosq.on_disconnect(client, did_disconnect);
  mosq.on_publish(client, did_publish);
  mosq.on_subscribe(client, did_subscribe);
  mosq.on_message(client, did_receive);
}
