#!/usr/bin/env python3
"""A web server on the loopback for tests of transfers; it behaves badly on request.

It listens on two ports, which it prints in one line, and keeps a list of the requests:

/file?size=N[&tag=T]           N bytes, with ranges; without a tag they cannot be resumed
/slow?size=N&rate=R            the same at R bytes a second
/breaks?size=N&at=M[&tag=T]    the first response ends after M bytes, and so does each without a range
/lies?size=N&claims=M          claims M bytes, and sends N
/changes?size=N&at=M           breaks off, and has another content and tag at the next request
/wrong-part?size=N&at=M        breaks off, and then sends another part than the one asked for
/status?code=C[&times=K][&retry=S]   status C, K times (always without it), and then a text
/redirect?to=URL[&code=C]      a redirection
/echo                          what was sent
/log                           the requests so far, as JSON
"""
import http.server
import json
import sys
import threading
import time
import urllib.parse

requests = []
counts = {}
lock = threading.Lock()


def content(size, salt=0):
    return bytes((index * 7 + index // 251 + salt) % 251 for index in range(size))


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self):
        url = urllib.parse.urlsplit(self.path)
        query = {k: v[0] for k, v in urllib.parse.parse_qs(url.query).items()}
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with lock:
            count = counts[self.path] = counts.get(self.path, 0) + 1
            if url.path != "/log":
                requests.append(
                    {
                        "method": self.command,
                        "path": self.path,
                        "headers": {k.lower(): v for k, v in self.headers.items()},
                        "body": len(body),
                        "port": self.server.server_port,
                    }
                )
        name = url.path.strip("/").replace("-", "_")
        getattr(self, f"do_{name}", self.missing)(query, body, count)
        self.wfile.flush()

    do_GET = do_POST = do_PUT = answer

    def reply(self, status, data=b"", headers=(), claims=None):
        self.send_response(status)
        for key, value in headers:
            self.send_header(key, value)
        self.send_header("Content-Length", str(len(data) if claims is None else claims))
        self.end_headers()
        self.wfile.write(data)
        if claims is not None and claims != len(data):
            self.close_connection = True

    def missing(self, query, body, count):
        self.reply(404, b"missing")

    def part(self, data, tag):
        """The start of the range that was asked for, its status and its headers."""
        asked = self.headers.get("Range", "")
        if tag and asked.startswith("bytes=") and self.headers.get("If-Range") == f'"{tag}"':
            start = int(asked[6:].split("-")[0])
            span = f"bytes {start}-{len(data) - 1}/{len(data)}"
            return start, 206, [("Content-Range", span), ("ETag", f'"{tag}"')]
        return 0, 200, [("ETag", f'"{tag}"')] if tag else []

    def do_file(self, query, body, count):
        data = content(int(query["size"]))
        start, status, headers = self.part(data, query.get("tag"))
        self.reply(status, data[start:], headers)

    def do_slow(self, query, body, count):
        data = content(int(query["size"]))
        start, status, headers = self.part(data, "slow")
        self.send_response(status)
        for key, value in headers:
            self.send_header(key, value)
        self.send_header("Content-Length", str(len(data) - start))
        self.end_headers()
        step = max(1, int(query["rate"]) // 20)
        for place in range(start, len(data), step):
            self.wfile.write(data[place : place + step])
            self.wfile.flush()
            time.sleep(0.05)

    def do_breaks(self, query, body, count):
        data = content(int(query["size"]))
        start, status, headers = self.part(data, query.get("tag"))
        end = int(query["at"]) if start == 0 else len(data)
        self.reply(status, data[start:end], headers, claims=len(data) - start)

    def do_lies(self, query, body, count):
        self.reply(200, content(int(query["size"])), claims=query["claims"])

    def do_short_parts(self, query, body, count):
        data = content(int(query["size"]))
        start, status, headers = self.part(data, "parts")
        if start == 0:
            return self.reply(status, data[: int(query["at"])], headers, claims=len(data))
        end = min(start + int(query["at"]), len(data))
        headers[0] = ("Content-Range", f"bytes {start}-{end - 1}/{len(data)}")
        self.reply(status, data[start:end], headers)

    def do_changes(self, query, body, count):
        data = content(int(query["size"]), salt=min(count, 2))
        start, status, headers = self.part(data, f"version{min(count, 2)}")
        end = int(query["at"]) if count == 1 else len(data)
        self.reply(status, data[start:end], headers, claims=len(data) - start)

    def do_wrong_part(self, query, body, count):
        data = content(int(query["size"]))
        start, status, headers = self.part(data, "tag")
        if start == 0:
            end = int(query["at"]) if count == 1 else len(data)
            return self.reply(status, data[:end], headers, claims=len(data))
        headers[0] = ("Content-Range", f"bytes {start + 5}-{len(data) - 1}/{len(data)}")
        self.reply(status, data[start + 5 :], headers)

    def do_status(self, query, body, count):
        if "times" in query and count > int(query["times"]):
            return self.reply(200, b"at last")
        headers = [("Retry-After", query["retry"])] if "retry" in query else []
        if query["code"] == "401":
            headers.append(("WWW-Authenticate", 'Basic realm="test"'))
        self.reply(int(query["code"]), b"a page of words about the error", headers)

    def do_redirect(self, query, body, count):
        self.reply(int(query.get("code", 302)), b"elsewhere", [("Location", query["to"])])

    def do_echo(self, query, body, count):
        self.reply(200, body, [("Content-Type", "application/octet-stream")])

    def do_log(self, query, body, count):
        with lock:
            self.reply(200, json.dumps(requests).encode())


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass


if __name__ == "__main__":
    servers = [Server(("127.0.0.1", 0), Handler) for _ in range(2)]
    threading.Thread(target=servers[1].serve_forever, daemon=True).start()
    threading.Thread(target=servers[0].serve_forever, daemon=True).start()
    print(*(server.server_port for server in servers), flush=True)
    # Until whoever has started it is gone.
    sys.stdin.read()
