// The floor's resident child: prints a card's two lines, separated by a tab, once a second.
//
// usage: pusher NUMBER [rest] With `rest` it prints once and then sleeps until its standard input ends.
// After the signal USR1 it prints as fast as the pipe accepts it.
#include "../Widgets/flood.h"
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  struct reading reading = reading_start(argc > 1 ? (unsigned)atoi(argv[1]) : 1);
  int rests = argc > 2 && strcmp(argv[2], "rest") == 0;
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  struct beat beat = beat_from_now();
  flood_await();
  for (;;) {
    char line[96];
    int length = snprintf(line, sizeof line, "%s\t%s\n", reading.count, reading.level);
    if (write(STDOUT_FILENO, line, (size_t)length) != length) return 0;
    struct timespec pause = beat_remaining(&beat);
    // An event on standard input can only be its end, because a pusher receives no data.
    int ready = ppoll(&input, 1, rests ? NULL : &pause, NULL);
    if (flood_is_wanted) flood(&reading, "%s\t%s\n");
    if (ready != 0) return 0;
    reading_advance(&reading);
    beat.next.tv_sec += 1;
  }
}
