// One attempt with libcurl, which is loaded here and not linked, so that the program needs it only for
// transfers.
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent.h"

// The values of curl.h and urlapi.h, which are stable (libcurl 7.80 or later).
enum {
  OPT_WRITEDATA = 10001, OPT_URL = 10002, OPT_USERPWD = 10005, OPT_READDATA = 10009,
  OPT_ERRORBUFFER = 10010, OPT_USERAGENT = 10018, OPT_HTTPHEADER = 10023, OPT_HEADERDATA = 10029,
  OPT_CUSTOMREQUEST = 10036, OPT_XFERINFODATA = 10057, OPT_SEEKDATA = 10168, OPT_BEARER = 10220,
  OPT_WRITEFUNCTION = 20011, OPT_READFUNCTION = 20012, OPT_HEADERFUNCTION = 20079,
  OPT_SEEKFUNCTION = 20167, OPT_XFERINFOFUNCTION = 20219, OPT_INFILESIZE_LARGE = 30115,
  OPT_LOW_SPEED_LIMIT = 19, OPT_LOW_SPEED_TIME = 20, OPT_NOPROGRESS = 43, OPT_UPLOAD = 46,
  OPT_NETRC = 51, OPT_FOLLOWLOCATION = 52, OPT_CONNECTTIMEOUT = 78, OPT_NOSIGNAL = 99,
  OPT_HTTPAUTH = 107, OPT_PROTOCOLS = 181, OPT_DISALLOW_USERNAME = 278,
};
enum { INFO_RESPONSE_CODE = 0x200002, INFO_REDIRECT_URL = 0x10001F, INFO_CONNECT_CODE = 0x200016 };
enum {
  CURL_OK = 0, CURL_BAD_URL = 3, CURL_NO_PROTOCOL = 1, CURL_NO_HOST = 6, CURL_WRITE = 23,
  CURL_ABORTED = 42, CURL_LOGIN = 67, CURL_NO_PROXY = 5, CURL_SSL_CONNECT = 35, CURL_SSL_CERT = 58,
  CURL_SSL_CIPHER = 59, CURL_SSL_PEER = 60, CURL_SSL_CA = 77, CURL_SSL_ISSUER = 83,
  CURL_SSL_PINNED = 90, CURL_SSL_STATUS = 91,
};
enum { PROTOCOL_HTTP = 1, PROTOCOL_HTTPS = 2, AUTH_BASIC = 1, AUTH_BEARER = 1 << 6 };
enum { URL_PART_WHOLE = 0, URL_PART_SCHEME = 1, URL_PART_HOST = 5, URL_PART_PORT = 6 };
enum { URL_DEFAULT_PORT = 1 };

typedef struct library {
  int (*global_init)(long);
  void *(*init)(void);
  int (*set)(void *, int, ...);
  int (*perform)(void *);
  int (*info)(void *, int, ...);
  const char *(*words)(int);
  void (*cleanup)(void *);
  void *(*append)(void *, const char *);
  void (*release)(void *);
  void *(*url)(void);
  void (*url_cleanup)(void *);
  int (*url_set)(void *, int, const char *, unsigned);
  int (*url_get)(const void *, int, char **, unsigned);
  void (*free)(void *);
} library;

static library curl;

