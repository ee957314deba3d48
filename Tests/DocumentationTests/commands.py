"""Commands that tests of packages run."""

import subprocess


def run(words, folder, environment, fails=False):
    """Runs a command to its end, which is to fail or not; returns what it prints."""
    result = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False)
    if fails != (result.returncode != 0):
        raise AssertionError(f"{words}: {result.returncode}\n{result.stdout}\n{result.stderr}")
    return result.stdout + result.stderr
