class SameServer(urllib.request.HTTPRedirectHandler):
    """Follows a redirection on the same server only, as headers with a token go along."""

    def redirect_request(self, request, *others):
        there, here = urllib.parse.urlsplit(others[-1]), urllib.parse.urlsplit(request.full_url)
        if (there.scheme, there.netloc) != (here.scheme, here.netloc):
            address = f"{there.scheme}://{there.hostname}"
            raise Failure(f"{here.hostname} redirects to {words(address, 80)}; set that address")
        return super().redirect_request(request, *others)


def fetch(url, headers=None, body=None, method=None, token="the token", seconds=8, limit=4 << 20):
    """The bytes that a server answers; with a `limit` of 0 nothing is read. It may not accept the setting `token`."""
    try:
        parts = urllib.parse.urlsplit(url)
    except ValueError:
        parts = urllib.parse.urlsplit("")
    if parts.scheme not in ("https", "http") or not parts.hostname:
        raise Failure(f"{words(url, 60)} is not an address such as https://example.com")
    host = words(parts.hostname, 80)
    problems = {
        401: f"{host} does not accept {token}; press , to set another",
        403: f"{host} refused the request: {token} is missing or lacks the permission, or there were too many requests",
        404: f"{host} has no such page (404)",
        429: f"{host} is rate-limiting requests; trying again at the next update",
    }
    try:
        request = urllib.request.Request(
            url, body, {"User-Agent": "today", "Accept": "application/json", **(headers or {})}, method=method
        )
        opener = urllib.request.build_opener(*([SameServer] if headers or body else []))
        with opener.open(request, timeout=seconds) as answer:
            content = answer.read(limit + 1) if limit else b""
    except urllib.error.HTTPError as error:
        other = "reports a server error" if error.code >= 500 else "refused the request"
        raise Failure(problems.get(error.code, f"{host} {other} ({error.code})")) from error
    except TimeoutError as error:
        raise Failure(f"{host} did not answer within {seconds} s") from error
    except urllib.error.URLError as error:
        reason = error.reason
        if isinstance(reason, ssl.SSLError):
            raise Failure(f"the certificate of {host} is not valid: {words(reason, 80)}") from error
        if isinstance(reason, TimeoutError):
            raise Failure(f"{host} did not answer within {seconds} s") from error
        raise Failure(f"{host} cannot be reached: {words(getattr(reason, 'strerror', None) or reason, 80)}") from error
    except (ValueError, http.client.InvalidURL) as error:
        raise Failure(f"the address of {host} or {token} has characters that it cannot have") from error
    except (OSError, http.client.HTTPException) as error:
        raise Failure(f"{host} sent an unexpected response") from error
    if len(content) > limit:
        raise Failure(f"{host} answers with more than {limit >> 20} MiB")
    return content


def fetch_json(url, **options):
    """The JSON that a server answers; numbers that are none are None."""
    content = fetch(url, **options)
    try:
        return json.loads(content.decode("utf-8", "replace"), strict=False, parse_constant=lambda _: None)
    except (ValueError, RecursionError) as error:
        raise Failure(f"{urllib.parse.urlsplit(url).hostname} did not answer with JSON") from error
