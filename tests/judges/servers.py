"""Real servers with a tiny model, each a process that the tests start and end."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HOST = "127.0.0.1"
_LLAMA = """
import sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.n_ctx, params.n_parallel, params.port = sys.argv[1], 2048, 2, int(sys.argv[2])
params.cpuparams.n_threads = 1
server = xllamacpp.Server(params)
sys.stdin.read()
"""


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


@contextmanager
def llama_server(model: Path) -> Iterator[str]:
    """llama.cpp's server, which gives log-probabilities; its address up to ``/v1``."""
    port = free_port()
    with _running([sys.executable, "-c", _LLAMA, str(model), str(port)], port) as address:
        yield address


@contextmanager
def transformers_server(model: Path) -> Iterator[str]:
    """The server of Transformers, which gives no log-probabilities; its address up to ``/v1``."""
    port = free_port()
    serve = "from transformers.cli.transformers import main; main()"
    command = [sys.executable, "-c", serve, "serve", str(model), "--host", HOST, "--port", str(port), "--device", "cpu"]
    with _running(command, port) as address:
        yield address


@contextmanager
def _running(command: list[str], port: int) -> Iterator[str]:
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment, text=True
    )
    try:
        for _ in range(600):
            assert process.poll() is None, process.stderr.read()
            try:
                urllib.request.urlopen(f"http://{HOST}:{port}/health", timeout=1).read()
                break
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        yield f"http://{HOST}:{port}/v1"
    finally:
        process.terminate()
        process.wait(timeout=20)
