#ifndef NOTICE_AGENT_NOTIFICATION_H
#define NOTICE_AGENT_NOTIFICATION_H

#include <stdbool.h>

#include "record.h"
#include "sdbus.h"

#define NOTIFICATIONS "org.freedesktop.Notifications"
#define NOTIFICATIONS_PATH "/org/freedesktop/Notifications"
#define BUS "org.freedesktop.DBus"
#define BUS_PATH "/org/freedesktop/DBus"

/// A call of Notify, as in the Desktop Notifications Specification.
typedef struct notification {
  /// The name of the application, its identifier (desktop-entry), title and body, the time in milliseconds, the
  /// number of hints, name and value of each, and key and label of each action.
  record fields;
  uint32_t replaces;
  /// A hash of the name of the application.
  uint64_t application;
  /// Whether it is only to be shown now.
  bool is_transient;
  /// Whether `today` has sent it, which has it already.
  bool is_own;
} notification;

/// Reads the arguments of Notify; returns false if they are none. Nothing is kept of images.
bool notification_read(notification *notification, sd_bus_message *call);

#endif
