"""Entries in groups, as the expanded form of the card shows them."""

import datetime

from entries import today

BY_DUE = "due"
BY_PROJECT = "project"
UNGROUPED = "none"


class Group:
    """Entries with a heading; `name` tells it from others, and `style` is that of the heading."""

    def __init__(self, name, heading, style=None):
        self.name = name
        self.heading = heading
        self.style = style or {"foreground": "secondaryLabel", "bold": True}
        self.entries = []

    @property
    def says_due(self):
        """Whether the heading says when all of its entries are due."""
        return self.name in ("today", "tomorrow")


#: What a list is that has no groups.
ALL = Group("all", None)


def grouped(entries, kind):
    """The groups that have entries; one without a heading if there is nothing to tell apart."""
    if kind == BY_DUE:
        groups = by_due(entries)
    elif kind == BY_PROJECT:
        groups = by_project(entries)
    else:
        groups = []
    groups = [group for group in groups if group.entries]
    if len(groups) < 2 and all(group.name in ("none", "undated") for group in groups):
        only = Group("all", None)
        only.entries = list(entries)
        return [only]
    return groups


def by_due(entries):
    late = Group("late", "Late", {"foreground": "red", "bold": True})
    now = Group("today", "Today", {"foreground": "orange", "bold": True})
    next_day = Group("tomorrow", "Tomorrow")
    week, later, undated = Group("week", "Next 7 days"), Group("later", "Later"), Group("undated", "No date")
    for entry in entries:
        if not entry.due:
            undated.entries.append(entry)
            continue
        days = (entry.due - today()).days
        group = late if days < 0 else {0: now, 1: next_day}.get(days) or (week if days <= 7 else later)
        group.entries.append(entry)
    for group in (late, week, later):
        # The order of others is kept within a day.
        group.entries.sort(key=lambda entry: (entry.is_done, entry.due))
    return [late, now, next_day, week, later, undated]


def by_project(entries):
    """Projects in the order of their first entries, and those without one at the end."""
    groups, rest = {}, Group("none", "No project")
    for entry in entries:
        if entry.project:
            groups.setdefault(entry.project, Group(f"project {entry.project}", entry.project)).entries.append(entry)
        else:
            rest.entries.append(entry)
    return [*groups.values(), rest]


def next_midnight(now):
    """The seconds until words such as “tomorrow” mean another day."""
    midnight = (now + datetime.timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    return max(1, int((midnight - now).total_seconds()) + 1)
