def each(function, values):
    """What a function makes of each value, at the same time; in the place of one that has failed is its Failure."""

    def attempt(value):
        try:
            return function(value)
        except Failure as failure:
            return failure
        except (TypeError, ValueError, KeyError, AttributeError, IndexError) as error:
            return Failure(f"the answer cannot be read ({type(error).__name__})")

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        return list(pool.map(attempt, values))
