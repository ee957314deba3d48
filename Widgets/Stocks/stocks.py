#!/usr/bin/python3 -ESB
"""Stocks: the prices of shares, currencies and coins, and how they have changed today."""

import codecs
import csv
import datetime
import math
import re
import urllib.parse

from todaykit import Failure, Widget, fetch, grid, secondary, sparkline, text, vstack

KEPT = 60
SERVER = "https://stooq.com/q/l/?s={symbols}&f=sd2t2ohlcvn&h&e=csv"
# Of CSV with a header, in the words of stooq.
COLUMNS = {"symbol", "open", "close"}
# A field with a line break is on as many lines.
FIELD_LINES = 4
NUMBER = re.compile(r"[+-]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)?(?:(?<=[0-9])\.?|\.(?=[0-9]))[0-9]*(?:[eE][+-]?[0-9]{1,3})?")
# More percents than these are those of a wrong opening.
LARGEST_CHANGE = 1_000_000


# A price of more days ago is that of something that is no longer traded.
OLD_DAYS = 60
# As much as is shown of what a server says in place of prices.
SAID_LENGTH = 80


class Quote:
    def __init__(self, symbol, name, opened, price, date=None):
        self.symbol, self.name, self.opened, self.price, self.date = symbol, name, opened, price, date

    @property
    def change(self):
        """In percent since the opening; None where that is not known, and below zero, where percents mean nothing."""
        if not self.opened or self.opened < 0 or self.price < 0:
            return None
        change = 100 * (self.price - self.opened) / self.opened
        return change if change < LARGEST_CHANGE else None


def quotes(content):
    """The rows of a table with the columns Symbol, Open and Close, and perhaps Name; a price N/D is None.

    A row that cannot be read costs itself alone.
    """
    lines = re.split(r"\r\n|\n|\r", letters(content).lstrip("\ufeff").replace("\0", ""))
    names, separator = [], ","
    for separator in ",;\t":
        names = [name.strip().lower() for name in next(records(lines[:1], separator), [])]
        if COLUMNS <= set(names):
            break
    else:
        raise Failure(f"the server did not answer with prices{said(lines)}")
    found = []
    for fields in records(lines[1:], separator):
        row = dict(zip(names, fields))
        symbol = str(row.get("symbol") or "").strip().upper()
        opened, price = (value(row.get(name), separator) for name in ("open", "close"))
        if symbol:
            name, date = " ".join((row.get("name") or "").split()), day(row.get("date"))
            quote = Quote(symbol, name, opened, price, date) if price is not None else None
            found.append((symbol, quote))
    if not found:
        raise Failure("the server answered without a price")
    return found


