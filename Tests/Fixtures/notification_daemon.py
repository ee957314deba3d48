#!/usr/bin/env python3
"""A daemon of notifications that shows nothing, for tests.

Usage: notification_daemon.py SOCKET [FLAGS]

FLAGS are those of RequestName: 2 replaces the present owner, 4 does not wait in the queue. Prints a line for each
notification: number, application and title. Reads lines: “close NUMBER REASON” and “act NUMBER KEY”.
"""

import itertools
import sys

from dbus_client import DESTINATION, INTERFACE, MEMBER, PATH, SIGNAL, Client

NAME, OBJECT = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
NOTIFY = "susssasa{sv}i"
REPLACE, DO_NOT_QUEUE = 2, 4
OWNER, QUEUED, EXISTS = 1, 2, 3


class Daemon(Client):
    def __init__(self, path, flags=0):
        self.numbers, self.shown = itertools.count(1), []
        super().__init__(path)
        self.result_of_request, = self.bus("RequestName", "su", [NAME, flags])

    def answer(self, message):
        if message.member == "Notify":
            number = message.values[1] or next(self.numbers)
            if message.values[0] == "refused":
                return None
            self.shown.append((number, message.values))
            self.did_show(number, message.values)
            return "u", [number]
        if message.member == "CloseNotification":
            self.emit("NotificationClosed", "uu", [message.values[0], 3])
            return "", []
        return None

    def did_show(self, number, values):
        pass

    def emit(self, member, signature, values):
        self.send(SIGNAL, {PATH: OBJECT, INTERFACE: NAME, MEMBER: member}, signature, values)

    def close_shown(self, number, reason):
        self.emit("NotificationClosed", "uu", [number, reason])

    def act(self, number, key):
        self.emit("ActionInvoked", "us", [number, key])


def notify(client, title, body="", application="mail", replaces=0, actions=(), hints=None, time=-1):
    """Sends a notification; returns its number."""
    values = [application, replaces, "", title, body, list(actions), hints or {}, time]
    return client.call(NAME, OBJECT, NAME, "Notify", NOTIFY, values)[0]


class PrintingDaemon(Daemon):
    def did_show(self, number, values):
        print(number, values[0], values[3], flush=True)


def main():
    daemon = PrintingDaemon(sys.argv[1], int((sys.argv[2:] or ["0"])[0]))
    print("ready", flush=True)
    for line in sys.stdin:
        word, number, rest = line.split()
        if word == "close":
            daemon.close_shown(int(number), int(rest))
        else:
            daemon.act(int(number), rest)


if __name__ == "__main__":
    main()
