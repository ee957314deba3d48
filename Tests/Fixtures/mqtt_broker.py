"""A Mosquitto broker on the loopback for tests, and a stand-in for one that is older than MQTT 5."""

import contextlib
import os
import shutil
import socket
import subprocess
import threading
import time
from pathlib import Path

PROGRAM = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_for_port(port, seconds=20):
    end = time.monotonic() + seconds
    while True:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        if time.monotonic() > end:
            raise TimeoutError(f"nothing listens on port {port}")
        time.sleep(0.02)


class Broker:
    """Runs until `stop`; what it keeps is lost with it."""

    def __init__(self, folder, *lines, port=None):
        self.port = port or free_port()
        self.configuration = Path(folder) / f"mosquitto-{self.port}.conf"
        own = [] if lines else ["allow_anonymous true"]
        user = ["user root"] if os.geteuid() == 0 else []
        text = [f"listener {self.port} 127.0.0.1", *own, *lines, *user, "max_queued_messages 0"]
        self.configuration.write_text("\n".join(text) + "\n")
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [PROGRAM, "-c", str(self.configuration)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_for_port(self.port)

    def stop(self, ends_in_order=False):
        self.process.terminate() if ends_in_order else self.process.kill()
        self.process.wait()

    def publish(self, topic, payload, *options, retained=True):
        """Publishes with another program than the one that is tested."""
        retain = ["-r"] if retained else []
        words = ["-p", str(self.port), "-q", "1", "-t", topic, *retain, *options]
        if payload is None:
            subprocess.run(["mosquitto_pub", *words, "-n"], check=True)
        else:
            data = payload if isinstance(payload, bytes) else payload.encode()
            subprocess.run(["mosquitto_pub", *words, "-s"], input=data, check=True)


class Listener:
    """Answers each client on a port of the loopback in a thread of its own."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def stop(self):
        self.listener.close()

    def serve(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                threading.Thread(target=self.answer, args=[client], daemon=True).start()


class OldBroker(Listener):
    """Refuses MQTT 5 as 3.1.1 does, or ends the connection, while it `is_old`; passes other clients on to a real broker."""

    def __init__(self, port, refuses=True):
        self.behind, self.refuses, self.is_old = port, refuses, True
        super().__init__()

    def answer(self, client):
        with client, contextlib.suppress(OSError):
            first = client.recv(4096)
            # CONNECT, then the length in bytes of which the last is below 128, the name, and the version.
            place = 1
            while place < len(first) and first[place] & 0x80:
                place += 1
            if self.is_old and first[place + 7] == 5:
                if self.refuses:
                    client.sendall(b"\x20\x02\x00\x01")
                return
            with socket.create_connection(("127.0.0.1", self.behind)) as server:
                server.sendall(first)
                threading.Thread(target=self.copy, args=[server, client], daemon=True).start()
                self.copy(client, server)

    @staticmethod
    def copy(source, target):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)


class RefusingBroker(Listener):
    """Takes every client that speaks MQTT 5, and refuses its subscriptions."""

    def answer(self, client):
        with client, contextlib.suppress(OSError):
            client.recv(4096)
            client.sendall(b"\x20\x03\x00\x00\x00")
            # SUBSCRIBE: its kind and length, then its number, which SUBACK has again with the reason.
            while data := client.recv(4096):
                if data[0] == 0x82:
                    client.sendall(b"\x90\x04" + data[2:4] + b"\x00\x87")


def certificates(folder):
    """Makes an authority, a certificate of it for 127.0.0.1, one for a client, and two that nobody knows."""
    folder = Path(folder)

    def openssl(*words):
        subprocess.run(["openssl", *words], check=True, cwd=folder, capture_output=True)

    # The last one has signed itself.
    for name in ("ca", "other", "own"):
        openssl(
            *("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-keyout", f"{name}.key", "-out", f"{name}.crt", "-subj", f"/CN={name}"),
        )
    for name, names in (("server", "IP:127.0.0.1"), ("wrong", "DNS:elsewhere"), ("client", "")):
        openssl(
            *("req", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}.key"),
            *("-out", f"{name}.csr", "-subj", f"/CN={name}"),
        )
        (folder / f"{name}.ext").write_text(f"subjectAltName={names}\n" if names else "")
        openssl(
            *("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.crt", "-CAkey", "ca.key"),
            *("-CAcreateserial", "-days", "2", "-out", f"{name}.crt", "-extfile", f"{name}.ext"),
        )
    return folder
