"""The benchmark's page in Textual: N cards, each with a resident pusher that sends its data over a pipe.

usage: textual_cards.py N PUSHER [rest]
Keys: j and k move the focus, m animates the first card's height, q quits.
"""

import asyncio
import sys

from textual.app import App, ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Static

SHORT, TALL, BORDER = 2, 26, 2


class Card(Static, can_focus=True):
    """One card: two lines from its child, and more rows when it is tall."""

    def show(self, lines: list[str]) -> None:
        rows = [f"row {number:02}" for number in range(SHORT + 1, TALL + 1)]
        self.update("\n".join(lines + rows))


class Page(App[None]):
    CSS = """
    VerticalScroll { height: 100%; scrollbar-size: 0 0; }
    .column { width: 1fr; height: auto; layout: vertical; }
    Horizontal { height: auto; }
    Card { height: 4; border: round gray; padding: 0 1; }
    Card:focus { border: round $accent; }
    """
    BINDINGS = [
        ("j", "app.focus_next"),
        ("k", "app.focus_previous"),
        ("m", "resize_first"),
        ("q", "quit"),
    ]
    AUTO_FOCUS = "Card"

    def __init__(self, count: int, command: list[str]) -> None:
        super().__init__()
        self.command = command
        self.cards = [Card(markup=False) for _ in range(count)]
        self.is_tall = False
        self.children_running: list[asyncio.subprocess.Process] = []

    def compose(self) -> ComposeResult:
        digits = 3 if len(self.cards) > 99 else 2
        for number, card in enumerate(self.cards, 1):
            card.border_title = f"Bench{number:0{digits}}"
        with VerticalScroll(can_focus=False), Horizontal():
            for column in range(2):
                yield Horizontal(*self.cards[column::2], classes="column")

    def on_mount(self) -> None:
        for number, card in enumerate(self.cards, 1):
            self.run_worker(self.feed(number, card), exit_on_error=False)

    async def feed(self, number: int, card: Card) -> None:
        command = [self.command[0], str(number), *self.command[1:]]
        child = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        self.children_running.append(child)
        assert child.stdout
        async for line in child.stdout:
            card.show(line.decode().rstrip("\n").split("\t"))

    def action_resize_first(self) -> None:
        self.is_tall = not self.is_tall
        height = BORDER + (TALL if self.is_tall else SHORT)
        self.cards[0].styles.animate("height", height, duration=0.3)

    async def action_quit(self) -> None:
        for child in self.children_running:
            child.kill()
        self.exit()


Page(int(sys.argv[1]), sys.argv[2:]).run()
