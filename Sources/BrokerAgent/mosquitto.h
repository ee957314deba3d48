#ifndef BROKER_AGENT_MOSQUITTO_H
#define BROKER_AGENT_MOSQUITTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The part of the interface of libmosquitto 2 that is used here, which is loaded if it is installed. The numbers are
// those of its header, and of MQTT 5.

typedef struct mosquitto mosquitto;
typedef struct mqtt5__property property;

typedef struct mosquitto_message {
  int mid;
  char *topic;
  void *payload;
  int payloadlen;
  int qos;
  bool retain;
} message;

enum {
  MOSQ_ERR_CONN_PENDING = -1,
  MOSQ_ERR_SUCCESS = 0,
  MOSQ_ERR_NOMEM = 1,
  MOSQ_ERR_PROTOCOL = 2,
  MOSQ_ERR_NO_CONN = 4,
  MOSQ_ERR_CONN_LOST = 7,
  MOSQ_ERR_TLS = 8,
  MOSQ_ERR_ERRNO = 14,
  MOSQ_ERR_EAI = 15,
  MOSQ_ERR_KEEPALIVE = 19,
};

enum { MOSQ_LOG_WARNING = 4, MOSQ_LOG_ERR = 8 };

enum { OPTION_PROTOCOL_VERSION = 1, OPTION_USE_OS_CERTS = 13 };
enum { PROTOCOL_3_1_1 = 4, PROTOCOL_5 = 5 };

/// Properties of packets (MQTT 5, section 2.2.2.2).
enum {
  PROPERTY_MESSAGE_EXPIRY = 2,
  PROPERTY_CONTENT_TYPE = 3,
  PROPERTY_MAXIMUM_PACKET_SIZE = 39,
};

/// Reason codes (MQTT 5, section 2.4); below 128 is success.
enum {
  REASON_FAILURE = 128,
  REASON_VERSION = 132,
  REASON_CLIENT = 133,
  REASON_PASSWORD = 134,
  REASON_NOT_AUTHORIZED = 135,
  REASON_UNAVAILABLE = 136,
  REASON_TAKEN_OVER = 142,
  REASON_NO_RETAIN = 154,
};

typedef struct mosquitto_library {
  int (*lib_init)(void);
  mosquitto *(*new_client)(const char *id, bool clean, void *object);
  void (*destroy)(mosquitto *);
  int (*int_option)(mosquitto *, int option, int value);
  int (*will_set)(mosquitto *, const char *topic, int count, const void *payload, int qos, bool retain, property *);
  int (*credentials_set)(mosquitto *, const char *user, const char *password);
  int (*tls_set)(mosquitto *, const char *ca, const char *ca_folder, const char *certificate, const char *key,
                 int (*password)(char *, int, int, void *));
  int (*connect)(mosquitto *, const char *host, int port, int keepalive, const char *bind, const property *);
  int (*disconnect)(mosquitto *, int reason, const property *);
  int (*publish)(mosquitto *, int *mid, const char *topic, int count, const void *payload, int qos, bool retain,
                 const property *);
  int (*subscribe)(mosquitto *, int *mid, const char *filter, int qos, int options, const property *);
  int (*unsubscribe)(mosquitto *, int *mid, const char *filter, const property *);
  int (*socket)(mosquitto *);
  bool (*wants_write)(mosquitto *);
  int (*loop_read)(mosquitto *, int packets);
  int (*loop_write)(mosquitto *, int packets);
  int (*loop_misc)(mosquitto *);
  void (*on_connect)(mosquitto *, void (*)(mosquitto *, void *, int reason, int flags, const property *));
  void (*on_disconnect)(mosquitto *, void (*)(mosquitto *, void *, int reason, const property *));
  void (*on_publish)(mosquitto *, void (*)(mosquitto *, void *, int mid, int reason, const property *));
  void (*on_subscribe)(mosquitto *, void (*)(mosquitto *, void *, int mid, int count, const int *granted,
                                            const property *));
  void (*on_message)(mosquitto *, void (*)(mosquitto *, void *, const message *, const property *));
  void (*on_log)(mosquitto *, void (*)(mosquitto *, void *, int level, const char *));
  const char *(*error_words)(int error);
  const char *(*reason_words)(int reason);
  int (*filter_check)(const char *filter, size_t count);
  int (*topic_check)(const char *topic, size_t count);
  int (*utf8_check)(const char *text, int count);
  int (*add_int32)(property **, int identifier, uint32_t value);
  int (*add_string)(property **, int identifier, const char *value);
  const property *(*read_int32)(const property *, int identifier, uint32_t *value, bool skips_first);
  const property *(*read_string)(const property *, int identifier, char **value, bool skips_first);
  void (*free_properties)(property **);
} mosquitto_library;

extern mosquitto_library mosq;

/// Loads the library; returns NULL or why it cannot be used.
const char *mosquitto_load(void);

#endif
