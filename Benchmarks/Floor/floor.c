// The floor: the minimum cost of a page of N cards, each of which gets its data from a resident process
// over a pipe.
//
// usage: floor N PUSHER [rest]
// Keys: j and k move the highlighted card, m animates the first card's height, q quits.
#include <curses.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { cards_limit = 1024, columns = 2, short_body = 2, tall_body = 26, frame_ms = 16 };

struct card {
  pid_t child;
  char lines[2][48];
};

extern char **environ;
static struct card cards[cards_limit];
static struct pollfd inputs[cards_limit + 1];  // the terminal, then one pipe per card
static int count, focus, height = short_body, from, to = short_body;
static double began = -1;  // when the running animation began, −1 if there is none

static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void draw(int index) {
  int width = COLS / columns, left = index % columns * width;
  int rows = index == 0 ? height : short_body, top = index / columns * (short_body + 2);
  if (index > 0 && index % columns == 0) top += height - short_body;
  int bottom = top + rows + 1;
  if (bottom >= LINES) return;
  attrset(index == focus ? A_BOLD : A_NORMAL);
  mvaddstr(top, left, "╭");
  hline_set(WACS_HLINE, width - 2);
  mvprintw(top, left + 2, " Bench%0*d ", count > 99 ? 3 : 2, index + 1);
  mvaddstr(top, left + width - 1, "╮");
  mvvline_set(top + 1, left, WACS_VLINE, rows);
  mvvline_set(top + 1, left + width - 1, WACS_VLINE, rows);
  mvaddstr(bottom, left, "╰");
  hline_set(WACS_HLINE, width - 2);
  mvaddstr(bottom, left + width - 1, "╯");
  attrset(A_NORMAL);
  for (int row = 0; row < rows; row++) {
    if (row < 2) mvaddstr(top + 1 + row, left + 2, cards[index].lines[row]);
    else mvprintw(top + 1 + row, left + 2, "row %02d", row + 1);
  }
}

static void start(int index, char *pusher, char *mode) {
  int to_child[2], from_child[2];
  char number[12], *arguments[] = {pusher, number, mode, NULL};
  posix_spawn_file_actions_t actions;
  if (pipe2(to_child, O_CLOEXEC) || pipe2(from_child, O_CLOEXEC)) abort();
  snprintf(number, sizeof number, "%d", index + 1);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, to_child[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, from_child[1], STDOUT_FILENO);
  if (posix_spawn(&cards[index].child, pusher, &actions, NULL, arguments, environ)) abort();
  posix_spawn_file_actions_destroy(&actions);
  close(to_child[0]), close(from_child[1]);
  inputs[index + 1] = (struct pollfd){.fd = from_child[0], .events = POLLIN};
}

/// Reads the output of a child.
///
/// A line is far shorter than PIPE_BUF, so it is read whole; the newest is used.
static void receive(int index) {
  char text[4096], *newest;
  ssize_t length = read(inputs[index + 1].fd, text, sizeof text - 1);
  if (length <= 0) { inputs[index + 1].fd = -1; return; }
  text[length - (text[length - 1] == '\n')] = 0;
  newest = strrchr(text, '\n');
  newest = newest ? newest + 1 : text;
  char *second = strchr(newest, '\t');
  if (second) *second++ = 0;
  snprintf(cards[index].lines[0], sizeof cards[index].lines[0], "%.47s", newest);
  snprintf(cards[index].lines[1], sizeof cards[index].lines[1], "%.47s", second ? second : "");
  draw(index);
}

static void animate(void) {
  double part = (seconds() - began) / 0.3;
  if (part >= 1) part = 1, began = -1;
  height = (int)(from + (to - from) * part * part * (3 - 2 * part) + 0.5);  // ease in, ease out
  erase();
  for (int index = 0; index < count; index++) draw(index);
}

static void press(int key) {
  int before = focus;
  if (key == 'm') from = height, to = to == tall_body ? short_body : tall_body, began = seconds();
  if (key == 'j' && focus + 1 < count) focus += 1;
  if (key == 'k' && focus > 0) focus -= 1;
  if (focus != before) draw(before), draw(focus);
}

int main(int argc, char **argv) {
  if (argc < 3 || (count = atoi(argv[1])) < 1 || count > cards_limit) return 64;
  struct rlimit files;  // a card needs two descriptors
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  setlocale(LC_ALL, "");
  initscr(), cbreak(), noecho(), curs_set(0), nodelay(stdscr, TRUE);
  for (int index = 0; index < count; index++) draw(index);
  refresh();
  inputs[0] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
  for (int index = 0; index < count; index++) start(index, argv[2], argv[3]);
  for (int key = 0; key != 'q';) {
    poll(inputs, (nfds_t)count + 1, began < 0 ? -1 : frame_ms);
    if (inputs[0].revents & (POLLERR | POLLHUP)) break;
    if (inputs[0].revents) while ((key = getch()) != ERR && key != 'q') press(key);
    for (int index = 0; index < count; index++) if (inputs[index + 1].revents) receive(index);
    if (began >= 0) animate();
    refresh();
  }
  endwin();
  for (int index = 0; index < count; index++) kill(cards[index].child, SIGKILL);
  while (wait(NULL) > 0) {}
  return 0;
}
