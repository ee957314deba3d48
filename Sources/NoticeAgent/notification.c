#include "notification.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  LINE_LIMIT = 4 * 1024,
  BODY_LIMIT = 256 * 1024,
  NAME_LIMIT = 1024,
  ACTION_LIMIT = 16,
  KEY_LIMIT = 256,
};

/// The hint by which `today` knows what it has sent itself.
static const char own_hint[] = "x-today-id";
/// The hints that are reported.
static const char *const hints[] = {"urgency", "value"};

/// FNV-1a
static uint64_t hash(const char *text) {
  uint64_t value = 0xcbf29ce484222325;
  for (; *text != 0; text++) value = (value ^ (unsigned char)*text) * 0x100000001b3;
  return value;
}

static int leave_if(int result, sd_bus_message *message) {
  return result < 0 ? result : sd.leave(message);
}

/// Skips the value of a hint: of an image, its bytes at once, as sd_bus_message_skip looks at each.
static int skip_value(sd_bus_message *message, const char *contents) {
  const void *bytes;
  size_t count;
  int result;
  if (strcmp(contents, "ay") == 0) {
    if ((result = sd.enter(message, 'v', contents)) < 0) return result;
    return leave_if(sd.read_array(message, 'y', &bytes, &count), message);
  }
  // Width, height, row stride, alpha, bits, channels and the pixels.
  if (strcmp(contents, "(iiibiiay)") == 0) {
    if ((result = sd.enter(message, 'v', contents)) < 0) return result;
    if ((result = sd.enter(message, 'r', "iiibiiay")) < 0) return result;
    if ((result = sd.skip(message, "iiibii")) < 0) return result;
    result = leave_if(sd.read_array(message, 'y', &bytes, &count), message);
    return leave_if(result, message);
  }
  return sd.skip(message, "v");
}

/// Reads a value of one of the simple types as text; returns 0 if it is of another type, and was skipped.
static int read_value(sd_bus_message *message, const char *contents, char *text, size_t space,
                      const char **string) {
  union {
    uint8_t byte;
    int16_t i16;
    uint16_t u16;
    int32_t i32;
    uint32_t u32;
    int64_t i64;
    uint64_t u64;
    int boolean;
    double real;
  } value = {0};
  int64_t number;
  int result;
  if (contents[0] == 0 || contents[1] != 0 || strchr("ynqiuxtbds", contents[0]) == NULL) {
    return skip_value(message, contents) < 0 ? -1 : 0;
  }
  if (strcmp(contents, "s") == 0) return sd.read(message, "v", "s", string);
  if ((result = sd.read(message, "v", contents, &value)) < 0) return result;
  switch (contents[0]) {
  case 'y': number = value.byte; break;
  case 'n': number = value.i16; break;
  case 'q': number = value.u16; break;
  case 'i': number = value.i32; break;
  case 'u': number = value.u32; break;
  case 'x': number = value.i64; break;
  case 't': number = value.u64 > INT64_MAX ? INT64_MAX : (int64_t)value.u64; break;
  case 'b': number = value.boolean; break;
  case 'd':
    (void)snprintf(text, space, "%.0f", value.real);
    *string = text;
    return 1;
  default: return 0;
  }
  (void)snprintf(text, space, "%" PRId64, number);
  *string = text;
  return 1;
}

static bool is_reported(const char *name) {
  for (size_t index = 0; index < sizeof hints / sizeof hints[0]; index++) {
    if (strcmp(name, hints[index]) == 0) return true;
  }
  return false;
}

/// Reads the hints; `record` gets the names and values of those that are reported.
static int read_hints(notification *notification, sd_bus_message *message, record *record,
                      char *identifier, size_t space) {
  int result = sd.enter(message, 'a', "{sv}");
  while (result >= 0 && (result = sd.enter(message, 'e', "sv")) > 0) {
    const char *name, *contents, *value = NULL;
    char type, text[64];
    if ((result = sd.read(message, "s", &name)) < 0) return result;
    if ((result = sd.peek(message, &type, &contents)) < 0) return result;
    if (contents == NULL) return -1;
    if ((result = read_value(message, contents, text, sizeof text, &value)) < 0) return result;
    if (value != NULL) {
      if (strcmp(name, own_hint) == 0) notification->is_own = true;
      if (strcmp(name, "transient") == 0) notification->is_transient = strcmp(value, "0") != 0;
      if (strcmp(name, "desktop-entry") == 0) (void)snprintf(identifier, space, "%s", value);
      if (is_reported(name) && record->fields < 2 * sizeof hints / sizeof hints[0]) {
        record_add(record, name, NAME_LIMIT);
        record_add(record, value, NAME_LIMIT);
      }
    }
    result = sd.leave(message);
  }
  return result < 0 ? result : sd.leave(message);
}

/// Reads keys and labels in turn.
static int read_actions(sd_bus_message *message, record *record) {
  const char *key, *label;
  int result = sd.enter(message, 'a', "s");
  while (result >= 0 && (result = sd.read(message, "s", &key)) > 0) {
    if ((result = sd.read(message, "s", &label)) <= 0) break;
    // A key that is cut would be another one.
    if (record->fields < 2 * ACTION_LIMIT && strlen(key) <= KEY_LIMIT) {
      record_add(record, key, KEY_LIMIT);
      record_add(record, label, NAME_LIMIT);
    }
  }
  return result < 0 ? result : sd.leave(message);
}

bool notification_read(notification *notification, sd_bus_message *message) {
  const char *application, *icon, *title, *body;
  int32_t time = -1;
  char identifier[256] = "";
  record actions = {0}, found = {0};
  *notification = (struct notification){0};
  int result = sd.read(message, "susss", &application, &notification->replaces, &icon, &title, &body);
  if (result > 0) result = read_actions(message, &actions);
  if (result >= 0) {
    result = read_hints(notification, message, &found, identifier, sizeof identifier);
  }
  if (result >= 0) result = sd.read(message, "i", &time);
  if (result > 0) {
    record *fields = &notification->fields;
    notification->application = hash(application);
    record_add(fields, application, NAME_LIMIT);
    record_add(fields, identifier, sizeof identifier);
    record_add(fields, title, LINE_LIMIT);
    record_add(fields, body, BODY_LIMIT);
    record_add_number(fields, time);
    record_add_number(fields, found.fields / 2);
    record_append(fields, &found);
    record_append(fields, &actions);
  }
  record_free(&found);
  record_free(&actions);
  return result > 0;
}
