"""A real SLURM of one node, with two fake A100, in a folder of its own and with daemons of its own."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

DAEMONS = ("munged", "slurmctld", "slurmd")
_SBIN = "/usr/sbin:/usr/local/sbin"

_CONFIG = """
ClusterName=ci
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthType=auth/munge
AuthInfo=socket={folder}/run/munge.socket,cred_expire=10
SlurmctldPidFile={folder}/run/slurmctld.pid
SlurmdPidFile={folder}/run/slurmd.pid
SlurmctldLogFile={folder}/log/slurmctld.log
SlurmdLogFile={folder}/log/slurmd.log
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=256
SchedulerParameters=sched_interval=2,bf_interval=2
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=2
OverTimeLimit=0
MinJobAge=3600
MailProg=/bin/true
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=2
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
GresTypes=gpu
NodeName={host} NodeAddr=127.0.0.1 CPUs=4 CoresPerSocket=4 RealMemory=8000 Gres=gpu:a100:2 State=UNKNOWN
PartitionName=cpu Nodes={host} Default=YES MaxTime=1-0 State=UP PriorityTier=1
PartitionName=gpu Nodes={host} MaxTime=1-0 State=UP PriorityTier=1
PartitionName=urgent Nodes={host} MaxTime=1-0 State=UP PriorityTier=9
PartitionName=cancelled Nodes={host} MaxTime=1-0 State=UP PriorityTier=1 PreemptMode=CANCEL
"""


def missing() -> list[str]:
    """What this machine lacks for a SLURM of its own; empty where the tests can run."""
    lacking = [name for name in (*DAEMONS, "squeue", "sbatch", "srun") if shutil.which(name, path=_path()) is None]
    return lacking if lacking or os.geteuid() == 0 else ["root"]


def _path() -> str:
    return f"{os.environ['PATH']}:{_SBIN}"


def _free_ports(number: int) -> list[int]:
    sockets = [socket.socket() for _ in range(number)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


@dataclass
class Cluster:
    """The daemons of one SLURM.

    Attributes:
        folder: everything that they write.
        host: the name of the node.
    """

    folder: Path
    host: str = field(default_factory=lambda: socket.gethostname().partition(".")[0])

    @classmethod
    def start(cls, folder: Path) -> Cluster:
        """Write a configuration and start the daemons; returns when the node is idle."""
        cluster = cls(folder)
        for name in ("run", "log", "state", "spool", "bin"):
            (folder / name).mkdir(parents=True)
        # The munge daemon insists on folders that only their owner can write.
        for path in (folder, *folder.iterdir()):
            path.chmod(0o755)
        text = _CONFIG.format(host=cluster.host, ports=_free_ports(2), folder=folder)
        (folder / "slurm.conf").write_text(text)
        gpus = (f"NodeName={cluster.host} Name=gpu Type=a100 File={file}\n" for file in ("/dev/null", "/dev/zero"))
        (folder / "gres.conf").write_text("".join(gpus))
        # A job's own srun has lost SLURM_CONF.
        wrapper = folder / "bin" / "srun"
        real = shutil.which("srun", path=_path())
        wrapper.write_text(f'#!/bin/sh\nexport SLURM_CONF={folder}/slurm.conf\nexec {real} "$@"\n')
        wrapper.chmod(0o755)
        try:
            cluster._start_munge()
            cluster.start_controller()
            cluster.start_node()
        except BaseException:
            cluster.stop()
            raise
        return cluster

    @property
    def environment(self) -> dict[str, str]:
        """The environment in which SLURM's commands find this cluster."""
        return {**os.environ, "SLURM_CONF": f"{self.folder}/slurm.conf", "PATH": f"{self.folder}/bin:{_path()}"}

    def _start_munge(self) -> None:
        key = self.folder / "run" / "munge.key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o600)
        names = {"socket": "run/munge.socket", "key-file": "run/munge.key", "pid-file": "run/munged.pid"}
        names |= {"log-file": "log/munged.log", "seed-file": "run/munge.seed"}
        self.command("munged", "--force", *(f"--{name}={self.folder / path}" for name, path in names.items()))

    def start_controller(self) -> None:
        """Start slurmctld."""
        self.command("slurmctld")

    def start_node(self) -> None:
        """Start slurmd and wait until its node is idle."""
        self.command("slurmd", "-N", self.host)
        self.wait_for(
            lambda: self.command("sinfo", "-h", "-p", "gpu", "-o", "%T", check=False) == "idle", "an idle node"
        )

    def stop_daemon(self, name: str) -> None:
        """End a daemon that this cluster started."""
        try:
            pid = int((self.folder / "run" / f"{name}.pid").read_text())
            os.kill(pid, signal.SIGTERM)
        except (FileNotFoundError, ProcessLookupError, ValueError):
            return
        end = time.monotonic() + 10
        while Path(f"/proc/{pid}").exists() and time.monotonic() < end:
            time.sleep(0.1)
        if Path(f"/proc/{pid}").exists():
            os.kill(pid, signal.SIGKILL)

    def stop(self) -> None:
        """Cancel all jobs and end all daemons."""
        self.cancel_all()
        for name in ("slurmd", "slurmctld", "munged"):
            self.stop_daemon(name)

    def command(self, *words: str, check: bool = True) -> str:
        """Run one of SLURM's commands; returns what it printed."""
        done = subprocess.run(
            words,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            stdin=subprocess.DEVNULL,
        )
        assert not check or done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout.strip()

    def jobs(self, state: str = "all", comment: str = "") -> list[str]:
        """Ids of the jobs in a state whose comment (Snakemake's rule) holds a text, in the order of submission."""
        listed = self.command("squeue", "-h", "-t", state, "-o", "%i|%k", check=False).splitlines()
        return sorted((line.split("|")[0] for line in listed if comment in line.split("|", 1)[1]), key=int)

    def show(self, job: str) -> dict[str, str]:
        """What SLURM says of a job."""
        words = self.command("scontrol", "show", "job", "-o", job).split()
        return dict(word.split("=", 1) for word in words if "=" in word)

    def pids(self, job: str) -> list[int]:
        """The processes of a job on the node."""
        listed = self.command("scontrol", "listpids", job, check=False).splitlines()[1:]
        return [int(line.split()[0]) for line in listed]

    def cancel_all(self) -> None:
        """Cancel every job that is queued or runs, and wait until none is left."""
        active = self.jobs("pending,running,suspended,completing")
        if active:
            self.command("scancel", *active, check=False)
            self.wait_for(lambda: not self.jobs("pending,running,completing"), "an empty queue")

    @staticmethod
    def wait_for(what, name: str, seconds: float = 120, pause: float = 0.5):
        """Wait until a function returns something true; returns that."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = what()
            if found:
                return found
            time.sleep(pause)
        raise AssertionError(f"waited {seconds} s for {name}")
