#!/usr/bin/python3 -ESB
"""Mail: how many messages are unread, and the newest of them, in a Maildir or on a server of IMAP."""

import os

import imap
import maildir
import refusals
from file_watch import Follower
from todaykit import Failure, Widget, grid, secondary, span, text, vstack

SHORT, LONG = 3, 15


class Mail(Widget):

    def initialize(self):
        self.count, self.messages, self.broken = None, [], 0
        self.follower = None

    def view(self):
        return self.draw() if self.count is not None else None

    def widget_perform_update(self, reason):
        folder = self.setting("maildir")
        if self.setting("server"):
            self.count, self.messages, self.broken = self.on_server(reason == "user")
        elif folder:
            self.read(os.path.expanduser(folder))
        else:
            return self.instructions("No mailbox yet.", "Press , to set a Maildir or a server.")
        return self.draw()

    def read(self, folder):
        paths = maildir.unread(folder)
        self.messages, self.broken = maildir.newest(paths, LONG)
        self.count = len(paths)

    def view_did_appear(self):
        folder = self.setting("maildir")
        if folder and not self.setting("server") and not self.follower:
            folder = os.path.abspath(os.path.expanduser(folder))
            parts = [os.path.join(folder, part) for part in ("new", "cur")]
            self.follower = Follower(lambda: parts, lambda: self.perform_later(lambda: self.follow(folder)))
            self.follower.start()

    def follow(self, folder):
        """The view if a message has come, or was read in another program; what fails is for an update to say."""
        before = self.draw() if self.count is not None else None
        try:
            self.read(folder)
        except Failure:
            return None
        view = self.draw()
        return view if view != before else None

    def on_server(self, is_asked):
        """The unread messages; a password that was refused is tried again only if the user asks for it."""
        user, password = self.setting("user", ""), self.setting("password")
        if not password:
            raise Failure("the password is missing; set it with ,")
        server, encryption = self.setting("server"), self.setting("encryption", "TLS")
        port = int(self.setting("port", 0)) or (993 if encryption == "TLS" else 143)
        account = f"{server}:{port}", user, password
        kept = self.load("refused", None)
        if not is_asked and refusals.is_marked(kept, *account):
            raise Failure(
                f"{server} does not accept the name or the password; it is not tried again before you set"
                " another one with , or press r"
            )
        try:
            found = imap.unread(server, port, encryption, user, password, self.setting("mailbox", "INBOX"), LONG)
        except imap.Refused:
            self.store("refused", refusals.mark(*account))
            raise
        if kept is not None:
            self.store("refused", None)
        return found

    def draw(self):
        self.offer_more(len(self.messages) > SHORT)
        if not self.count:
            return text([span("✓ ", "green"), span("No unread mail.")])
        broken = [span(f" · {self.broken} cannot be read", "orange")] if self.broken else []
        head = text([span(f"{self.count} unread", bold=True), *broken])
        shown = self.messages[:LONG if self.is_expanded else SHORT]
        lines = 2 if self.is_expanded else 1
        rows = [[text(one.subject, limit=lines, privacySensitive=True), self.sender(one)] for one in shown]
        return vstack(head, grid(rows, ["leading", "trailing"]) if rows else None)

    def sender(self, message):
        return secondary(message.sender, privacySensitive=True, frame={"maxWidth": max(20, self.width // 3)})


if __name__ == "__main__":
    Mail().run()
