def state_file(name):
    """The path of a file that is kept between runs: in the folder of the card, or in the cache of the user."""
    folder = os.environ.get("TODAY_DATA") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "today-gallery"
    )
    os.makedirs(folder, mode=0o700, exist_ok=True)
    return os.path.join(folder, name)


def load(name, default):
    """What was kept; `default` if there is nothing of its kind."""
    try:
        with open(state_file(name), encoding="utf-8") as file:
            value = json.load(file)
    except (OSError, ValueError, RecursionError):
        return default
    return value if isinstance(value, type(default)) else default


def keep(name, value):
    """Keeps a value, whole or not at all. A full disk costs what is kept, and not the card."""
    try:
        path = state_file(name)
        part = f"{path}.{os.getpid()}"
        with open(part, "w", encoding="utf-8") as file:
            json.dump(value, file)
        os.replace(part, path)
    except OSError as error:
        print(f"nothing is kept: {error.strerror}", file=sys.stderr)
