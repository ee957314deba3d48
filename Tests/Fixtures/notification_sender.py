#!/usr/bin/env python3
"""Sends a notification as applications do, and prints what becomes of it, for tests.

Usage: notification_sender.py SOCKET TITLE [BODY [KEY LABEL]...]

Prints the number of the notification, then “acted KEY” and “closed REASON”; it ends when the notification is closed, or
with its input.
"""

import os
import sys
import threading

from dbus_client import Client
from notification_daemon import NAME, notify


def main():
    path, title, body, *actions = [*sys.argv[1:], *([""] if len(sys.argv) == 3 else [])]
    client = Client(path)
    client.bus("AddMatch", "s", [f"type='signal',interface='{NAME}'"])
    number = notify(client, title, body, actions=actions)
    print(number, flush=True)
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    while True:
        message = client.signals.get()
        if message.member in ("ActionInvoked", "NotificationClosed") and message.values[0] == number:
            is_closed = message.member == "NotificationClosed"
            print("closed" if is_closed else "acted", message.values[1], flush=True)
            if is_closed:
                return


if __name__ == "__main__":
    main()
