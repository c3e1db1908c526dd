"""A Hugging Face hub on this machine: enough of its protocol to serve one repository, or to refuse it."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

REPOSITORY = "owner/tiny"
REVISION = "1" * 40


class _Hub(BaseHTTPRequestHandler):
    folder: Path
    name: str
    sha: str
    refusal: tuple[int, str] | None
    tokens: set[str]

    def do_GET(self) -> None:
        self._answer()

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def log_message(self, *_: object) -> None:
        pass

    def _answer(self, body: bool = True) -> None:
        self.tokens.add(self.headers.get("Authorization", ""))
        if self.refusal:
            status, code = self.refusal
            self._send(status, b"refused", {"X-Error-Code": code, "X-Error-Message": code}, body)
            return
        path = self.path.partition("?")[0]
        files = {file.name: file for file in self.folder.iterdir()}
        name = path.rsplit("/", 1)[-1]
        if path.startswith(f"/api/models/{REPOSITORY}/tree/"):
            tree = [{"type": "file", "path": n, "size": f.stat().st_size, "oid": _digest(f)} for n, f in files.items()]
            self._send(200, json.dumps(tree).encode(), {"Content-Type": "application/json"}, body)
        elif path.startswith(f"/api/models/{REPOSITORY}"):
            said = {"id": self.name, "modelId": self.name, "sha": self.sha, "private": False, "tags": []}
            said |= {"downloads": 0, "likes": 0, "siblings": [{"rfilename": n} for n in files]}
            self._send(200, json.dumps(said).encode(), {"Content-Type": "application/json"}, body)
        elif path.startswith(f"/{REPOSITORY}/resolve/") and name in files:
            headers = {"ETag": f'"{_digest(files[name])}"', "X-Repo-Commit": self.sha}
            self._send(200, files[name].read_bytes(), headers, body)
        else:
            self._send(404, b"none", {"X-Error-Code": "EntryNotFound"}, body)

    def _send(self, status: int, content: bytes, headers: dict[str, str], body: bool) -> None:
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if body:
            self.wfile.write(content)


def _digest(path: Path) -> str:
    """The name of a file's content: SHA-256 of weights, git's hash of anything else."""
    content = path.read_bytes()
    if path.suffix == ".safetensors":
        return hashlib.sha256(content).hexdigest()
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


@contextmanager
def local_hub(
    folder: Path,
    *,
    name: str = REPOSITORY,
    sha: str = REVISION,
    refusal: tuple[int, str] | None = None,
    tokens: set[str] | None = None,
) -> Iterator[str]:
    """Serve a folder as :data:`REPOSITORY`; yields the hub's address.

    Args:
        folder: the repository's files.
        name: the name that the hub gives for it.
        sha: the commit that the hub gives for every revision.
        refusal: status and error code with which every question is refused.
        tokens: takes in what questions say in their Authorization header.
    """
    tokens = set() if tokens is None else tokens
    facts = {"folder": folder, "name": name, "sha": sha, "refusal": refusal, "tokens": tokens}
    handler = type("Hub", (_Hub,), facts)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
