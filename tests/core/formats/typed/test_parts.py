"""What libraries write on the way to a typed file: gone after a crash, whenever that comes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from core.base.outputs import recover

ROOT = Path(__file__).parents[4]

CRASH = """
import os, signal, sys
from pathlib import Path
import pyarrow as pa
from core.formats.typed.columns import TypedField, TypedFile
from core.formats.typed.writing import write_typed
from core.base.outputs_journal import parts_of
from core.data.variables import Metadata
from core.base.outputs import Outputs

target, format, batches = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])

class Killed:
    def report(self, *told):
        pass
    def check(self):
        for path in parts_of(outputs.path("data")).glob("*"):
            if path.stat().st_size:
                os.kill(os.getpid(), signal.SIGKILL)

def made():
    for number in range(batches):
        texts = pa.array([f"person {number} {i}" for i in range(5000)])
        yield pa.RecordBatch.from_arrays([texts, pa.array(range(5000), pa.float64())], ["NAME", "W"])

fields = TypedField("NAME", storage="string", width=20), TypedField("W", storage="double")
file = TypedFile(format, fields, 5000 * batches)
with Outputs({"data": target}, []) as outputs, outputs.open("data") as out:
    write_typed(out, file, made(), Metadata(format, ()), Killed())
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed otherwise there")
@pytest.mark.parametrize(("format", "batches"), [("parquet", 40), ("stata", 40), ("spss", 60), ("excel", 40)])
def test_the_next_start_removes_what_a_crash_left(tmp_path: Path, format: str, batches: int) -> None:
    safe, temporary = tmp_path / "safe", tmp_path / "temporary"
    temporary.mkdir()
    command = [sys.executable, "-c", CRASH, str(safe / "data"), format, str(batches)]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "TMPDIR": str(temporary)}, check=False, timeout=300)
    assert done.returncode == -signal.SIGKILL
    (folder,) = (path for path in safe.iterdir() if path.is_dir())
    assert any(path.stat().st_size for path in folder.iterdir())
    assert folder.stat().st_mode & 0o077 == 0
    assert not list(temporary.iterdir())
    assert recover() == 1
    assert not safe.exists()
