// The daemon of notifications where there is no other one: what applications send is reported, and what becomes of it
// is told to them (Desktop Notifications Specification 1.2).
#include <string.h>
#include <sys/random.h>

#include "agent.h"

enum { KNOWN_LIMIT = 1024, REASON_EXPIRED = 1, REASON_CLOSED = 3 };

/// The last notifications, so that no application takes the place of a notification of another one.
static struct known {
  uint32_t id;
  uint64_t application;
} known[KNOWN_LIMIT];
static unsigned next_known;
static uint32_t last_id;

static const char introspection[] =
    "<!DOCTYPE node PUBLIC \"-//freedesktop//DTD D-BUS Object Introspection 1.0//EN\""
    " \"http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd\">\n"
    "<node><interface name=\"" NOTIFICATIONS "\">"
    "<method name=\"GetCapabilities\"><arg type=\"as\" direction=\"out\"/></method>"
    "<method name=\"Notify\"><arg type=\"s\" name=\"app_name\" direction=\"in\"/>"
    "<arg type=\"u\" name=\"replaces_id\" direction=\"in\"/>"
    "<arg type=\"s\" name=\"app_icon\" direction=\"in\"/>"
    "<arg type=\"s\" name=\"summary\" direction=\"in\"/>"
    "<arg type=\"s\" name=\"body\" direction=\"in\"/>"
    "<arg type=\"as\" name=\"actions\" direction=\"in\"/>"
    "<arg type=\"a{sv}\" name=\"hints\" direction=\"in\"/>"
    "<arg type=\"i\" name=\"expire_timeout\" direction=\"in\"/>"
    "<arg type=\"u\" direction=\"out\"/></method>"
    "<method name=\"CloseNotification\"><arg type=\"u\" name=\"id\" direction=\"in\"/></method>"
    "<method name=\"GetServerInformation\"><arg type=\"s\" direction=\"out\"/>"
    "<arg type=\"s\" direction=\"out\"/><arg type=\"s\" direction=\"out\"/>"
    "<arg type=\"s\" direction=\"out\"/></method>"
    "<signal name=\"NotificationClosed\"><arg type=\"u\"/><arg type=\"u\"/></signal>"
    "<signal name=\"ActionInvoked\"><arg type=\"u\"/><arg type=\"s\"/></signal>"
    "</interface></node>";

/// A number that no notification has, also none of an earlier process: the first one is random.
///
/// notify-send and others keep it in 32 bits with a sign.
static uint32_t new_id(void) {
  if (last_id == 0) (void)getrandom(&last_id, sizeof last_id, 0);
  last_id = (last_id & INT32_MAX) == INT32_MAX ? 1 : (last_id & INT32_MAX) + 1;
  return last_id;
}

static struct known *find(uint32_t id) {
  for (unsigned index = 0; index < KNOWN_LIMIT; index++) {
    if (known[index].id == id) return &known[index];
  }
  return NULL;
}

/// The number of a notification: that of the one whose place it takes, unless that is of another application.
static uint32_t id_of(const notification *notification) {
  if (notification->replaces != 0) {
    struct known *replaced = find(notification->replaces);
    if (replaced == NULL || replaced->application == notification->application) {
      if (replaced != NULL) return notification->replaces;
      // One of an earlier process.
      known[next_known++ % KNOWN_LIMIT] =
          (struct known){notification->replaces, notification->application};
      return notification->replaces;
    }
  }
  uint32_t id = new_id();
  known[next_known++ % KNOWN_LIMIT] = (struct known){id, notification->application};
  return id;
}

void daemon_tell_closed(agent *agent, uint32_t id, uint32_t reason) {
  (void)sd.emit_signal(agent->bus, NOTIFICATIONS_PATH, NOTIFICATIONS, "NotificationClosed", "uu", id,
                       reason);
}

void daemon_tell_acted(agent *agent, uint32_t id, const char *key) {
  (void)sd.emit_signal(agent->bus, NOTIFICATIONS_PATH, NOTIFICATIONS, "ActionInvoked", "us", id,
                       key);
}

static void notify(agent *agent, sd_bus_message *call) {
  notification notification;
  if (!notification_read(&notification, call)) {
    (void)sd.reply_error(call, BUS ".Error.InvalidArgs", "expected the arguments susssasa{sv}i");
    return;
  }
  // Its record begins with a few more fields.
  size_t size = notification.fields.count + sizeof agent->scope + 64;
  if (!notification.is_own && !notification.is_transient && !record_has_room(size)) {
    // The name that other daemons have for it.
    (void)sd.reply_error(call, NOTIFICATIONS ".Error.ExcessNotificationGeneration",
                         "too many notifications wait to be stored");
    record_omit();
    record_free(&notification.fields);
    return;
  }
  uint32_t id = id_of(&notification);
  (void)sd.reply_return(call, "u", id);
  if (notification.is_own || notification.is_transient) {
    // It is kept nowhere, and nothing will become of it.
    daemon_tell_closed(agent, id, REASON_EXPIRED);
  } else {
    record posted = {0};
    record_add(&posted, "posted", 16);
    record_add(&posted, agent->scope, sizeof agent->scope);
    record_add_number(&posted, id);
    record_append(&posted, &notification.fields);
    record_send_posted(&posted);
  }
  record_free(&notification.fields);
}

static void close_notification(agent *agent, sd_bus_message *call) {
  uint32_t id = 0;
  if (sd.read(call, "u", &id) <= 0) {
    (void)sd.reply_error(call, BUS ".Error.InvalidArgs", "expected the arguments u");
    return;
  }
  (void)sd.reply_return(call, "");
  daemon_tell_closed(agent, id, REASON_CLOSED);
  record closed = {0};
  record_add(&closed, "closed", 16);
  record_add(&closed, agent->scope, sizeof agent->scope);
  record_add_number(&closed, id);
  record_add_number(&closed, REASON_CLOSED);
  record_send(&closed);
}

void daemon_take(agent *agent, sd_bus_message *call) {
  const char *interface = sd.interface(call), *member = sd.member(call);
  if (member == NULL) return;
  if (interface != NULL && strcmp(interface, BUS ".Introspectable") == 0) {
    (void)sd.reply_return(call, "s", introspection);
  } else if (interface != NULL && strcmp(interface, NOTIFICATIONS) != 0) {
    (void)sd.reply_error(call, BUS ".Error.UnknownInterface", "no such interface");
  } else if (strcmp(member, "Notify") == 0) {
    notify(agent, call);
  } else if (strcmp(member, "CloseNotification") == 0) {
    close_notification(agent, call);
  } else if (strcmp(member, "GetCapabilities") == 0) {
    (void)sd.reply_return(call, "as", 3, "actions", "body", "persistence");
  } else if (strcmp(member, "GetServerInformation") == 0) {
    (void)sd.reply_return(call, "ssss", "today", "today", agent->version, "1.2");
  } else {
    (void)sd.reply_error(call, BUS ".Error.UnknownMethod", "no such method");
  }
}
