"""Passwords that a server has refused, which must not be tried again: it would lock the account."""

import hashlib
import os

ROUNDS = 100_000


def mark(server, user, password, salt=None):
    """What is kept of a refusal: nothing that the password can be read from."""
    salt = salt or os.urandom(16).hex()
    digest = hashlib.pbkdf2_hmac("sha256", "\0".join((server, user, password)).encode(), salt.encode(), ROUNDS)
    return {"salt": salt, "digest": digest.hex()}


def is_marked(kept, server, user, password):
    """Whether this is what was refused."""
    salt = kept.get("salt") if isinstance(kept, dict) else None
    return isinstance(salt, str) and mark(server, user, password, salt) == kept
