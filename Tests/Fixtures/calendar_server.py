"""A calendar server on the loopback for tests: good, slow, lying, and one that broke.

Prints two ports; the second one is that of "another host". GET /requests has what was asked: a line for
each request with method, path, whether it had credentials, and its conditions.

With `--outside` it is on an address of this machine that other networks reach, which it prints after the ports, and its
entries are of tomorrow.
"""

import base64
import datetime
import http.server
import socket
import sys
import threading

EVENT = "BEGIN:VEVENT\r\nUID:1\r\nDTSTART:{start}T100000Z\r\nSUMMARY:{name}\r\nEND:VEVENT\r\n"
CALENDAR = "BEGIN:VCALENDAR\r\n" + EVENT + "END:VCALENDAR\r\n"
RIGHT = "Basic " + base64.b64encode(b"ida:p\"a\\ss w\xc3\xb6rd").decode()
TAG = '"version 1"'
IS_OUTSIDE = "--outside" in sys.argv
START = f"{datetime.date.today() + datetime.timedelta(days=1):%Y%m%d}" if IS_OUTSIDE else "20261124"
requests = []
others = []
PART = "<d:response><d:href>{href}</d:href><d:propstat><d:prop>{prop}</d:prop></d:propstat></d:response>"
ANSWER = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">{}</d:multistatus>'
IS_CALENDAR = "<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>"
stopped = threading.Event()


class Handler(http.server.BaseHTTPRequestHandler):
    log = requests
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.serve()

    def do_PROPFIND(self):
        self.serve()

    def do_REPORT(self):
        self.serve()

    def serve(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        path = self.path.split("?")[0]
        if path == "/requests":
            return self.send(200, "\n".join(requests + ["other " + line for line in others]))
        words = [self.command, path]
        words += ["with credentials"] if self.headers.get("Authorization") else []
        words += [f"{name}={self.headers[name]}" for name in ("If-None-Match", "If-Modified-Since") if self.headers.get(name)]
        words += ["with a time range"] if "<c:time-range start=" in body else []
        self.log.append(" ".join(words))
        getattr(self, "get" + path.replace("/", "_").replace(".", "_"), self.get_missing)()

    def send(self, status, body="", **headers):
        body = body if isinstance(body, bytes) else body.encode()
        self.send_response(status)
        length = headers.pop("length", len(body))
        self.send_header("Content-Length", str(length))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def get_missing(self):
        self.send(404, "no")

    def get_good_ics(self):
        if self.headers.get("If-None-Match") == TAG:
            return self.send(304, ETag=TAG)
        self.send(200, CALENDAR.format(start=START, name="From the server"), ETag=TAG, Last_Modified="Mon, 23 Nov 2026 10:00:00 GMT")

    def get_private_ics(self):
        if self.headers.get("Authorization") != RIGHT:
            return self.send(401, "no", WWW_Authenticate="Basic realm=x")
        self.send(200, CALENDAR.format(start=START, name="Private"))

    def get_error_ics(self):
        self.send(500, CALENDAR)

    def get_page_ics(self):
        self.send(200, "<html>Please log in</html>")

    def get_short_ics(self):
        self.send(200, CALENDAR.format(start=START, name="Half"), length=100_000)
        self.close_connection = True

    def get_cut_ics(self):
        self.close_connection = True

    def get_long_ics(self):
        self.send(200, "BEGIN:VCALENDAR\r\n", length=10**12)

    def get_endless_ics(self):
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        chunk = b"BEGIN:VCALENDAR" + b"\n" * 65521
        try:
            while not stopped.is_set():
                self.wfile.write(b"10000\r\n" + chunk + b"\r\n")
        except OSError:
            self.close_connection = True

    def get_slow_ics(self):
        stopped.wait()
        self.close_connection = True

    def get_trickling_ics(self):
        self.send(200, "BEGIN:VCALENDAR\r\n", length=1000)
        stopped.wait()
        self.close_connection = True

    def get_hostile_ics(self):
        events = "".join(
            f"BEGIN:VEVENT\r\nDTSTART:2026112{n}T100000Z\r\nRRULE:FREQ=SECONDLY\r\nSUMMARY:Bomb\x1b[31m {n}\r\nEND:VEVENT\r\n"
            for n in range(4)
        )
        self.send(200, "BEGIN:VCALENDAR\r\n" + "BEGIN:VEVENT\r\n" * 10_000 + events + "END:VCALENDAR\r\n", ETag="x" * 5000)

    def get_elsewhere_ics(self):
        self.send(302, "", Location=f"http://127.0.0.1:{other.server_address[1]}/good.ics")

    def get_loop_ics(self):
        self.send(302, "", Location="/loop.ics")

    def get_file_ics(self):
        self.send(302, "", Location="file:///etc/passwd")

    # CalDAV: the address, the user, the user's calendars.

    def get_dav_(self):
        self.multi(("/dav/", "<d:current-user-principal><d:href>/dav/ida/</d:href></d:current-user-principal>"))

    def get_dav_ida_(self):
        self.multi(("/dav/ida/", "<c:calendar-home-set><d:href>/dav/home/</d:href></c:calendar-home-set>"))

    def get_dav_home_(self):
        foreign = f"http://127.0.0.1:{other.server_address[1]}/dav/work/"
        self.multi(
            ("/dav/home/", "<d:resourcetype><d:collection/></d:resourcetype>"),
            ("/dav/work/", IS_CALENDAR),
            (foreign, IS_CALENDAR),
            ("/dav/notes/", "<d:resourcetype><d:collection/></d:resourcetype>"),
        )

    def get_dav_work_(self):
        if self.command == "PROPFIND":
            return self.multi(("/dav/work/", IS_CALENDAR))
        data = CALENDAR.format(start=START, name="Tea &amp; cake &#x2615;")
        cdata = "<![CDATA[" + CALENDAR.format(start="20261125", name="Next <b>") + "]]>"
        self.multi(
            ("/dav/work/1.ics", f"<c:calendar-data>{data}</c:calendar-data>"),
            ("/dav/work/2.ics", f"<c:calendar-data>{cdata}</c:calendar-data>"),
            ("/dav/work/3.ics", "<c:calendar-data>no calendar</c:calendar-data>"),
            ("/dav/work/4.ics", ""),
        )

    def get_nodav_(self):
        self.send(200, "<html>")

    def multi(self, *parts):
        if self.headers.get("Authorization") != RIGHT:
            return self.send(401, "no", WWW_Authenticate="Basic realm=x")
        self.send(207, ANSWER.format("".join(PART.format(href=href, prop=prop) for href, prop in parts)))

    def log_message(self, *_):
        pass


class OtherHandler(Handler):
    log = others


address = "127.0.0.1"
if IS_OUTSIDE:
    # Nothing is sent: the system only chooses the address that it would send from.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        address = probe.getsockname()[0]
server = http.server.ThreadingHTTPServer((address, 0), Handler)
other = http.server.ThreadingHTTPServer((address, 0), OtherHandler)
for one in (server, other):
    threading.Thread(target=one.serve_forever, daemon=True).start()
print(server.server_address[1], other.server_address[1], address, flush=True)
sys.stdin.read()
stopped.set()
