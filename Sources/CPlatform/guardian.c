#include "guardian.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "CPlatform.h"
#include "CPlatformTerminal.h"
#include "keeper.h"
#include "mark.h"
#include "terminal.h"
#include "title.h"
#include "warden.h"

enum { OUTPUT_WAIT = 1000, QUIT_WAIT = 100, APP_WAIT = 50, QUICK_REPLACEMENTS = 8 };

/// Groups that come within NOTE_PAUSE milliseconds are read together, up to NOTE_LIMIT at a time, as the guardian
/// would otherwise wake up for the start and for the end of each script.
enum { NOTE_LIMIT = 1024, NOTE_PAUSE = 250 };

/// The descriptors of the guardian: the pipe from the host, two of the terminal, the file that kills
/// the control group of all widgets, and a pidfd on the host.
enum { NOTES = 0, OUTPUT = 1, SETTINGS = 2, GROUP_KILL = 3, HOST = 4, DESCRIPTOR_COUNT };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
/// Nonzero when the host exits and needs no guardian.
static int is_ending;
/// The guardian, and the pipe to it; −1 while there is none.
static pid_t guardian = -1;
static int guardian_pidfd = -1;
static int notes = -1;
static int holds_terminal;
/// The file that kills the control group of all widgets; −1 if they have none.
static int group_kill = -1;
/// The groups of the host, which a guardian gets when it is forked.
static struct guarded own;
/// What the host has in common with the guardian, and the guardian with its warden.
static struct guarded *guarded;
/// Whether a guardian has the terminal and the control group.
static int has_terminal, kills_group;
/// A pidfd of a guardian on the host; −1 if it has none, and then no warden.
static int host_process = -1;

static void kill_groups(const struct guarded *list) {
  for (size_t index = 0; index < list->group_count; index++) (void)kill(-list->groups[index], SIGKILL);
}

/// Tells an app that its terminal is gone; 0 means none. Async-signal-safe.
static void hang_up(pid_t app) {
  if (app <= 0) return;
  (void)kill(-app, SIGHUP);
  (void)kill(-app, SIGCONT);
}

/// Ends what the host left. Async-signal-safe.
static void end_rest(void) {
  // The terminal first, before the shell changes it; a blocked terminal last.
  int is_given = !has_terminal || terminal_give_back(SETTINGS, OUTPUT, 0);
  pid_t app = has_terminal ? terminal_borrower() : 0;
  int settings = has_terminal && terminal_is_borrowed() ? SETTINGS : -1;
  // As when the host quits: it may have something to save.
  hang_up(app);
  if (kills_group) (void)!write(GROUP_KILL, "1", 1);
  kill_groups(guarded);
  mark_kill_all();
  if (app > 0) {
    // What it takes back itself comes first.
    (void)poll(NULL, 0, APP_WAIT);
    (void)terminal_take_back(settings, OUTPUT, OUTPUT_WAIT);
  }
  if (!is_given) (void)terminal_give_back(SETTINGS, OUTPUT, OUTPUT_WAIT);
  guarded->is_done = 1;
}

/// Waits until there is something to read; keeps a warden meanwhile.
static void wait_for_notes(int *warden) {
  struct pollfd ends[2] = {{.fd = NOTES, .events = POLLIN}, {.fd = *warden, .events = POLLIN}};
  if (poll(ends, 2, -1) <= 0 || ends[0].revents || !ends[1].revents) return;
  (void)close(*warden);
  // One that is killed again and again must not keep the guardian busy.
  struct timespec pause = {.tv_nsec = 100 * 1000000};
  (void)nanosleep(&pause, NULL);
  *warden = warden_start(guarded, host_process, end_rest);
}

