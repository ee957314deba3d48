// Ends the process with its input. A thread looks for that, as the library waits for names and for connections.
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "agent.h"

enum {
  /// How long what was published has to reach the broker after the end of the input.
  FINISH_SECONDS = 5,
  /// How long one address of a broker has to take a connection.
  CONNECT_SECONDS = 10,
};

static atomic_bool is_connecting;

static void *end_with_input(void *unused) {
  (void)unused;
  struct pollfd input = {.fd = STDIN_FILENO};
  while (poll(&input, 1, -1) <= 0) {
  }
  for (int turn = 0; turn < FINISH_SECONDS * 10 && !is_connecting; turn++) {
    (void)nanosleep(&(struct timespec){.tv_nsec = 100 * 1000 * 1000}, NULL);
  }
  _exit(0);
}

static void interrupt(int number) { (void)number; }

void watch_input(void) {
  sigset_t alarm;
  (void)sigemptyset(&alarm);
  (void)sigaddset(&alarm, SIGALRM);
  // The alarm interrupts the other thread.
  (void)pthread_sigmask(SIG_BLOCK, &alarm, NULL);
  pthread_t thread;
  if (pthread_create(&thread, NULL, end_with_input, NULL) != 0) _exit(1);
  (void)pthread_detach(thread);
  (void)pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
  struct sigaction action = {.sa_handler = interrupt};
  (void)sigaction(SIGALRM, &action, NULL);
}

void watch_set_connecting(bool connects) {
  // Again and again, as a name may have several addresses.
  time_t seconds = connects ? CONNECT_SECONDS : 0;
  struct itimerval alarm = {{.tv_sec = seconds}, {.tv_sec = seconds}};
  is_connecting = connects;
  (void)setitimer(ITIMER_REAL, &alarm, NULL);
}
