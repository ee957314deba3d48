#!/usr/bin/env python3
"""Writes the Swift table of cell widths from wcwidth of the C library, and of the current Unicode.

    python3 -m pip install wcwidth        # https://pypi.org/project/wcwidth/, tables of the current Unicode
    Scripts/make-cell-widths.py > Sources/WidgetKitCore/Text/CellWidth+Tables.swift

ncurses moves its cursor by wcwidth of the C library, so the table must agree with it where it knows a
character. A test compares both for every code point; if a new C library differs, run this again. Characters
that are younger than the C library have the width that they have in Unicode, and what is not assigned at
all takes one cell, or two where Unicode has reserved a plane for ideographs.
"""

import ctypes
import locale

import wcwidth as unicode

LAST = 0x10FFFF


def ranges(width_of, wanted):
    """Closed ranges of code points from U+0080 on whose width is `wanted`."""
    found, first = [], None
    for code in range(0x80, LAST + 2):
        if code <= LAST and width_of(code) == wanted:
            first = code if first is None else first
        elif first is not None:
            found.append((first, code - 1))
            first = None
    return found


def is_no_character(code):
    """Controls, surrogates (not scalar values: they cannot occur in text) and noncharacters."""
    return (code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code <= 0xDFFF
            or 0xFDD0 <= code <= 0xFDEF or code & 0xFFFE == 0xFFFE)


def literal(code):
    digits = f"{code:X}"
    if len(digits) <= 4:
        return "0x" + digits
    return "0x" + digits[:-4] + "_" + digits[-4:]


def table(name, comment, pairs):
    print(f"  /// {comment}")
    print(f"  static let {name}: [UInt32] = [")
    line = "   "
    for first, last in pairs:
        item = f" {literal(first)}, {literal(last)},"
        if len(line) + len(item) > 98:
            print(line)
            line = "   "
        line += item
    print(line)
    print("  ]")


def main():
    locale.setlocale(locale.LC_ALL, "C.UTF-8")
    wcwidth = ctypes.CDLL(None).wcwidth
    wcwidth.argtypes = [ctypes.c_wchar]
    wcwidth.restype = ctypes.c_int

    def width_of(code):
        if is_no_character(code):
            return -1
        known = wcwidth(chr(code))
        return known if known >= 0 else unicode.wcwidth(chr(code))

    print(f"// Written by Scripts/make-cell-widths.py with the tables of Unicode {unicode.list_versions()[-1]}; do not edit.")
    print("// swift-format-ignore-file")
    print()
    print("extension CellWidth {")
    table("unprintable", "First and last of each range that shows nothing of its own.",
          ranges(width_of, -1))
    print()
    table("zero", "First and last of each range of marks that take no cell.",
          ranges(width_of, 0))
    print()
    table("wide", "First and last of each range that takes two cells.",
          ranges(width_of, 2))
    print("}")


main()
