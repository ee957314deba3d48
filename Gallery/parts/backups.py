def show_backups(card, repositories, last, example):
    """Shows the age of the last backups of each repository; `last` returns the moment and the name of each."""
    if not repositories:
        card.hint("No repositories yet.", f"Press , and set VAR_REPOSITORIES, {example}.")
        return
    limit = number(setting("VAR_HOURS"), 0, 1e6) or 26
    rows, failures = [], []

    def attempt(repository):
        try:
            return last(repository)
        except Failure as failure:
            return failure
        except (TypeError, ValueError, KeyError, AttributeError, IndexError):
            return Failure("the answer cannot be read")

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        answers = list(zip(repositories, pool.map(attempt, repositories)))
    for repository, found in answers:
        # An address may have a password in it.
        name = re.sub(r"//[^/@]*@", "//", repository.rstrip("/"))
        short = name.split("/")[-1] or name
        if isinstance(found, Failure):
            failures.append(found)
            rows.append((0, UNSURE, short, str(found), "", [(name, ""), (str(found), "")]))
            continue
        if not found:
            rows.append((-1, BAD, short, "no backup", "never", [(name, "")]))
        for when, label in found:
            title, details = f"{short}: {label}" if len(found) > 1 and label else short, [(name, ""), (label, "")]
            if when is None:
                rows.append((-1, BAD, title, "no date", "", details))
                continue
            seconds = time.time() - when
            late = seconds > limit * 3600
            very = seconds > 3 * limit * 3600
            look = BAD if very else WARN if late else GOOD
            rows.append(
                (-seconds if late else 4e9 - seconds, look, title, "late" if late else "in time", span(seconds), details)
            )
    if len(failures) == len(rows):
        raise failures[0]
    for _, look, name, note, right, details in sorted(rows, key=lambda row: row[0]):
        card.add(look, name, note, right, details=details)
    late = sum(row[1] in (BAD, WARN) for row in rows)
    parts = [(late, "late"), (len(failures), "cannot be read")]
    told = ", ".join(f"{count} {what}" for count, what in parts if count)
    look = BAD if any(row[1] is BAD for row in rows) else WARN
    newest = "All backups are up to date" if len(rows) > 1 else f"{rows[0][4]} ago"
    card.show(told or newest, look if told else GOOD)
