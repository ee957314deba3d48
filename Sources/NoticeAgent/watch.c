// Listens to the notifications that applications send to the daemon of the session. Nothing is ever sent to either of
// them: the connection is a monitor (D-Bus specification, org.freedesktop.DBus.Monitoring.BecomeMonitor).
#include <errno.h>
#include <string.h>

#include "agent.h"

enum { PENDING_LIMIT = 32 };

/// The calls of Notify that were not answered; the number of a notification is in the answer.
static struct pending {
  char sender[256];
  uint64_t cookie;
  record fields;
} pending[PENDING_LIMIT];
static unsigned next_pending;

static void forget(struct pending *call) {
  record_free(&call->fields);
  call->sender[0] = 0;
}

void watch_forget(void) {
  for (unsigned index = 0; index < PENDING_LIMIT; index++) forget(&pending[index]);
}

void watch_start(agent *agent, bool notifications) {
  if (agent->monitor != NULL && agent->watches == notifications) return;
  if (agent->monitor != NULL) agent->monitor = sd.close_unref(agent->monitor);
  watch_forget();
  agent->watches = notifications;
  agent->monitor = connect_bus(true);
#define TO_DAEMON "type='method_call',destination='" NOTIFICATIONS "',interface='" NOTIFICATIONS "'"
#define FROM_DAEMON "sender='" NOTIFICATIONS "'"
  sd_error error = {0};
  int result;
  if (notifications) {
    result = sd.call_method(agent->monitor, BUS, BUS_PATH, BUS ".Monitoring", "BecomeMonitor",
                            &error, NULL, "asu", 4, TO_DAEMON ",member='Notify'",
                            "type='method_return'," FROM_DAEMON, "type='error'," FROM_DAEMON,
                            "type='signal',interface='" NOTIFICATIONS "'," FROM_DAEMON, 0);
  } else {
    result = sd.call_method(agent->monitor, BUS, BUS_PATH, BUS ".Monitoring", "BecomeMonitor",
                            &error, NULL, "asu", 1,
                            "type='method_call',destination='" BUS
                            "',member='RequestName',arg0='" NOTIFICATIONS "'",
                            0);
  }
  sd.error_free(&error);
  if (result < 0) fail("the bus lets nobody listen", result);
}

/// Sends what a daemon has taken, with the number that it gave it.
static void send_posted(const agent *agent, uint32_t id, const record *fields) {
  record posted = {0};
  record_add(&posted, "posted", 16);
  record_add(&posted, agent->scope, sizeof agent->scope);
  record_add_number(&posted, id);
  record_append(&posted, fields);
  record_send_posted(&posted);
}

static void take_call(agent *agent, sd_bus_message *message) {
  notification notification;
  const char *sender = sd.sender(message);
  uint64_t cookie = 0;
  if (sender == NULL || sd.cookie(message, &cookie) < 0) return;
  bool is_read = notification_read(&notification, message);
  if (!is_read || notification.is_own || notification.is_transient) {
    record_free(&notification.fields);
  } else if (sd.expects_reply(message) == 0) {
    send_posted(agent, 0, &notification.fields);
    record_free(&notification.fields);
  } else {
    struct pending *call = &pending[next_pending++ % PENDING_LIMIT];
    forget(call);
    (void)strncpy(call->sender, sender, sizeof call->sender - 1);
    call->cookie = cookie;
    call->fields = notification.fields;
  }
}

static void take_reply(agent *agent, sd_bus_message *message, bool is_error) {
  const char *receiver = sd.destination(message);
  uint64_t cookie = 0;
  if (receiver == NULL || sd.reply_cookie(message, &cookie) < 0) return;
  for (unsigned index = 0; index < PENDING_LIMIT; index++) {
    struct pending *call = &pending[index];
    if (call->cookie != cookie || strcmp(call->sender, receiver) != 0) continue;
    uint32_t id = 0;
    // What the daemon has refused was not shown to anybody.
    if (!is_error && sd.read(message, "u", &id) > 0) send_posted(agent, id, &call->fields);
    forget(call);
    return;
  }
}

static void take_signal(const agent *agent, sd_bus_message *message) {
  const char *member = sd.member(message);
  record record = {0};
  uint32_t id = 0, reason = 0;
  const char *key;
  if (member == NULL) return;
  if (strcmp(member, "NotificationClosed") == 0) {
    if (sd.read(message, "uu", &id, &reason) <= 0) return;
    record_add(&record, "closed", 16);
    record_add(&record, agent->scope, sizeof agent->scope);
    record_add_number(&record, id);
    record_add_number(&record, reason);
  } else if (strcmp(member, "ActionInvoked") == 0) {
    if (sd.read(message, "us", &id, &key) <= 0) return;
    record_add(&record, "acted", 16);
    record_add(&record, agent->scope, sizeof agent->scope);
    record_add_number(&record, id);
    record_add(&record, key, 256);
  } else {
    return;
  }
  record_send(&record);
}

bool watch_take(agent *agent, sd_bus_message *message) {
  uint8_t type = 0;
  if (sd.type(message, &type) < 0) return false;
  if (!agent->watches) {
    const char *sender = sd.sender(message);
    return type == MESSAGE_CALL && sender != NULL && strcmp(sender, agent->name) != 0;
  }
  switch (type) {
  case MESSAGE_CALL: take_call(agent, message); break;
  case MESSAGE_RETURN: take_reply(agent, message, false); break;
  case MESSAGE_ERROR: take_reply(agent, message, true); break;
  case MESSAGE_SIGNAL: take_signal(agent, message); break;
  default: break;
  }
  return false;
}
