#include "curl.h"

#include <CAgent.h>
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

curl_library curl;

const char *curl_load(void) {
  void *file = dlopen("libcurl.so.4", RTLD_NOW);
  if (file == NULL) file = dlopen("libcurl-gnutls.so.4", RTLD_NOW);
  if (file == NULL) return "libcurl is not installed (on Debian and Ubuntu, the package libcurl4)";
  const agent_symbol symbols[] = {
      {"curl_global_init", (void **)&curl.global_init},
      {"curl_easy_init", (void **)&curl.init},
      {"curl_easy_setopt", (void **)&curl.set},
      {"curl_easy_perform", (void **)&curl.perform},
      {"curl_easy_getinfo", (void **)&curl.info},
      {"curl_easy_strerror", (void **)&curl.words},
      {"curl_easy_cleanup", (void **)&curl.cleanup},
      {"curl_slist_append", (void **)&curl.append},
      {"curl_slist_free_all", (void **)&curl.release},
      {"curl_url", (void **)&curl.url},
      {"curl_url_cleanup", (void **)&curl.url_cleanup},
      {"curl_url_set", (void **)&curl.url_set},
      {"curl_url_get", (void **)&curl.url_get},
      {"curl_free", (void **)&curl.free},
  };
  if (!agent_find_symbols(file, symbols, sizeof symbols / sizeof symbols[0])) {
    return "the installed libcurl is too old";
  }
  // CURL_GLOBAL_ALL
  return curl.global_init(3) == CURL_OK ? NULL : "libcurl cannot be used";
}

static bool url_part(const char *text, int part, unsigned flags, char *value, size_t size) {
  void *url = curl.url();
  char *found = NULL;
  bool is_there = url != NULL && curl.url_set(url, URL_PART_WHOLE, text, 0) == 0 &&
                  curl.url_get(url, part, &found, flags) == 0 && found != NULL &&
                  strlen(found) < size;
  if (is_there) strcpy(value, found);
  if (found != NULL) curl.free(found);
  if (url != NULL) curl.url_cleanup(url);
  return is_there;
}

bool curl_is_same_origin(const char *left, const char *right) {
  const int parts[] = {URL_PART_SCHEME, URL_PART_HOST, URL_PART_PORT};
  for (size_t index = 0; index < 3; index++) {
    char a[1024], b[1024];
    if (!url_part(left, parts[index], URL_DEFAULT_PORT, a, sizeof a) ||
        !url_part(right, parts[index], URL_DEFAULT_PORT, b, sizeof b) || strcasecmp(a, b) != 0) {
      return false;
    }
  }
  return true;
}

bool curl_has_scheme(const char *url, const char *name) {
  char scheme[32];
  return url_part(url, URL_PART_SCHEME, 0, scheme, sizeof scheme) && strcasecmp(scheme, name) == 0;
}
