"""Names of months as programs of many languages write them in feeds, and dates in the scripts of East Asia."""

import re
import unicodedata

# The beginnings of the names, without accents; of those that fit, the longest applies.
BEGINNINGS = [
    "jan janv jaan gen ene ian sty led sij tam oca sau янв січ ιαν يناير ינואר",
    "feb fev lut uno velj hel sub vas veeb фев лют φεβ فبراير פברואר",
    "mar marz maerz mrz mrt brez ozu maalis kov мар бер μαρ مارس מרץ",
    "apr avr abr kwi dub trav huh nis bal апр кві απρ ابريل אפריל",
    "may mai mag maj mei kve svib touk geg мая маи тра μαι μαη مايو מאי",
    "jun juin giu cze cerven cervn lipan lipnj kesa haz bir июн чер ιουν يونيو יוני",
    "jul juil lug lip cervenec cervenc srpan srpnj hein tem lie июл лип ιουλ يوليو יולי",
    "aug aou ago agu sie srp kol elok rugp авг сер αυγ اغسطس אוגוסט",
    "sep sept set wrz zar ruj syys eyl rugs szept сен вер σεπ سبتمبر ספטמבר",
    "oct okt ott out paz rij loka eki spal окт жов οκτ اكتوبر אוקטובר",
    "nov lis marras kas lapk stud ноя νοε نوفمبر נובמבר",
    "dec dez dic des gru pros joul ara дек гру δεκ ديسمبر דצמבר",
]
MONTHS = {beginning: month for month, words in enumerate(BEGINNINGS, 1) for beginning in words.split()}
WORD = re.compile(r"[^\W\d_]{3,14}")
# 2019年8月15日(木) and 2019년 8월 15일
EASTERN_DAY = re.compile(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]?(?:\s*\(\w{1,3}\))?")
EASTERN_TIME = re.compile(r"(\d{1,2})\s*[時时点點시]\s*(\d{1,2})\s*[分분](?:\s*(\d{1,2})\s*[秒초])?")
EASTERN_HALF = re.compile(r"(오전|오후|上午|下午|午前|午後)\s*(\d{1,2}:\d{2}(?::\d{2})?)")
AFTERNOON = {"오후", "下午", "午後"}
# 2019/8/5 and 2019. 8. 5.
SHORT_PARTS = re.compile(r"(\d{4})([-/.])\s?(\d{1,2})\2\s?(\d{1,2})(?!\d)\.?")
# 15 8 2019 and 15 8月 2019, as programs write it where months have no names; 八月 is one.
MIDDLE_MONTH = re.compile(r"(\d{1,2})\s+(\d{1,2})月?\s+(\d{4})(?!\d)")
HAN_MONTHS = {name: number for number, name in enumerate("一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月".split(), 1)}
HAN_MONTH = re.compile("(十[一二]?|[一二三四五六七八九])月")
# Lines and signs that stand for those of ASCII, and marks of direction that nobody sees.
LINES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\u058a", "-") | dict.fromkeys("\u200e\u200f\u202a\u202b\u202c\u061c\u2066\u2067\u2068\u2069"))
# 2004-július-13T9:15
YEAR_FIRST = re.compile(r"(\d{4})[-./\s]+([^\W\d_]{3,14})[-./\s]+(\d{1,2})(?!\d)[.,]?")
DAY_OF_WEEK = re.compile(r"[^\W\d_]{1,14}[.,]*\s+(?=\d{4}[-./年년]|\d{1,2}[./]\d|\d{1,2}\s+\d{1,2}月?\s+\d{4})")


def usual(words):
    """A date with digits of ASCII, with months in numbers where the year is first, and without a day of the week there."""
    words = unicodedata.normalize("NFKC", words).translate(LINES)
    words = "".join(str(unicodedata.decimal(letter)) if letter.isdecimal() else letter for letter in words).strip()
    words = HAN_MONTH.sub(lambda found: f"{HAN_MONTHS[found[0]]}月", words)
    day_of_week = DAY_OF_WEEK.match(words)
    words = words[day_of_week.end() :] if day_of_week else words
    words = EASTERN_DAY.sub(lambda found: f"{found[1]}-{int(found[2]):02}-{int(found[3]):02} ", words)
    words = EASTERN_TIME.sub(lambda found: f"{found[1]}:{int(found[2]):02}:{int(found[3] or 0):02}", words)
    words = EASTERN_HALF.sub(lambda found: f"{found[2]} {'PM' if found[1] in AFTERNOON else 'AM'}", words)
    short = SHORT_PARTS.match(words)
    if short:
        words = f"{short[1]}-{int(short[3]):02}-{int(short[4]):02}{words[short.end():]}"
    middle = MIDDLE_MONTH.match(words)
    if middle:
        words = f"{middle[3]}-{int(middle[2]):02}-{int(middle[1]):02}{words[middle.end():]}"
    year_first = YEAR_FIRST.match(words)
    if year_first and (number := month(year_first[2])):
        words = f"{year_first[1]}-{number:02}-{int(year_first[3]):02}{words[year_first.end():]}"
    return words


def month(word):
    """The number of the month that a word names; None if it names none."""
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(letter))
    fitting = [beginning for beginning in MONTHS if plain.startswith(beginning)]
    return MONTHS[max(fitting, key=len)] if fitting else None


def named(words):
    """Where the name of a month is in words, and its number; None if there is none.

    The first word can be the day of the week that begins like a month: mar. 15 janv. 2019.
    """
    found = [(match.span(), number) for match in WORD.finditer(words) if (number := month(match[0]))]
    if not found:
        return None
    return found[1] if len(found) > 1 and found[0][0][0] == 0 else found[0]