const char *agent_load(void) {
  void *file = dlopen("libcurl.so.4", RTLD_NOW);
  if (file == NULL) file = dlopen("libcurl-gnutls.so.4", RTLD_NOW);
  if (file == NULL) return "libcurl is not installed (on Debian and Ubuntu, the package libcurl4)";
  const struct {
    const char *name;
    void **place;
  } symbols[] = {
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
  for (size_t index = 0; index < sizeof symbols / sizeof symbols[0]; index++) {
    *symbols[index].place = dlsym(file, symbols[index].name);
    if (*symbols[index].place == NULL) return "the installed libcurl is too old";
  }
  // CURL_GLOBAL_ALL
  return curl.global_init(3) == CURL_OK ? NULL : "libcurl cannot be used";
}

/// One request and its response.
typedef struct exchange {
  agent_request *request;
  agent_result *result;
  /// Where the next byte of the response belongs, and of the file that is sent.
  int64_t offset, body_offset;
  int64_t body_size;
  /// What the response says.
  long status;
  int64_t length, range_start, range_total, retry_after;
  char entity_tag[1024], modified[128];
  bool takes_ranges;
  /// Whether the first byte of the content was taken.
  bool has_begun;
  struct timespec last_report;
} exchange;

// MARK: - Origins

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

/// Whether two URLs have the same scheme, host and port.
static bool is_same_origin(const char *left, const char *right) {
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

static bool has_scheme(const char *url, const char *name) {
  char scheme[32];
  return url_part(url, URL_PART_SCHEME, 0, scheme, sizeof scheme) && strcasecmp(scheme, name) == 0;
}

// MARK: - Results

static void finish(agent_result *result, agent_outcome outcome, const char *kind,
                   const char *message) {
  result->outcome = outcome;
  result->kind = kind;
  (void)snprintf(result->message, sizeof result->message, "%s", message);
}

/// Ends the exchange from within a callback; the count is one that libcurl takes for an error.
static size_t refuse(exchange *exchange, agent_outcome outcome, const char *kind,
                     const char *message) {
  exchange->result->kind = kind;
  finish(exchange->result, outcome, kind, message);
  return 0;
}

// MARK: - Callbacks

static bool take_field(const char *line, const char *name, char *value, size_t size) {
  size_t count = strlen(name);
  if (strncasecmp(line, name, count) != 0 || line[count] != ':') return false;
  const char *start = line + count + 1;
  while (*start == ' ' || *start == '\t') start++;
  size_t length = strcspn(start, "\r\n");
  while (length > 0 && (start[length - 1] == ' ' || start[length - 1] == '\t')) length--;
  if (length >= size) return false;
  memcpy(value, start, length);
  value[length] = 0;
  return true;
}

static int64_t number(const char *text) {
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  return errno == 0 && end != text && value >= 0 ? value : -1;
}

/// The seconds of a Retry-After, which may also be a date (RFC 9110, 10.2.3).
static int64_t retry_after(const char *text) {
  if (*text >= '0' && *text <= '9') return number(text);
  struct tm date = {0};
  if (strptime(text, "%a, %d %b %Y %H:%M:%S GMT", &date) == NULL) return -1;
  time_t moment = timegm(&date), now = time(NULL);
  return moment > now ? moment - now : 0;
}

static void take_range(exchange *exchange, const char *text) {
  long long first = -1, last = -1, total = -1;
  if (sscanf(text, "bytes %lld-%lld/%lld", &first, &last, &total) >= 2 && first >= 0) {
    exchange->range_start = first;
    exchange->range_total = total;
  }
}

static size_t take_header(char *bytes, size_t unit, size_t count, void *context) {
  exchange *exchange = context;
  char line[4096], value[1024];
  count *= unit;
  if (count >= sizeof line) return count;
  memcpy(line, bytes, count);
  line[count] = 0;
  if (strncmp(line, "HTTP/", 5) == 0) {
    // The headers of an interim response, or of a proxy, are not those of the content.
    exchange->length = exchange->range_start = exchange->range_total = -1;
    exchange->retry_after = -1;
    exchange->entity_tag[0] = exchange->modified[0] = 0;
    exchange->takes_ranges = true;
    const char *blank = strchr(line, ' ');
    exchange->status = blank != NULL ? strtol(blank, NULL, 10) : 0;
  } else if (take_field(line, "Content-Length", value, sizeof value)) {
    exchange->length = number(value);
  } else if (take_field(line, "Content-Range", value, sizeof value)) {
    take_range(exchange, value);
  } else if (take_field(line, "Retry-After", value, sizeof value)) {
    exchange->retry_after = retry_after(value);
  } else if (take_field(line, "Accept-Ranges", value, sizeof value)) {
    exchange->takes_ranges = strcasecmp(value, "none") != 0;
  } else if (take_field(line, "Last-Modified", value, sizeof value)) {
    (void)snprintf(exchange->modified, sizeof exchange->modified, "%.100s", value);
  } else if (take_field(line, "ETag", value, sizeof value)) {
    // Only a strong one says that two contents have the same bytes (RFC 9110, 8.8.1).
    if (value[0] == '"') strcpy(exchange->entity_tag, value);
  }
  return count;
}

/// Looks at the response before the first byte of the content is stored.
static bool begin(exchange *exchange) {
  agent_request *request = exchange->request;
  exchange->has_begun = true;
  if (exchange->status == 206) {
    if (exchange->range_start != exchange->offset) {
      free(request->validator);
      request->validator = NULL;
      (void)refuse(exchange, OUTCOME_AGAIN, "network", "the server sent another part");
      return false;
    }
  } else {
    if (ftruncate(OUTPUT_FILE, 0) < 0) {
      (void)refuse(exchange, OUTCOME_FAILED, "storage", strerror(errno));
      return false;
    }
    exchange->offset = 0;
    free(request->validator);
    const char *validator = exchange->entity_tag[0] ? exchange->entity_tag : exchange->modified;
    bool can_resume = validator[0] != 0 && exchange->takes_ranges && !request->has_body;
    request->validator = can_resume ? strdup(validator) : NULL;
    agent_report("validator %s", request->validator != NULL ? request->validator : "");
  }
  int64_t whole = exchange->length < 0 ? -1 : exchange->offset + exchange->length;
  if (exchange->length > request->byte_limit || whole > request->byte_limit) {
    char words[160];
    (void)snprintf(words, sizeof words, "the response has %lld bytes, the limit is %lld",
                   (long long)whole, (long long)request->byte_limit);
    (void)refuse(exchange, OUTCOME_FAILED, "tooLarge", words);
    return false;
  }
  return true;
}

static size_t take_content(char *bytes, size_t unit, size_t count, void *context) {
  exchange *exchange = context;
  count *= unit;
  // What belongs to an error, or to a redirection, is not the content.
  if (exchange->status < 200 || exchange->status > 299) return count;
  if (!exchange->has_begun && !begin(exchange)) return count + 1;
  if (exchange->offset + (int64_t)count > exchange->request->byte_limit) {
    char words[120];
    (void)snprintf(words, sizeof words, "the response is larger than the limit of %lld bytes",
                   (long long)exchange->request->byte_limit);
    (void)refuse(exchange, OUTCOME_FAILED, "tooLarge", words);
    return count + 1;
  }
  for (size_t written = 0; written < count;) {
    ssize_t part = pwrite(OUTPUT_FILE, bytes + written, count - written, exchange->offset);
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) {
      (void)refuse(exchange, OUTCOME_FAILED, "storage", strerror(part < 0 ? errno : ENOSPC));
      return count + 1;
    }
    written += (size_t)part;
    exchange->offset += part;
  }
  return count;
}

static size_t give_body(char *bytes, size_t unit, size_t count, void *context) {
  exchange *exchange = context;
  int64_t left = exchange->body_size - exchange->body_offset;
  count *= unit;
  if ((int64_t)count > left) count = (size_t)left;
  ssize_t part;
  do {
    part = pread(BODY_FILE, bytes, count, exchange->body_offset);
  } while (part < 0 && errno == EINTR);
  if (part < 0 || (part == 0 && left > 0)) {
    (void)refuse(exchange, OUTCOME_FAILED, "storage", "the file that is sent has become shorter");
    // CURL_READFUNC_ABORT
    return 0x10000000;
  }
  exchange->body_offset += part;
  return (size_t)part;
}

static int seek_body(void *context, int64_t offset, int origin) {
  exchange *exchange = context;
  if (origin != SEEK_SET) return 1;
  exchange->body_offset = offset;
  return 0;
}

static int note_progress(void *context, int64_t download_total, int64_t download,
                         int64_t upload_total, int64_t upload) {
  exchange *exchange = context;
  (void)download, (void)download_total, (void)upload_total;
  if (agent_is_abandoned(0)) return 1;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  int64_t passed = (now.tv_sec - exchange->last_report.tv_sec) * 1000 +
                   (now.tv_nsec - exchange->last_report.tv_nsec) / 1000000;
  if (passed < 500) return 0;
  if (exchange->request->has_body) {
    exchange->last_report = now;
    agent_report("progress %lld %lld", (long long)upload, (long long)exchange->body_size);
  } else if (exchange->has_begun) {
    exchange->last_report = now;
    long long total = exchange->length < 0 ? -1 : exchange->length;
    if (exchange->status == 206) total = exchange->range_total;
    agent_report("progress %lld %lld", (long long)exchange->offset, total);
  }
  return 0;
}

// MARK: - One request

static void *headers(exchange *exchange, bool is_own) {
  agent_request *request = exchange->request;
  // Not to wait for a server that does not answer to this.
  void *list = curl.append(NULL, "Expect:");
  // The headers may have secrets, which are only for the host that the URL names.
  for (header *header = is_own ? request->headers : NULL; header != NULL; header = header->next) {
    list = curl.append(list, header->line);
  }
  if (exchange->offset > 0) {
    char line[2048];
    (void)snprintf(line, sizeof line, "Range: bytes=%lld-", (long long)exchange->offset);
    list = curl.append(list, line);
    (void)snprintf(line, sizeof line, "If-Range: %s", request->validator);
    list = curl.append(list, line);
  }
  return list;
}

static int perform(exchange *exchange, const char *method, const char *url, bool sends_body,
                   char *next, char *words) {
  agent_request *request = exchange->request;
  bool is_own = is_same_origin(request->url, url);
  void *handle = curl.init();
  if (handle == NULL) return 27;
  void *list = headers(exchange, is_own);
  (void)curl.set(handle, OPT_URL, url);
  (void)curl.set(handle, OPT_PROTOCOLS, (long)(PROTOCOL_HTTP | PROTOCOL_HTTPS));
  (void)curl.set(handle, OPT_FOLLOWLOCATION, 0L);
  (void)curl.set(handle, OPT_NETRC, 0L);
  (void)curl.set(handle, OPT_DISALLOW_USERNAME, 1L);
  (void)curl.set(handle, OPT_NOSIGNAL, 1L);
  (void)curl.set(handle, OPT_USERAGENT, "today");
  (void)curl.set(handle, OPT_CONNECTTIMEOUT, 30L);
  (void)curl.set(handle, OPT_LOW_SPEED_LIMIT, 1L);
  (void)curl.set(handle, OPT_LOW_SPEED_TIME, 60L);
  (void)curl.set(handle, OPT_ERRORBUFFER, words);
  (void)curl.set(handle, OPT_HTTPHEADER, list);
  (void)curl.set(handle, OPT_HEADERFUNCTION, take_header);
  (void)curl.set(handle, OPT_HEADERDATA, exchange);
  (void)curl.set(handle, OPT_WRITEFUNCTION, take_content);
  (void)curl.set(handle, OPT_WRITEDATA, exchange);
  (void)curl.set(handle, OPT_NOPROGRESS, 0L);
  (void)curl.set(handle, OPT_XFERINFOFUNCTION, note_progress);
  (void)curl.set(handle, OPT_XFERINFODATA, exchange);
  if (sends_body) {
    (void)curl.set(handle, OPT_UPLOAD, 1L);
    (void)curl.set(handle, OPT_INFILESIZE_LARGE, exchange->body_size);
    (void)curl.set(handle, OPT_READFUNCTION, give_body);
    (void)curl.set(handle, OPT_READDATA, exchange);
    (void)curl.set(handle, OPT_SEEKFUNCTION, seek_body);
    (void)curl.set(handle, OPT_SEEKDATA, exchange);
    (void)curl.set(handle, OPT_CUSTOMREQUEST, method);
  }
  if (is_own && request->credential != NULL) {
    bool is_basic = strcmp(request->authentication, "basic") == 0;
    (void)curl.set(handle, OPT_HTTPAUTH, (long)(is_basic ? AUTH_BASIC : AUTH_BEARER));
    (void)curl.set(handle, is_basic ? OPT_USERPWD : OPT_BEARER, request->credential);
  }
  int code = curl.perform(handle);
  long status = 0, proxy_status = 0;
  char *target = NULL;
  (void)curl.info(handle, INFO_RESPONSE_CODE, &status);
  (void)curl.info(handle, INFO_CONNECT_CODE, &proxy_status);
  (void)curl.info(handle, INFO_REDIRECT_URL, &target);
  exchange->status = status != 0 ? status : proxy_status == 407 ? 407 : 0;
  next[0] = 0;
  if (target != NULL && strlen(target) < TEXT_LIMIT) strcpy(next, target);
  curl.cleanup(handle);
  curl.release(list);
  return code;
}

/// Whether the request may be repeated though the server may have acted on it.
static bool is_repeatable(const agent_request *request) {
  return strcmp(request->method, "POST") != 0;
}

static void judge_status(exchange *exchange) {
  agent_result *result = exchange->result;
  long status = exchange->status;
  char words[80];
  (void)snprintf(words, sizeof words, "the server answered with status %ld", status);
  result->status = status;
  if (status >= 200 && status <= 299) {
    // A response without content has not begun.
    if (!exchange->has_begun && !begin(exchange)) return;
    finish(result, OUTCOME_DONE, "", "");
  } else if (status == 401) {
    finish(result, OUTCOME_FAILED, "unauthorized", "the server asks for a user and a password (401)");
  } else if (status == 407) {
    finish(result, OUTCOME_FAILED, "proxyUnauthorized",
           "the proxy asks for a user and a password (407)");
  } else if (status == 416 && exchange->offset > 0) {
    free(exchange->request->validator);
    exchange->request->validator = NULL;
    finish(result, OUTCOME_AGAIN, "http", words);
  } else if (status == 429 || status == 503 || (status >= 500 && is_repeatable(exchange->request))) {
    finish(result, OUTCOME_RETRY, "http", words);
    result->retry_after = exchange->retry_after;
  } else {
    finish(result, OUTCOME_FAILED, "http", words);
  }
}

static void judge_error(exchange *exchange, int code, const char *words) {
  agent_result *result = exchange->result;
  // A callback has said more.
  if (result->kind != NULL && (code == CURL_WRITE || code == CURL_ABORTED)) return;
  result->status = exchange->status;
  const char *message = words[0] != 0 ? words : curl.words(code);
  switch (code) {
  case CURL_ABORTED: _exit(1);
  case CURL_BAD_URL:
  case CURL_NO_PROTOCOL: finish(result, OUTCOME_FAILED, "url", message); break;
  case CURL_LOGIN:
    finish(result, OUTCOME_FAILED, "url", "a URL may not have a user or a password");
    break;
  case CURL_SSL_CONNECT:
  case CURL_SSL_CERT:
  case CURL_SSL_CIPHER:
  case CURL_SSL_PEER:
  case CURL_SSL_CA:
  case CURL_SSL_ISSUER:
  case CURL_SSL_PINNED:
  case CURL_SSL_STATUS: finish(result, OUTCOME_FAILED, "tls", message); break;
  default:
    if (exchange->status == 407) {
      judge_status(exchange);
    } else {
      bool may_repeat = is_repeatable(exchange->request) || exchange->body_offset == 0;
      finish(result, may_repeat ? OUTCOME_RETRY : OUTCOME_FAILED, "network", message);
    }
  }
}

static bool is_redirection(long status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

void agent_attempt(agent_request *request, agent_result *result) {
  static char url[TEXT_LIMIT], next[TEXT_LIMIT];
  char words[256];
  const char *method = request->method;
  bool sends_body = request->has_body;
  int64_t body_size = 0;
  struct stat status;
  if (sends_body && fstat(BODY_FILE, &status) == 0) body_size = status.st_size;
  if (strlen(request->url) >= sizeof url) {
    finish(result, OUTCOME_FAILED, "url", "the URL is too long");
    return;
  }
  strcpy(url, request->url);
  for (int hop = 0; hop <= REDIRECT_LIMIT; hop++) {
    exchange exchange = {.request = request, .result = result, .body_size = body_size, .length = -1};
    exchange.offset = request->validator != NULL && !request->has_body ? agent_output_size() : 0;
    result->kind = NULL;
    words[0] = 0;
    int code = perform(&exchange, method, url, sends_body, next, words);
    if (code != CURL_OK) return judge_error(&exchange, code, words);
    if (!is_redirection(exchange.status) || next[0] == 0) return judge_status(&exchange);
    result->status = exchange.status;
    if (!has_scheme(next, "https") && !has_scheme(next, "http")) {
      return finish(result, OUTCOME_FAILED, "redirect", "redirected to another kind of URL");
    }
    if (has_scheme(url, "https") && has_scheme(next, "http")) {
      return finish(result, OUTCOME_FAILED, "redirect", "redirected from https to http");
    }
    // As all browsers do (RFC 9110, 15.4.2 to 15.4.4).
    bool was_post = strcmp(method, "POST") == 0;
    if (exchange.status == 303 || (exchange.status <= 302 && was_post)) {
      method = "GET";
      sends_body = false;
    }
    strcpy(url, next);
  }
  finish(result, OUTCOME_FAILED, "redirect", "redirected more than 10 times");
}
