// libcurl, which is loaded and not linked, so that the program needs it only for transfers.
#ifndef TRANSFER_AGENT_CURL_H
#define TRANSFER_AGENT_CURL_H

#include <stdbool.h>

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

/// Its functions.
typedef struct curl_library {
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
} curl_library;

extern curl_library curl;

/// Loads libcurl; returns NULL, or why it cannot be used.
const char *curl_load(void);

/// Whether two URLs have the same scheme, host and port.
bool curl_is_same_origin(const char *left, const char *right);

/// Whether a URL has a scheme, in any case.
bool curl_has_scheme(const char *url, const char *name);

#endif
