// Finds or changes one secret in the Secret Service of the user's session. It reads a request from standard
// input, up to its end: words that each end with a NUL (what is done, the access group, the name), and the
// secret if one is stored. It answers on standard output: a line of a word and an explanation, and what was
// found. Neither its arguments nor its environment have anything of them.
#include <CAgent.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libsecret.h"

enum { REQUEST_LIMIT = 64 * 1024, SECRETS_OF_A_GROUP = 200, LAST_SECOND = 60 };

/// How the secrets are found again; their names and groups are visible in programs for keyrings.
static const secret_schema schema = {
    .name = "org.today.Secret",
    .attributes = {{"group", 0}, {"name", 0}},
};

static void send_bytes(const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t part = write(STDOUT_FILENO, bytes, count);
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) _exit(1);
    bytes += part;
    count -= (size_t)part;
  }
}

/// Sends the line that is the answer, or its beginning.
static void answer(const char *word, const char *explanation) {
  char line[1024];
  int count = snprintf(line, sizeof line - 1, "%s%s%s", word, *explanation ? " " : "", explanation);
  if (count < 0) _exit(1);
  if ((size_t)count > sizeof line - 2) count = sizeof line - 2;
  for (int index = 0; index < count; index++) {
    if ((unsigned char)line[index] < ' ' || line[index] == 0x7F) line[index] = ' ';
  }
  line[count++] = '\n';
  send_bytes(line, (size_t)count);
}

static int fail(const secret_error *error) {
  if (error != NULL && error->domain == secret.error_domain() && error->code == ERROR_IS_LOCKED) {
    answer("locked", "");
    return 0;
  }
  answer("failed", error != NULL && error->message != NULL ? error->message : "no reason is given");
  return 0;
}

/// Reads standard input to its end; returns how many bytes it has, or -1.
static ssize_t read_request(char *bytes) {
  size_t count = 0;
  while (count <= REQUEST_LIMIT) {
    ssize_t part = read(STDIN_FILENO, bytes + count, REQUEST_LIMIT + 1 - count);
    if (part < 0 && errno == EINTR) continue;
    if (part < 0) return -1;
    if (part == 0) return (ssize_t)count;
    count += (size_t)part;
  }
  return -1;
}

static char *take_word(char **rest, const char *end) {
  char *word = *rest;
  char *stop = word == end ? NULL : memchr(word, 0, (size_t)(end - word));
  if (stop == NULL) return NULL;
  *rest = stop + 1;
  return word;
}

static void *attributes_of(char *group, char *name) {
  void *table = secret.table_new(secret.string_hash, secret.strings_are_equal);
  (void)secret.table_insert(table, "group", group);
  if (name != NULL) (void)secret.table_insert(table, "name", name);
  return table;
}

/// Sends the names of the secrets of a group, each with a NUL.
static int list(void *service, char *group) {
  secret_error *error = NULL;
  secret_list *items =
      secret.search(service, &schema, attributes_of(group, NULL), SEARCH_ALL, NULL, &error);
  if (error != NULL) return fail(error);
  answer("ok", "");
  for (; items != NULL; items = items->next) {
    const char *name = secret.table_lookup(secret.item_attributes(items->data), "name");
    if (name != NULL) send_bytes(name, strlen(name) + 1);
  }
  return 0;
}

/// Looks for a secret; a locked keyring is unlocked if `unlocks`, for which the service may ask the user.
static void *find(void *service, void *attributes, bool unlocks, secret_error **error) {
  int flags = SEARCH_LOAD_SECRETS | (unlocks ? SEARCH_UNLOCK : 0);
  secret_list *items = secret.search(service, &schema, attributes, flags, NULL, error);
  return items == NULL ? NULL : items->data;
}

static int show(void *service, void *attributes) {
  secret_error *error = NULL;
  void *item = find(service, attributes, true, &error);
  if (error != NULL) return fail(error);
  if (item == NULL) {
    answer("missing", "");
    return 0;
  }
  void *value = secret.item_secret(item);
  if (value == NULL) {
    answer("locked", "");
    return 0;
  }
  size_t count = 0;
  const char *bytes = secret.value_bytes(value, &count);
  answer("ok", "");
  send_bytes(bytes, count);
  return 0;
}

static bool has_room(void *service, char *group, secret_error **error) {
  secret_list *items =
      secret.search(service, &schema, attributes_of(group, NULL), SEARCH_ALL, NULL, error);
  int count = 0;
  for (; items != NULL; items = items->next) count++;
  return count < SECRETS_OF_A_GROUP;
}

/// Stores a secret: a new one, or in place of another one.
static int store(void *service, char *group, char *name, const char *bytes, size_t count,
                 bool is_new) {
  secret_error *error = NULL;
  void *attributes = attributes_of(group, name);
  void *item = find(service, attributes, false, &error);
  if (error != NULL) return fail(error);
  if (is_new ? item != NULL : item == NULL) {
    answer(is_new ? "exists" : "missing", "");
    return 0;
  }
  if (is_new && !has_room(service, group, &error)) {
    if (error != NULL) return fail(error);
    answer("full", "");
    return 0;
  }
  char label[1024];
  (void)snprintf(label, sizeof label, "today: %s of %s", name, group);
  void *value = secret.value_new(bytes, (ptrdiff_t)count, "text/plain");
  if (!secret.store(service, &schema, attributes, NULL, label, value, NULL, &error)) {
    return fail(error);
  }
  answer("ok", "");
  return 0;
}

static int clear(void *service, void *attributes) {
  secret_error *error = NULL;
  void *item = find(service, attributes, false, &error);
  if (error != NULL) return fail(error);
  bool is_done = item != NULL && secret.clear(service, &schema, attributes, NULL, &error);
  if (error != NULL) return fail(error);
  // Without an error it was there and stays: the user has not unlocked it.
  answer(is_done ? "ok" : item == NULL ? "missing" : "locked", "");
  return 0;
}

int main(void) {
  // No other process of the user, and no core, can have what is in memory.
  agent_become_private();
  // The host ends it earlier, unless it has been killed.
  (void)signal(SIGALRM, SIG_DFL);
  (void)alarm(LAST_SECOND);
  static char request[REQUEST_LIMIT + 2];
  ssize_t count = read_request(request);
  char *rest = request, *end = request + (count < 0 ? 0 : count);
  char *verb = take_word(&rest, end), *group = take_word(&rest, end);
  char *name = take_word(&rest, end);
  if (verb == NULL || group == NULL || name == NULL) {
    answer("failed", "the request is incomplete");
    return 2;
  }
  const char *fault = secret_load();
  if (fault != NULL) {
    answer("absent", fault);
    return 0;
  }
  secret_error *error = NULL;
  void *service = secret.service_get(SERVICE_OPEN_SESSION, NULL, &error);
  if (service == NULL) {
    answer("absent", error != NULL && error->message != NULL ? error->message : "");
    return 0;
  }
  if (strcmp(verb, "probe") == 0) {
    answer("ok", "");
    return 0;
  }
  if (strcmp(verb, "list") == 0) return list(service, group);
  if (strcmp(verb, "find") == 0) return show(service, attributes_of(group, name));
  if (strcmp(verb, "delete") == 0) return clear(service, attributes_of(group, name));
  bool is_new = strcmp(verb, "add") == 0;
  if (is_new || strcmp(verb, "update") == 0) {
    return store(service, group, name, rest, (size_t)(end - rest), is_new);
  }
  answer("failed", "the request is unknown");
  return 2;
}
