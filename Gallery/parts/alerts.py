def show_alerts(card, alerts, page):
    """Shows what the API of Alertmanager (version 2) answers; `page` is where all of them can be seen."""
    if not isinstance(alerts, list):
        raise Failure("the server sent an unexpected response")
    severities = ["critical", "page", "error", "high", "warning", "medium", "info", "low", "none"]
    rows, lost = [], 0
    for alert in alerts:
        labels = alert.get("labels") if isinstance(alert, dict) else None
        if not isinstance(labels, dict):
            lost += 1
            continue
        severity = words(labels.get("severity"), 20).lower()
        place = severities.index(severity) if severity in severities else 4
        notes = alert.get("annotations") if isinstance(alert.get("annotations"), dict) else {}
        where = next((words(labels.get(name)) for name in ("instance", "pod", "service", "job") if words(labels.get(name))), "")
        told = [words(notes.get(name)) for name in ("summary", "description", "message")]
        details = [(one, "") for one in dict.fromkeys(told) if one]
        details += [
            (f"{words(name)}: {words(value)}", "")
            for name, value in sorted(labels.items())
            if words(value) and name != "alertname"
        ][:12]
        look = BAD if place < 4 else WARN if place < 6 else QUIET
        source = words(alert.get("generatorURL"), 2000)
        link = source if source.startswith("http") else page
        note = " · ".join(part for part in (severity or "no severity", where) if part)
        rows.append(
            (
                place,
                moment(alert.get("startsAt")) or 0,
                look,
                words(labels.get("alertname")) or "no name",
                note,
                age(alert.get("startsAt")),
                link,
                details,
            )
        )
    for _, _, look, name, note, right, link, details in sorted(rows, key=lambda one: one[:2]):
        card.add(look, name, note, right, link, details)
    if not alerts:
        return card.show("No alerts", GOOD)
    severe = sum(row[2] is BAD for row in rows)
    told = f"{len(alerts)} firing" + (f", {severe} severe" if severe else "")
    return card.show(told + (f", {lost} cannot be read" if lost else ""), BAD if severe else WARN)
