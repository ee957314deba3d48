// Speaks with one MQTT broker, for the program that has started it: it connects, again whenever the connection is lost,
// receives what matches filters, and publishes. What is said is frames (frames.c) on standard input and output:
//
//   set NAME VALUE        a value of the broker: host, port, tls, ca, certificate, key, user, password, client, and the
//                         will: will-topic, will-payload
//   connect               after these
//   subscribe FILTER      unsubscribe FILTER
//   publish NUMBER TOPIC PAYLOAD RETAINED EXPIRY TYPE
//   end                   disconnect, without the will, when all of that was acknowledged
//
// and
//
//   connected VERSION     5 or 3.1.1, with the reason in words if it is not 5
//   disconnected KIND WORDS SECONDS
//                         it tries again after so many seconds
//   subscribed FILTER WORDS      without words if the broker has agreed
//   message TOPIC PAYLOAD RETAINED EXPIRY TYPE
//                         retained is 1 if the broker had it already, and else 0
//   large TOPIC SIZE      a message whose payload is not passed on
//   published NUMBER WORDS       without words if the broker has it
//   failed KIND WORDS     the last one
//
// Numbers are decimal; an expiry or a type that there is not is empty. The process ends with its input; the broker
// publishes the will then, unless `end` was said.
#include <CAgent.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "agent.h"
#include "mosquitto.h"

static _Noreturn void fail(const char *kind, const char *words) {
  // The reader takes this line before anything else could wait.
  frames_send("failed", 2, (field[]){text_field(kind), text_field(words)});
  _exit(2);
}

static broker the_broker;

static void take(const frame *frame) {
  static bool has_begun;
  if (!has_begun && strcmp(frame->word, "set") == 0) {
    if (!broker_take(&the_broker, frame)) fail("request", "a value of the broker cannot be used");
  } else if (!has_begun && strcmp(frame->word, "connect") == 0) {
    const char *fault = broker_fault(&the_broker);
    if (fault != NULL) fail("request", fault);
    has_begun = true;
    session_start(&the_broker);
  } else if (strcmp(frame->word, "subscribe") == 0 && frame->count == 1) {
    session_subscribe(&frame->fields[0]);
  } else if (strcmp(frame->word, "unsubscribe") == 0 && frame->count == 1) {
    session_unsubscribe(&frame->fields[0]);
  } else if (has_begun && strcmp(frame->word, "publish") == 0 && frame->count == 6) {
    session_publish(frame);
  } else if (has_begun && strcmp(frame->word, "end") == 0) {
    session_end();
  } else {
    fail("request", "a frame cannot be used");
  }
}

int main(void) {
  (void)signal(SIGPIPE, SIG_IGN);
  agent_set_nonblocking(STDIN_FILENO);
  agent_set_nonblocking(STDOUT_FILENO);
  const char *fault = mosquitto_load();
  if (fault != NULL) fail("missing", fault);
  confine();
  watch_input();
  for (;;) {
    frame frame;
    frame_result result = FRAME_NONE;
    while (session_has_room() && (result = frames_next(&frame)) == FRAME_FOUND) take(&frame);
    if (result == FRAME_INVALID) fail("request", "a frame cannot be read");
    session_turn();
  }
}
