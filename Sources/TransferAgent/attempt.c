// One attempt: a request, what it is redirected to, and what the last response means.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent.h"
#include "curl.h"
#include "response.h"

/// One request and its response.
typedef struct exchange {
  agent_request *request;
  agent_result *result;
  /// Where the next byte of the response belongs, and of the file that is sent.
  int64_t offset, body_offset;
  /// Where the first byte of this response belongs.
  int64_t start;
  int64_t body_size;
  response response;
  /// Whether the first byte of the content was taken.
  bool has_begun;
  struct timespec last_report;
} exchange;

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
  finish(exchange->result, outcome, kind, message);
  return 0;
}

// MARK: - Callbacks

static size_t take_header(char *bytes, size_t unit, size_t count, void *context) {
  exchange *exchange = context;
  response_take_line(&exchange->response, bytes, count * unit);
  return count * unit;
}

/// Looks at the response before the first byte of the content is stored.
static bool begin(exchange *exchange) {
  agent_request *request = exchange->request;
  exchange->has_begun = true;
  response *response = &exchange->response;
  if (response->is_chunked) response->length = -1;
  if (response->has_bad_length && !response->is_chunked) {
    (void)refuse(exchange, OUTCOME_FAILED, "network", "the server sent a length that is no number");
    return false;
  }
  if (exchange->response.status == 206) {
    if (exchange->response.range_start != exchange->offset) {
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
    const char *validator = exchange->response.entity_tag[0] ? exchange->response.entity_tag : exchange->response.modified;
    bool can_resume = validator[0] != 0 && exchange->response.takes_ranges && !request->has_body;
    request->validator = can_resume ? strdup(validator) : NULL;
    agent_report("validator %s", request->validator != NULL ? request->validator : "");
  }
  exchange->start = exchange->offset;
  int64_t rest = INT64_MAX - exchange->offset;
  int64_t whole = response->length < 0 ? -1 : exchange->offset + (response->length > rest ? rest : response->length);
  if (whole == INT64_MAX || whole > request->byte_limit) {
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
  if (exchange->response.status < 200 || exchange->response.status > 299) return count;
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
    long long total = exchange->response.length < 0 ? -1 : exchange->response.length;
    if (exchange->response.status == 206) total = exchange->response.range_total;
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
  bool is_own = curl_is_same_origin(request->url, url);
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
  exchange->response.status = status != 0 ? status : proxy_status == 407 ? 407 : 0;
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

/// Whether all has come that the response announced.
static void judge_length(exchange *exchange) {
  const response *response = &exchange->response;
  bool is_short = response->length >= 0 && exchange->offset - exchange->start < response->length;
  // A part that ends before the whole does.
  if (response->status == 206 && response->range_total > exchange->offset) is_short = true;
  if (!is_short) return finish(exchange->result, OUTCOME_DONE, "", "");
  finish(exchange->result, is_repeatable(exchange->request) ? OUTCOME_RETRY : OUTCOME_FAILED, "network",
         "the server sent less than it announced");
}

static void judge_status(exchange *exchange) {
  agent_result *result = exchange->result;
  long status = exchange->response.status;
  char words[80];
  (void)snprintf(words, sizeof words, "the server answered with status %ld", status);
  result->status = status;
  if (status >= 200 && status <= 299) {
    // A response without content has not begun.
    if (!exchange->has_begun && !begin(exchange)) return;
    judge_length(exchange);
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
    result->retry_after = exchange->response.retry_after;
  } else {
    finish(result, OUTCOME_FAILED, "http", words);
  }
}

static void judge_error(exchange *exchange, int code, const char *words) {
  agent_result *result = exchange->result;
  // A callback has said more.
  if (result->kind != NULL && (code == CURL_WRITE || code == CURL_ABORTED)) return;
  result->status = exchange->response.status;
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
    if (exchange->response.status == 407) {
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
    exchange exchange = {.request = request, .result = result, .body_size = body_size, .response.length = -1};
    exchange.offset = request->validator != NULL && !request->has_body ? agent_output_size() : 0;
    result->kind = NULL;
    words[0] = 0;
    int code = perform(&exchange, method, url, sends_body, next, words);
    if (code != CURL_OK) return judge_error(&exchange, code, words);
    if (!is_redirection(exchange.response.status) || next[0] == 0) return judge_status(&exchange);
    result->status = exchange.response.status;
    if (!curl_has_scheme(next, "https") && !curl_has_scheme(next, "http")) {
      return finish(result, OUTCOME_FAILED, "redirect", "redirected to another kind of URL");
    }
    if (curl_has_scheme(url, "https") && curl_has_scheme(next, "http")) {
      return finish(result, OUTCOME_FAILED, "redirect", "redirected from https to http");
    }
    // As all browsers do (RFC 9110, 15.4.2 to 15.4.4).
    bool was_post = strcmp(method, "POST") == 0;
    if (exchange.response.status == 303 || (exchange.response.status <= 302 && was_post)) {
      method = "GET";
      sends_body = false;
    }
    strcpy(url, next);
  }
  finish(result, OUTCOME_FAILED, "redirect", "redirected more than 10 times");
}