/// Reads groups until the host has ended, and then kills what it left. Async-signal-safe.
static void watch(void) {
  int warden = warden_start(guarded, host_process, end_rest);
  for (;;) {
    wait_for_notes(&warden);
    pid_t notes_read[NOTE_LIMIT];
    ssize_t length = read(NOTES, notes_read, sizeof notes_read);
    if (length < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    // Each is written at once, so none is read in part.
    size_t count = length < 0 ? 0 : (size_t)length / sizeof notes_read[0];
    if (count == 0) break;
    for (size_t index = 0; index < count; index++) guarded_note(guarded, notes_read[index]);
    if (count == NOTE_LIMIT) continue;
    // Waits for no event, so that only the end of the host ends the pause.
    struct pollfd end_of_host = {.fd = NOTES};
    (void)poll(&end_of_host, 1, NOTE_PAUSE);
  }
  end_rest();
  _exit(0);
}

/// Runs in the guardian after the fork.
static void become_guardian(int input, int settings, pid_t host) {
  // Including SIGTTOU, as the terminal belongs to another session.
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  for (int number = 1; number < NSIG; number++) (void)sigaction(number, &ignore, NULL);
  (void)setsid();
  // If it is stopped when the host is killed, it continues, and reads the end of the pipe.
  (void)prctl(PR_SET_PDEATHSIG, SIGCONT);
  int ends[DESCRIPTOR_COUNT] = {fcntl(input, F_DUPFD, DESCRIPTOR_COUNT), -1, -1, -1, -1};
  if (settings >= 0) {
    ends[OUTPUT] = fcntl(terminal_output(), F_DUPFD, DESCRIPTOR_COUNT);
    ends[SETTINGS] = fcntl(settings, F_DUPFD, DESCRIPTOR_COUNT);
  }
  if (group_kill >= 0) ends[GROUP_KILL] = fcntl(group_kill, F_DUPFD, DESCRIPTOR_COUNT);
  // If the host has ended meanwhile, the number can be that of another process only after the pipe has ended.
  int process = pidfd_open(host, 0);
  if (process >= 0) ends[HOST] = fcntl(process, F_DUPFD, DESCRIPTOR_COUNT);
  for (int index = 0; index < DESCRIPTOR_COUNT; index++) {
    if (ends[index] >= 0) (void)dup2(ends[index], index);
    else close(index);
  }
  (void)close_range(DESCRIPTOR_COUNT, ~0U, 0);
  title_set("widget-guardian", "today: guardian");
  has_terminal = ends[OUTPUT] >= 0 && ends[SETTINGS] >= 0;
  kills_group = ends[GROUP_KILL] >= 0;
  host_process = ends[HOST] >= 0 ? HOST : -1;
  watch();
}

/// Starts a guardian, which replaces the present one; returns 0 on failure.
static int start(void) {
  struct guarded *shared = guarded_new();
  int ends[2] = {-1, -1};
  if (!shared || pipe2(ends, O_CLOEXEC) < 0) {
    guarded_forget(shared);
    return 0;
  }
  memcpy((void *)shared->groups, (const void *)own.groups, sizeof own.groups);
  shared->group_count = own.group_count;
  // Writing to a guardian that has died, or that does not read, must be an error.
  platform_ignore_write_signals();
  (void)fcntl(ends[1], F_SETFL, O_NONBLOCK);
  mark_prepare();
  int settings = terminal_descriptor();
  pid_t host = getpid();
  struct guarded *before = guarded;
  guarded = shared;
  pid_t pid = _Fork();
  if (pid == 0) become_guardian(ends[0], settings, host);
  close(ends[0]);
  if (pid < 0) {
    close(ends[1]);
    guarded_forget(shared);
    guarded = before;
    return 0;
  }
  guardian = pid;
  guardian_pidfd = pidfd_open(pid, 0);
  notes = ends[1];
  holds_terminal = settings >= 0;
  pthread_cond_broadcast(&changed);
  return 1;
}

/// Kills and collects a guardian, whether it runs, is stopped or has died.
///
/// The pipe is closed last, as its end means that the host has ended. Its warden ends by itself.
static void end(pid_t pid, int pidfd, int its_notes, struct guarded *its_memory) {
  if (its_memory) its_memory->is_over = 1;
  if (pidfd < 0 || pidfd_send_signal(pidfd, SIGKILL, NULL, 0) < 0) (void)kill(pid, SIGKILL);
  pid_t waited;
  do {
    waited = waitpid(pid, NULL, 0);
  } while (waited < 0 && errno == EINTR);
  if (pidfd >= 0) close(pidfd);
  close(its_notes);
  guarded_forget(its_memory);
}

/// Replaces the guardian, or starts one if there is none.
static void replace(void) {
  pid_t pid = guardian;
  int pidfd = guardian_pidfd;
  int its_notes = notes;
  struct guarded *its_memory = guarded;
  if (!start()) {
    guarded = NULL;
    // The next widget tries again.
    guardian = -1;
    guardian_pidfd = -1;
    notes = -1;
  }
  if (its_notes >= 0) end(pid, pidfd, its_notes, its_memory);
}

/// The seconds of the monotonic clock.
static time_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec;
}

