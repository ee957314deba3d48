def run(*command, install="", codes=(0,), seconds=8, environment=None, notes=None):
    """What a program prints; a Failure in words if it is missing, slow, or fails. No shell reads the command.

    What it writes on standard error is added to the list `notes`.
    """
    name = command[0]
    if not shutil.which(name):
        raise Failure(f"{name} is not installed" + (f"; install it with: {install}" if install else ""))
    environment = {**os.environ, "LC_ALL": "C.UTF-8", **(environment or {})}
    try:
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            start_new_session=True,
        ) as process:
            try:
                output, errors = process.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                # With what it has started, which could keep the pipe open.
                os.killpg(process.pid, signal.SIGKILL)
                raise Failure(f"{name} did not answer within {seconds} s") from None
    except OSError as error:
        raise Failure(f"{name} cannot be run: {error.strerror}") from error
    if notes is not None:
        notes.append(errors.decode("utf-8", "replace"))
    if process.returncode not in codes:
        lines = (errors.decode("utf-8", "replace").strip() or output.decode("utf-8", "replace").strip()).splitlines()
        # What follows an error is advice; without one, the last line says most.
        told = next((line for line in lines if re.match(r"(?i)\W*(fatal|error)\b", line)), lines[-1] if lines else "")
        raise Failure(f"{name}: {words(told, 160) or f'exit status {process.returncode}'}")
    return output.decode("utf-8", "replace")
