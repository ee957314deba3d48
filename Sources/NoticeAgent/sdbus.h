#ifndef NOTICE_AGENT_SDBUS_H
#define NOTICE_AGENT_SDBUS_H

#include <stddef.h>
#include <stdint.h>

// What is used of sd-bus, declared here because libsystemd is not needed to build the program. The layouts are
// part of its stable binary interface.

typedef struct sd_bus sd_bus;
typedef struct sd_bus_message sd_bus_message;

/// sd_bus_error
typedef struct sd_error {
  const char *name;
  const char *message;
  int needs_free;
} sd_error;

/// sd_id128_t
typedef union sd_id {
  uint8_t bytes[16];
  uint64_t words[2];
} sd_id;

enum {
  /// SD_BUS_MESSAGE_METHOD_CALL and so on
  MESSAGE_CALL = 1,
  MESSAGE_RETURN = 2,
  MESSAGE_ERROR = 3,
  MESSAGE_SIGNAL = 4,
};

/// SD_BUS_NAME_ALLOW_REPLACEMENT
static const uint64_t NAME_ALLOW_REPLACEMENT = 1 << 1;

/// The functions of the library, under their names without `sd_bus_`.
typedef struct sd_library {
  int (*new_bus)(sd_bus **bus);
  int (*set_address)(sd_bus *bus, const char *address);
  int (*set_bus_client)(sd_bus *bus, int yes);
  int (*set_monitor)(sd_bus *bus, int yes);
  int (*set_call_timeout)(sd_bus *bus, uint64_t microseconds);
  int (*start)(sd_bus *bus);
  sd_bus *(*close_unref)(sd_bus *bus);
  int (*flush)(sd_bus *bus);
  int (*get_fd)(sd_bus *bus);
  int (*get_events)(sd_bus *bus);
  int (*get_timeout)(sd_bus *bus, uint64_t *microseconds);
  int (*process)(sd_bus *bus, sd_bus_message **message);
  int (*unique_name)(sd_bus *bus, const char **name);
  int (*bus_id)(sd_bus *bus, sd_id *id);
  int (*call_method)(sd_bus *bus, const char *destination, const char *path, const char *interface,
                     const char *member, sd_error *error, sd_bus_message **reply,
                     const char *types, ...);
  void (*error_free)(sd_error *error);
  int (*request_name)(sd_bus *bus, const char *name, uint64_t flags);
  int (*release_name)(sd_bus *bus, const char *name);
  int (*emit_signal)(sd_bus *bus, const char *path, const char *interface, const char *member,
                     const char *types, ...);
  int (*reply_return)(sd_bus_message *call, const char *types, ...);
  int (*reply_error)(sd_bus_message *call, const char *name, const char *format, ...);
  sd_bus_message *(*unref)(sd_bus_message *message);
  int (*type)(sd_bus_message *message, uint8_t *type);
  int (*cookie)(sd_bus_message *message, uint64_t *cookie);
  int (*reply_cookie)(sd_bus_message *message, uint64_t *cookie);
  int (*expects_reply)(sd_bus_message *message);
  const char *(*sender)(sd_bus_message *message);
  const char *(*destination)(sd_bus_message *message);
  const char *(*interface)(sd_bus_message *message);
  const char *(*member)(sd_bus_message *message);
  int (*read)(sd_bus_message *message, const char *types, ...);
  int (*peek)(sd_bus_message *message, char *type, const char **contents);
  int (*enter)(sd_bus_message *message, char type, const char *contents);
  int (*leave)(sd_bus_message *message);
  int (*skip)(sd_bus_message *message, const char *types);
  int (*read_array)(sd_bus_message *message, char type, const void **items, size_t *bytes);
} sd_library;

extern sd_library sd;

/// Loads the library; returns NULL or why that is not possible.
const char *sd_load(void);

#endif
