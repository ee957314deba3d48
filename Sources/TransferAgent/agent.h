#ifndef TRANSFER_AGENT_H
#define TRANSFER_AGENT_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/// The file that is filled, and the file that is sent.
enum { OUTPUT_FILE = 3, BODY_FILE = 4 };
enum { REDIRECT_LIMIT = 10, TEXT_LIMIT = 8192 };

/// What is to be transferred, as it was read from standard input.
typedef struct agent_request {
  char *method;
  char *url;
  /// Lines such as `Accept: text/plain`, for the host of the URL only.
  struct header *headers;
  /// `basic` or `bearer`, and what belongs to it; NULL without a credential.
  char *authentication, *credential;
  /// What identifies the content of which the output file has the beginning; NULL if nothing does.
  char *validator;
  /// Whether there is a file to be sent.
  bool has_body;
  /// The most bytes of the output file.
  int64_t byte_limit;
  /// How often it is tried without any progress, and the first pause between two tries.
  int attempts;
  int64_t pause_milliseconds;
} agent_request;

typedef struct header {
  struct header *next;
  char *line;
} header;

/// What one request to a server has led to.
typedef enum agent_outcome {
  OUTCOME_DONE,
  /// Try again after a pause.
  OUTCOME_RETRY,
  /// Try again at once, from the beginning.
  OUTCOME_AGAIN,
  OUTCOME_FAILED,
} agent_outcome;

typedef struct agent_result {
  agent_outcome outcome;
  /// One word for programs: `network`, `tls`, `unauthorized`, …
  const char *kind;
  long status;
  /// Seconds that the server asks to wait; −1 if it does not.
  int64_t retry_after;
  char message[TEXT_LIMIT];
} agent_result;

/// Reads a request from standard input; returns NULL or what is wrong with it.
const char *agent_read(agent_request *request);

/// Makes one attempt, with the redirections that follow.
void agent_attempt(agent_request *request, agent_result *result);

/// The size of the output file.
int64_t agent_output_size(void);

/// Reports a line; ends the process if nobody reads it.
__attribute__((format(printf, 1, 2))) void agent_report(const char *format, ...);

/// Whether nobody reads the reports any more; waits for that for some milliseconds.
bool agent_is_abandoned(int milliseconds);

#endif