def letters(content):
    """A table as text: in UTF-16 where a mark says so, as spreadsheets write “Unicode text”, in UTF-8, or else in Windows-1252."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8")
    except UnicodeError:
        is_other = content.count(b"\xff") + content.count(b"\xfe") == 0
        return content.decode("cp1252" if is_other else "utf-8", "replace")


def said(lines):
    """What a server says in a line of plain words, such as that it has answered enough today; empty for anything else."""
    words = " ".join(" ".join(lines).split())
    return f": “{words}”" if 0 < len(words) <= SAID_LENGTH and words.isprintable() and not re.search("[<{\\[\ufffd]", words) else ""


def day(words):
    """A date as 2031-02-03 or 20310203; None for anything else."""
    match = re.fullmatch(r"\s*([0-9]{4})(-?)([0-9]{2})\2([0-9]{2})\s*", words or "")
    try:
        return datetime.date(int(match[1]), int(match[3]), int(match[4])) if match else None
    except ValueError:
        return None


def records(lines, separator):
    """The fields of each line, or of several with a field over them; one that is no CSV, as with an open quote, is left out."""
    index = 0
    while index < len(lines):
        for count in range(1, FIELD_LINES + 1):
            try:
                yield from list(csv.reader(["\n".join(lines[index : index + count])], strict=True, delimiter=separator))
                break
            except csv.Error:
                continue
        else:
            count = 1
        index += count


def value(words, separator=","):
    """A number; in a table with another separator its comma is a decimal one, as where such tables are made."""
    words = re.sub(r"(?<=[0-9])[\u00a0\u2009\u202f](?=[0-9]{3})", "", (words or "").strip()).replace("\u2212", "-")
    if separator != "," and re.fullmatch(r"[+-]?[0-9]*,[0-9]+|[+-]?[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+", words):
        words = words.replace(".", "").replace(",", ".")
    found = float(words.replace(",", "")) if NUMBER.fullmatch(words) else None
    # Without the sign of −0.
    return found + 0.0 if found is not None and abs(found) < 1e15 else None


def price_words(price):
    """As many places as a price of its size needs; yields and futures can be below zero."""
    size = abs(price)
    places = 2 if size >= 1 or not size else 4 if size >= 0.01 else 8
    if 0 < size < 1e-6:
        # Coins of which there are billions of billions: three digits, wherever they are.
        places = min(20, 2 - math.floor(math.log10(size)))
    return f"{price:,.{places}f}".replace("-", "−")


class Stocks(Widget):

    def initialize(self):
        self.quotes = []
        self.history = self.load("history", {})
        if not isinstance(self.history, dict):
            self.history = {}

    def view(self):
        return self.draw() if self.quotes else None

    def widget_perform_update(self, reason):
        symbols = [word.strip() for word in self.setting("symbols", []) if word.strip()]
        if not symbols:
            return self.instructions("No symbols yet.", "Press , to list them, such as AAPL.US or BTC.V.")
        template = self.setting("server", SERVER)
        if "{symbols}" not in template:
            raise Failure("the address of the server needs {symbols} where the symbols belong")
        words = "+".join(urllib.parse.quote(word.lower(), safe=".^") for word in symbols)
        found = quotes(fetch(template.replace("{symbols}", words)))
        answered = {symbol for symbol, _ in found}
        # What a server leaves out is missing on the card too, in words.
        found += [(symbol, None) for symbol in map(str.upper, symbols) if not self.has(symbol, answered)]
        if not any(quote for _, quote in found):
            # Prices that were known before stay on the card, as old as they are.
            is_first, self.quotes = not self.quotes, self.quotes or found
            raise Failure("the server has no price of " + ", ".join(symbol for symbol, _ in found), view=self.draw() if is_first else None)
        self.quotes = found
        kept = {}
        for symbol, quote in self.quotes:
            values = self.history.get(symbol)
            values = [one for one in values if isinstance(one, (int, float))] if isinstance(values, list) else []
            kept[symbol] = (values + ([quote.price] if quote else []))[-KEPT:]
        self.history = kept
        self.store("history", kept)
        return self.draw()

    @staticmethod
    def has(symbol, answered):
        """Whether a symbol was answered, perhaps with the exchange that was left out."""
        return any(one == symbol or one.startswith(f"{symbol}.") for one in answered)

    def draw(self):
        full, short = [], []
        is_wide = self.width >= 36
        for symbol, quote in self.quotes:
            row = self.row(symbol, quote)
            row = row if is_wide else [row[0], *row[2:]]
            short.append(row)
            full.append(row)
            if quote and quote.name and quote.name.lower() != symbol.lower():
                full.append([secondary(quote.name), *[""] * (len(row) - 1)])
        shapes = ["leading", *(["leading"] if is_wide else []), *({"alignment": "trailing", "priority": 1},) * 2]
        return grid(self.fit(full, short), shapes)

    def row(self, symbol, quote):
        if not quote:
            return [text(symbol), "", text("no price", "orange"), ""]
        if quote.date and (self.now().date() - quote.date).days > OLD_DAYS:
            # What is no longer traded has not changed today, whatever it did on its last day.
            return [text(symbol), "", text(price_words(quote.price)), text(f"of {quote.date.day} {quote.date:%b %Y}", "orange")]
        change = quote.change or 0.0
        # Currencies change by some hundredths in a day; what is less than one is no change.
        places = 2 if 0 < round(abs(change), 2) < 0.1 else 1
        change = round(change, places)
        colour = "green" if change > 0 else "red" if change < 0 else "secondaryLabel"
        sign = "+" if change > 0 else "−" if change < 0 else ""
        words = f"{sign}{abs(change):.{places}f} %" if quote.change is not None else "–"
        course = self.history.get(symbol, [])
        line = {**sparkline(course), "frame": {"maxWidth": 16}} if len(course) > 1 else ""
        return [text(symbol), line, text(price_words(quote.price)), text(words, colour)]


if __name__ == "__main__":
    Stocks().run()
