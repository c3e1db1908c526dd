"""A proxy between client and server that does what servers and networks do on bad days."""

from __future__ import annotations

import json
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HOST = "127.0.0.1"


class FaultyProxy:
    """What the proxy is to do, and what passed through it.

    Attributes:
        faults: what happens to the next questions, in order: ``429``, ``500``, ``cut``, ``hang``, ``malformed``,
            ``empty`` (JSON, but no completion) or any other status with a body; then all pass.
        always: what happens to each question whose text holds the key, whatever ``faults`` says.
        key: the key that is wanted; empty for none.
        asked, delivered: how often each question was received, and answered in full.
        keys: the keys that were sent.
    """

    def __init__(self, upstream: str) -> None:
        self.upstream = upstream
        self.faults: list[str] = []
        self.always: dict[str, str] = {}
        self.key = ""
        self.asked: Counter[str] = Counter()
        self.delivered: Counter[str] = Counter()
        self.keys: set[str] = set()
        self.times: list[float] = []
        self.largest_at_once = self.at_once = 0
        self.lock = threading.Lock()
        self.address = ""

    def fault(self, question: str) -> str:
        """What happens to a question."""
        with self.lock:
            for part, fault in self.always.items():
                if part in question:
                    return fault
            return self.faults.pop(0) if self.faults else ""


@contextmanager
def faulty_proxy(upstream: str) -> Iterator[FaultyProxy]:
    """A proxy on a port of its own; its ``address`` ends in ``/v1`` as that of the server does."""
    state = FaultyProxy(upstream)
    server = ThreadingHTTPServer((HOST, 0), _handler(state))
    server.daemon_threads = True
    state.address = f"http://{HOST}:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(state: FaultyProxy) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Says nothing."""

        def do_GET(self) -> None:
            if self._admitted():
                self._answer(*self._ask(None))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            question = json.dumps(json.loads(body)["messages"])
            with state.lock:
                state.asked[question] += 1
                state.times.append(time.monotonic())
                state.at_once += 1
                state.largest_at_once = max(state.largest_at_once, state.at_once)
            try:
                if self._admitted():
                    self._respond(state.fault(question), question, body)
            finally:
                with state.lock:
                    state.at_once -= 1

        def _respond(self, fault: str, question: str, body: bytes) -> None:
            if fault == "429":
                self._answer(429, b'{"error": {"message": "slow down"}}', {"Retry-After": "1"})
            elif fault == "malformed":
                self._answer(200, b'{"choices": [{"mess')
            elif fault == "empty":
                self._answer(200, b'{"choices": []}')
            elif fault == "cut":
                _, answer = self._ask(body)
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer[: len(answer) // 2])
                self.wfile.flush()
                self.close_connection = True
            elif fault == "hang":
                time.sleep(2.5)
                self.close_connection = True
            elif fault:
                status, _, said = fault.partition(" ")
                self._answer(int(status), json.dumps({"error": {"message": said or "something broke"}}).encode())
            else:
                status, answer = self._ask(body)
                self._answer(status, answer)
                if status == 200:
                    with state.lock:
                        state.delivered[question] += 1

        def _admitted(self) -> bool:
            sent = self.headers.get("authorization", "").removeprefix("Bearer ")
            state.keys.add(sent)
            if state.key and sent != state.key:
                said = {"error": {"message": f"Incorrect API key provided: {sent}"}}
                self._answer(401, json.dumps(said).encode())
                return False
            return True

        def _ask(self, body: bytes | None) -> tuple[int, bytes]:
            url = state.upstream.removesuffix("/v1") + self.path
            request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
            try:
                with urllib.request.urlopen(request, timeout=30) as reply:
                    return reply.status, reply.read()
            except urllib.error.HTTPError as error:
                return error.code, error.read()

        def _answer(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return Handler
