// What is asked for: subscriptions, which outlast a connection, and messages, which do not.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session.h"

static void subscribe_to(filter *filter) {
  // Without options a message says that it was retained only if it does not come just now, in both versions of MQTT.
  if (mosq.subscribe(session.client, &filter->mid, filter->text, 1, 0, NULL) != MOSQ_ERR_SUCCESS) {
    frames_send("subscribed", 2, (field[]){text_field(filter->text), text_field("the subscription could not be sent")});
  }
}

void requests_subscribe_again(void) {
  for (int index = 0; index < session.filter_count; index++) subscribe_to(&session.filters[index]);
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
