def is_outside(card, what):
    """Whether the script runs with the rights of its user; otherwise the card says what the sandbox lacks.

    Only there a script has a folder of its own in TODAY_DATA.
    """
    if not os.environ.get("TODAY_DATA"):
        return True
    card.hint(
        f"The sandbox has no {what}.",
        "Copy this script to ~/.config/today/scripts, where it runs with your rights, and remove this one.",
    )
    return False
