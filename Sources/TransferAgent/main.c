// Makes one transfer over HTTP or HTTPS. It reads what is to be transferred from standard input, fills
// the file that is open as descriptor 3, sends the one that is open as descriptor 4, and reports how far
// it is on standard output. It ends when nobody reads that any more.
#include <CAgent.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "agent.h"
#include "curl.h"

enum { LONGEST_PAUSE = 60 * 1000, LONGEST_RETRY_AFTER = 3600 };

/// Waits until no other process fills the file, such as one whose parent was killed a moment ago.
static bool lock_output(void) {
  for (int turn = 0; turn < 300; turn++) {
    if (flock(OUTPUT_FILE, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK && errno != EINTR) return false;
    if (agent_is_abandoned(100)) _exit(1);
  }
  return false;
}

static void wait_for(int64_t milliseconds) {
  while (milliseconds > 0) {
    int part = milliseconds > 1000 ? 1000 : (int)milliseconds;
    if (agent_is_abandoned(part)) _exit(1);
    milliseconds -= part;
  }
}

static int fail(const char *kind, long status, const char *message) {
  agent_report("failed %s %ld %s", kind, status, message);
  return 0;
}

/// Repeats attempts until the transfer is complete, or cannot be.
static int transfer(agent_request *request) {
  static agent_result result;
  int failures = 0, restarts = 0;
  int64_t pause = request->pause_milliseconds;
  int64_t furthest = agent_output_size();
  for (;;) {
    memset(&result, 0, sizeof result);
    result.retry_after = -1;
    agent_attempt(request, &result);
    if (result.outcome == OUTCOME_AGAIN && restarts++ < 3) continue;
    if (result.outcome == OUTCOME_DONE) break;
    if (result.outcome == OUTCOME_FAILED) {
      return fail(result.kind, result.status, result.message);
    }
    int64_t size = agent_output_size();
    if (size > furthest) {
      furthest = size;
      failures = 0;
      pause = request->pause_milliseconds;
    }
    if (++failures >= request->attempts) {
      return fail(result.kind, result.status, result.message);
    }
    int64_t wait = pause;
    if (result.retry_after >= 0) {
      if (result.retry_after > LONGEST_RETRY_AFTER) result.retry_after = LONGEST_RETRY_AFTER;
      wait = result.retry_after * 1000;
    }
    agent_report("retry %ld %ld %s", (long)(wait / 1000), result.status, result.message);
    wait_for(wait);
    pause = pause * 2 > LONGEST_PAUSE ? LONGEST_PAUSE : pause * 2;
  }
  if (fsync(OUTPUT_FILE) < 0) return fail("storage", result.status, strerror(errno));
  agent_report("done %ld %ld", result.status, (long)agent_output_size());
  return 0;
}

int main(void) {
  // Headers may have passwords.
  agent_become_private();
  // A file that may not grow is an error, as a full disk is.
  (void)signal(SIGXFSZ, SIG_IGN);
  static agent_request request = {
      .byte_limit = INT64_MAX, .attempts = 8, .pause_milliseconds = 1000};
  const char *fault = agent_read(&request);
  if (fault != NULL) {
    (void)fail("request", 0, fault);
    return 2;
  }
  fault = curl_load();
  if (fault != NULL) return fail("missing", 0, fault);
  if (!lock_output()) return fail("storage", 0, "another program fills the same file");
  return transfer(&request);
}
