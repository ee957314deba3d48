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
# 2004-július-13T9:15
YEAR_FIRST = re.compile(r"(\d{4})[-./\s]+([^\W\d_]{3,14})[-./\s]+(\d{1,2})(?!\d)[.,]?")
DAY_OF_WEEK = re.compile(r"[^\W\d_]{1,14}[.,]*\s+(?=\d{4}[-./年년]|\d{1,2}[./]\d)")


def usual(words):
    """A date with digits of ASCII, with months in numbers where the year is first, and without a day of the week there."""
    words = unicodedata.normalize("NFKC", words)
    words = "".join(str(unicodedata.decimal(letter)) if letter.isdecimal() else letter for letter in words).strip()
    day_of_week = DAY_OF_WEEK.match(words)
    words = words[day_of_week.end() :] if day_of_week else words
    words = EASTERN_DAY.sub(lambda found: f"{found[1]}-{int(found[2]):02}-{int(found[3]):02} ", words)
    words = EASTERN_TIME.sub(lambda found: f"{found[1]}:{int(found[2]):02}:{int(found[3] or 0):02}", words)
    words = EASTERN_HALF.sub(lambda found: f"{found[2]} {'PM' if found[1] in AFTERNOON else 'AM'}", words)
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
