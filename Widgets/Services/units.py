"""Units of systemd, as systemctl describes them: those that have failed, and those with some names."""

import re

from todaykit import Failure, run

PROPERTIES = "Id,Names,Description,LoadState,ActiveState,SubState"
# One that is watched costs an answer of its own where the one about all fails.
SINGLE_ANSWERS = 20
# What systemctl says where an account has no manager (sd-bus: ENOENT, ENOMEDIUM, ENXIO, and without variables).
NO_MANAGER = re.compile(
    r"Failed to connect to (?:the )?(?:user scope |system scope )?bus.*: (?:No such file or directory|No medium found|"
    r"No such device or address|\$DBUS_SESSION_BUS_ADDRESS)"
)
# Why a unit is not there, though there is a file of it.
BROKEN = ("masked", "bad-setting", "error")
NOT_BOOTED = "not been booted with systemd"
# Colours and links, which some settings ask for also where there is no terminal (SYSTEMD_COLORS=1).
SEQUENCE = re.compile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\))")


class NoManager(Failure):
    """There is no manager of this kind here."""


class Unit:
    def __init__(self, name, state, detail, words, manager):
        self.name, self.state, self.detail, self.words, self.manager = name, state, detail, words, manager
        self.journal = []


def systemctl(manager, *words, seconds=6):
    options = ["--user"] if manager == "user" else []
    try:
        return SEQUENCE.sub("", run(["systemctl", *options, "--no-pager", *words], seconds=seconds, install="systemd"))
    except Failure as failure:
        if NOT_BOOTED in failure.output:
            # It says so first, and last what its library makes of that.
            raise Failure("this system has not been booted with systemd") from failure
        if NO_MANAGER.search(str(failure)):
            raise NoManager(bare(failure)) from failure
        raise


def bare(failure):
    return str(failure).removeprefix("systemctl: ")


def failed(manager):
    """The failed units of a manager, "system" or "user", and the number of lines that cannot be read."""
    found, unread = [], 0
    output = systemctl(manager, "list-units", "--state=failed", "--plain", "--no-legend", "--full")
    for line in output.splitlines():
        # Some versions mark units even with --plain.
        fields = re.sub(r"^\s*[●○×↻*]\s+", "", line).split(None, 4)
        if len(fields) >= 4 and "failed" in fields[2:4]:
            words = fields[4] if len(fields) > 4 else ""
            found.append(Unit(fields[0], "failed", fields[3], words, manager))
        elif fields:
            unread += 1
    return found, unread


def watched(manager, names):
    """The units with some names, each of which is shown: a pattern has those that it matches."""
    names = list(dict.fromkeys(name.strip() for name in names if name.strip()))
    single = [name for name in names if not is_pattern(name) and not is_template(name)]
    answers = answered(manager, single)
    found = {}
    for name in names:
        if is_template(name):
            words = f"watch {name.replace('@.', '@*.')} for its instances"
            units = [Unit(name, "template", "", words, manager)]
        elif is_pattern(name):
            units = matching(manager, name)
        else:
            units = [answers[name]]
        for unit in units:
            found.setdefault(unit.name, unit)
    return list(found.values())


def is_pattern(name):
    return any(letter in name for letter in "*?[")


def is_template(name):
    """Whether a name is that of a template, which has no state: getty@.service, or getty@."""
    return re.search(r"@(\.[a-z]+)?$", name) is not None and not is_pattern(name)


def answered(manager, names):
    """What `systemctl show` says about units, by the names that it was asked for."""
    if not names:
        return {}
    try:
        found = by_name(names, blocks(manager, names))
    except Failure as failure:
        # One name that it does not take costs the answer about all.
        found = {}
        if isinstance(failure, NoManager) or "did not answer" in str(failure):
            return {name: Unit(name, "unknown", "", bare(failure), manager) for name in names}
        for name in names[:SINGLE_ANSWERS]:
            try:
                found.update(by_name([name], blocks(manager, [name], seconds=2)))
            except Failure as one:
                found[name] = Unit(name, "unknown", "", bare(one), manager)
    nothing = "systemctl says nothing about it"
    return {name: found.get(name) or Unit(name, "unknown", "", nothing, manager) for name in names}


def matching(manager, pattern):
    """The loaded units that a pattern matches."""
    try:
        found = [unit for unit, _ in blocks(manager, [pattern])]
    except Failure as failure:
        return [Unit(pattern, "unknown", "", bare(failure), manager)]
    return found or [Unit(pattern, "missing", "", "no unit that is loaded matches", manager)]


def blocks(manager, names, seconds=6):
    """The blocks of properties for units, each with all names of its unit."""
    output = systemctl(manager, "show", f"--property={PROPERTIES}", "--", *names, seconds=seconds)
    found = []
    for block in re.split(r"\n{2,}", output.strip("\n")):
        values = dict(line.partition("=")[::2] for line in block.splitlines())
        state = values.get("ActiveState", "")
        if values.get("LoadState") == "not-found" and state != "failed":
            state, values["SubState"] = "missing", ""
            values["Description"] = "there is no such unit"
        elif values.get("LoadState") in BROKEN and state == "inactive":
            # A unit that cannot be started is not one that waits to be.
            state, values["SubState"] = values["LoadState"], ""
        if state:
            detail, words = values.get("SubState", ""), values.get("Description", "")
            unit = Unit(values.get("Id", ""), state, detail, words, manager)
            found.append((unit, {unit.name, *values.get("Names", "").split()}))
    return found


def by_name(names, found):
    """The units by the names that were asked for: a name can be short (ssh), a path, or an alias."""
    in_order = len(found) == len(names)
    result = {}
    for index, name in enumerate(names):
        unit = next((unit for unit, all_names in found if all_names & {name, name + ".service"}), None)
        unit = unit or (found[index][0] if in_order else None)
        if unit:
            unit.name = unit.name or name
            result[name] = unit
    return result