/// The thread that waits until the guardian has ended or was stopped, and replaces it.
static void *look_after(void *unused) {
  (void)unused;
  time_t first = 0;
  int count = 0;
  for (;;) {
    pthread_mutex_lock(&lock);
    while (guardian < 0 || is_ending) pthread_cond_wait(&changed, &lock);
    pid_t pid = guardian;
    pthread_mutex_unlock(&lock);
    siginfo_t info = {0};
    (void)waitid(P_PID, (id_t)pid, &info, WEXITED | WSTOPPED | WNOWAIT);
    // Repeated kills must not keep the host busy.
    if (now() - first > QUICK_REPLACEMENTS) {
      first = now();
      count = 0;
    }
    if (++count > QUICK_REPLACEMENTS) (void)sleep(1);
    pthread_mutex_lock(&lock);
    if (guardian == pid && !is_ending) replace();
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

/// Kills what the host left, and the guardian, so that a quit leaves no process but those of widgets that
/// may finish something.
///
/// If the terminal was not restored, the guardian continues, to restore it and to kill the rest.
static void finish(void) {
  struct timespec wait;
  clock_gettime(CLOCK_REALTIME, &wait);
  wait.tv_sec += 1;
  if (pthread_mutex_timedlock(&lock, &wait) != 0) return;
  is_ending = 1;
  siginfo_t info = {0};
  if (notes >= 0 && keeper_finish() && !terminal_is_screen()) {
    // The host has hung it up.
    int has_app = terminal_borrower() > 0 && terminal_is_borrowed();
    // Commands of rows, which have no mark.
    kill_groups(&own);
    if (has_app) {
      (void)poll(NULL, 0, APP_WAIT);
      (void)terminal_take_back(terminal_descriptor(), terminal_output(), QUIT_WAIT);
    }
    end(guardian, guardian_pidfd, notes, guarded);
    guarded = NULL;
    notes = -1;
    guardian = -1;
  } else if (notes >= 0
             && waitid(P_PID, (id_t)guardian, &info, WEXITED | WSTOPPED | WNOWAIT | WNOHANG) == 0
             && info.si_pid != 0) {
    replace();
  }
  pthread_mutex_unlock(&lock);
}

static void prepare(void) {
  (void)platform_thread_start(look_after, NULL, 64 * 1024);
  (void)atexit(finish);
}

static int tell(pid_t value) {
  ssize_t length;
  do {
    length = write(notes, &value, sizeof value);
  } while (length < 0 && errno == EINTR);
  return length == (ssize_t)sizeof value;
}

/// Whether there is never one in this process, which starts no widget.
static int is_refused;

void platform_guardian_refuse(void) { is_refused = 1; }

int guardian_start(void) {
  if (is_refused) return 0;
  (void)pthread_once(&once, prepare);
  pthread_mutex_lock(&lock);
  if (notes < 0) (void)start();
  int is_there = notes >= 0;
  pthread_mutex_unlock(&lock);
  return is_there;
}

void platform_guardian_hold_terminal(void) {
  if (is_refused || terminal_descriptor() < 0) return;
  (void)pthread_once(&once, prepare);
  pthread_mutex_lock(&lock);
  if (notes < 0 || !holds_terminal) replace();
  pthread_mutex_unlock(&lock);
}

void platform_guardian_hold_group(int kill_file) {
  pthread_mutex_lock(&lock);
  group_kill = kill_file;
  if (notes >= 0) replace();
  pthread_mutex_unlock(&lock);
}

static void note(pid_t value) {
  pthread_mutex_lock(&lock);
  guarded_note(&own, value);
  // It has died or does not read; the next one inherits the groups.
  if (notes >= 0 && !tell(value)) replace();
  pthread_mutex_unlock(&lock);
}

void guardian_add(pid_t group) { note(group); }

void guardian_remove(pid_t group) {
  if (terminal_borrower() == group) terminal_lend(0);
  note(-group);
}
