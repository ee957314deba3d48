"""A real HTTP server on the loopback, which answers as a test says."""

import contextlib
import http.server
import json
import threading


class Server:
    """`answers` are pairs of the beginning of a path, and bytes, an object, a status, or a function."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.paths = []
        self.headers = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            # An answer is sent in two parts, of which the second would wait for a word of the client.
            disable_nagle_algorithm = True

            def do_GET(self):
                outer.answer(self)

            do_DELETE = do_GET

            def do_POST(self):
                length = int(self.headers.get("Content-Length") or 0)
                outer.answer(self, self.rfile.read(length))

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, handler, body=b""):
        self.paths.append(handler.path)
        self.headers.append(dict(handler.headers))
        for start, answer in self.answers:
            if handler.path.startswith(start):
                with contextlib.suppress(ConnectionError):  # the widget may have gone
                    self.send(handler, answer(handler, body) if callable(answer) else answer)
                return None
        return self.send(handler, 404)

    @staticmethod
    def send(handler, answer):
        status, content = 200, answer
        if isinstance(answer, int):
            status, content = answer, b"no"
        elif not isinstance(answer, bytes):
            content = json.dumps(answer).encode()
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)
