#ifndef SECRET_AGENT_LIBSECRET_H
#define SECRET_AGENT_LIBSECRET_H

#include <stddef.h>

// What is used of libsecret and GLib, declared here because neither is needed to build the program. The
// layouts are part of their stable binary interfaces.

/// GError
typedef struct secret_error {
  unsigned domain;
  int code;
  char *message;
} secret_error;

/// GList
typedef struct secret_list {
  void *data;
  struct secret_list *next, *previous;
} secret_list;

/// SecretSchema
typedef struct secret_schema {
  const char *name;
  int flags;
  struct {
    const char *name;
    int type;
  } attributes[32];
  int reserved;
  void *reserved_pointers[7];
} secret_schema;

enum {
  /// SECRET_SERVICE_OPEN_SESSION
  SERVICE_OPEN_SESSION = 1 << 1,
  /// SECRET_SEARCH_ALL, SECRET_SEARCH_UNLOCK, SECRET_SEARCH_LOAD_SECRETS
  SEARCH_ALL = 1 << 1,
  SEARCH_UNLOCK = 1 << 2,
  SEARCH_LOAD_SECRETS = 1 << 3,
  /// SECRET_ERROR_IS_LOCKED
  ERROR_IS_LOCKED = 2,
};

/// The functions of the library, under their names without `secret_`.
typedef struct secret_library {
  void *(*service_get)(int flags, void *cancellable, secret_error **error);
  secret_list *(*search)(void *service, const secret_schema *schema, void *attributes, int flags,
                         void *cancellable, secret_error **error);
  int (*store)(void *service, const secret_schema *schema, void *attributes, const char *collection,
               const char *label, void *value, void *cancellable, secret_error **error);
  int (*clear)(void *service, const secret_schema *schema, void *attributes, void *cancellable,
               secret_error **error);
  unsigned (*error_domain)(void);
  void *(*item_secret)(void *item);
  void *(*item_attributes)(void *item);
  void *(*value_new)(const char *bytes, ptrdiff_t count, const char *type);
  const char *(*value_bytes)(void *value, size_t *count);
  void *(*table_new)(unsigned (*hash)(const void *), int (*is_equal)(const void *, const void *));
  int (*table_insert)(void *table, void *key, void *value);
  void *(*table_lookup)(void *table, const void *key);
  unsigned (*string_hash)(const void *string);
  int (*strings_are_equal)(const void *left, const void *right);
} secret_library;

extern secret_library secret;

/// Loads the library; returns NULL or why that is not possible.
const char *secret_load(void);

#endif
