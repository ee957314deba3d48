def read_json(text, name):
    """The JSON that a program has printed; numbers that are none are None."""
    try:
        return json.loads(text, strict=False, parse_constant=lambda _: None)
    except (ValueError, RecursionError) as error:
        raise Failure(f"{name} did not answer with JSON") from error
