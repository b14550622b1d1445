#!/usr/bin/env python3
"""Make Pavo installable: a folder with all it needs, and what is made of that folder.

    python3 installer/build.py folder     BUILD/pavo, the program with Python, libraries and compiled kernels
    python3 installer/build.py archive    that folder as a portable archive (tar.xz; zip on Windows)
    python3 installer/build.py deb        that folder as a package for Debian 12 and Ubuntu 22.04 or newer
    python3 installer/build.py sums       SHA256SUMS of what was made

BUILD is the folder `build` of the project, or the one that PAVO_BUILD names. The same sources, locks and
SOURCE_DATE_EPOCH (by itself the time of the last commit) give the same files; installer/release.md says how to compare.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import platform
import re
import shutil
import struct
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import gmtime

import bootstrap

REPO = Path(__file__).resolve().parent.parent
HERE = REPO / "installer"
BUILD = Path(os.environ.get("PAVO_BUILD") or REPO / "build").absolute()
LOCKS = {"run": HERE / "requirements.lock", "test": HERE / "requirements-build.lock"}

LEVEL = os.environ.get("PAVO_COMPRESSION", "6")
"""Of xz, 1 to 9; 1 is five times as fast as 6, for trying."""

BASELINES = {
    # every processor since 2009; with the instructions of 2013 (x86-64-v3) the kernels are no faster
    "x86_64": (
        "x86-64-v2",
        "+64bit,+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3",
    ),
    "arm64": ("apple-m1", ""),  # every Mac of this kind
    "aarch64": ("generic", "+neon"),
}  # fmt: skip
"""By machine, what shipped kernels are compiled for: a processor of LLVM's, and its features."""


class Failed(Exception):
    """A sentence for who builds."""


def say(text: str) -> None:
    print(text, flush=True)


def version() -> str:
    found = re.search(r'^__version__ = "(.+)"$', (REPO / "core" / "__init__.py").read_text("utf-8"), re.MULTILINE)
    if found is None:
        raise Failed("core/__init__.py says no version.")
    return found[1]


def epoch() -> int:
    """Seconds since 1970 that all files are dated with."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given is None:
        command = ["git", "-C", str(REPO), "log", "-1", "--format=%ct"]
        given = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return int(given)


def machine() -> str:
    return {"amd64": "x86_64"}.get(platform.machine().lower(), platform.machine().lower())


def call(command: Sequence[str | Path], **more: str) -> None:
    """Carry out a command where every build finds the same surroundings."""
    fixed = {"PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": str(epoch()), "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    status = subprocess.call([str(part) for part in command], env={**bootstrap.clean_environment(), **fixed, **more})
    if status != 0:
        raise Failed(f"{Path(command[0]).name} ended with status {status}.")


# --- the folder ----------------------------------------------------------------------------------------------------


def make_folder() -> Path:
    """The program in `BUILD`/pavo."""
    BUILD.mkdir(parents=True, exist_ok=True)
    venv = BUILD / "venv"
    with bootstrap.one_at_a_time(venv):
        bootstrap.install("test", venv, LOCKS)
    python = bootstrap.venv_program("python", venv)
    kernels = compile_kernels(python)
    contents = BUILD / "contents.json"
    call([python, HERE / "icons.py", BUILD], QT_QPA_PLATFORM="offscreen")
    say("Collecting the program (some minutes)")
    places: list[str | Path] = ["--distpath", BUILD, "--workpath", BUILD / "work"]
    places += ["--noconfirm", "--clean", "--log-level", "ERROR"]
    call([python, "-m", "PyInstaller", *places, HERE / "pyinstaller" / "pavo.spec"], PAVO_CONTENTS=str(contents))
    folder = BUILD / "pavo"
    inside = folder / "_internal"
    shutil.copytree(kernels, inside / "compiled")
    # neither looked at nor written anew: the folder may be read-only, and its files dated anyhow
    compiler: list[str | Path] = [python, "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash"]
    call([*compiler, "-s", inside, inside / "core" / "kernels"])  # without naming the folder of the build
    say(f"Stripped {strip(folder) / 1e6:.0f} MB of symbols")
    add_licences(python, contents, inside / "licences")
    call([python, HERE / "sbom.py", contents, folder, inside / "licences" / "sbom.cdx.json"])
    tidy(folder)
    say(f"{folder}: {sum(path.stat().st_size for path in folder.rglob('*') if not path.is_symlink()) / 1e6:.0f} MB")
    return folder


def compile_kernels(python: Path) -> Path:
    """A folder of kernels compiled for the baseline of this kind of machine."""
    name, features = BASELINES[machine()]
    sys.path[:0] = [str(REPO)]
    from core.kernels.sources import fingerprint

    folder = BUILD / f"kernels-{name}-{fingerprint()[:12]}"
    folder.mkdir(exist_ok=True)
    chosen = {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": features, "NUMBA_CACHE_DIR": str(folder)}
    call([python, REPO / "main.py", "prepare"], **chosen)
    (folder / "processor").write_text(f"{name}\n{features}\n", encoding="utf-8")
    return folder


def strip(folder: Path) -> int:
    """Take away the symbols of native libraries, which only a debugger reads; how many bytes that were."""
    tool = shutil.which("strip") if sys.platform == "linux" else None
    saved = 0
    for path in elf_files(folder) if tool else ():
        fresh = path.with_name(path.name + ".stripped")
        done = subprocess.run(
            [str(tool), "--strip-unneeded", "-o", str(fresh), str(path)], capture_output=True, check=False
        )
        # what patchelf has changed, strip lays out so that it cannot be loaded; the program itself carries its archive
        if done.returncode == 0 and path.name != "pavo" and is_loadable(fresh):
            saved += path.stat().st_size - fresh.stat().st_size
            fresh.replace(path)
        else:
            fresh.unlink(missing_ok=True)
    return saved


def elf_files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                if file.read(4) == b"\x7fELF":
                    yield path


def is_loadable(path: Path) -> bool:
    """Whether each part of a 64-bit ELF file that is loaded lies in it as it has to lie in memory."""
    with path.open("rb") as file:
        head = file.read(64)
        start, size, number = *struct.unpack_from("<Q", head, 32), *struct.unpack_from("<HH", head, 54)
        file.seek(start)
        table = file.read(size * number)
    for i in range(number):
        kind, _, offset, address, _, _, _, alignment = struct.unpack_from("<IIQQQQQQ", table, i * size)
        if kind == 1 and (offset - address) % max(alignment, 1):
            return False
    return True


def add_licences(python: Path, contents: Path, folder: Path) -> None:
    """Texts that no library brings along: our own, Python's, Qt's and those of the system's libraries."""
    (folder / "system").mkdir(parents=True)
    shutil.copy(REPO / "LICENSE", folder / "Pavo.txt")
    for path in (HERE / "licences").glob("*.txt"):
        shutil.copy(path, folder)
    shown = "import sys; sys.path[:0] = [sys.argv[1]]; from core.base.libraries import python; print(python().text())"
    text = subprocess.run([str(python), "-c", shown, str(REPO)], capture_output=True, text=True, check=True).stdout
    (folder / "Python.txt").write_text(text, encoding="utf-8")
    for package, number in system_packages(contents).items():
        copyright = Path("/usr/share/doc") / package / "copyright"
        if not copyright.is_file():
            raise Failed(f"{copyright} is not there; install {package} with its documentation.")
        shutil.copy(copyright, folder / "system" / text_name(package, number))


def text_name(package: str, number: str) -> str:
    """The file of a package's licence, as Windows would take it, too."""
    return f"{package}_{number.replace(':', '%3a')}.txt"


def system_packages(contents: Path) -> dict[str, str]:
    """Debian packages from which libraries were taken into the folder, with their versions."""
    listed = json.loads(contents.read_text(encoding="utf-8"))
    return packages_of(sorted({source for _, source, _ in listed if source.startswith(("/lib/", "/usr/lib/"))}))


def packages_of(files: Sequence[str]) -> dict[str, str]:
    """Names and versions of the Debian packages that own system files."""
    found: dict[str, str] = {}
    for file in files:
        real = os.path.realpath(file)
        for path in (real, file, real.removeprefix("/usr"), file.removeprefix("/usr")):  # as the package called it
            command = ["dpkg-query", "-S", path]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode == 0:
                package = done.stdout.partition(":")[0]
                show = ["dpkg-query", "-W", "-f", "${Version}\n", package]
                found[package] = subprocess.run(show, capture_output=True, text=True, check=True).stdout.split()[0]
                break
        else:
            raise Failed(f"{file} belongs to no Debian package.")
    return found


def tidy(folder: Path) -> None:
    """Dates and rights that do not depend on who built it, and when."""
    for path in sorted(folder.rglob("*"), reverse=True):
        if not path.is_symlink():
            is_program = path.parent == folder and path.is_file()
            path.chmod(0o755 if path.is_dir() or is_program else 0o644)
            os.utime(path, (epoch(), epoch()))
    os.utime(folder, (epoch(), epoch()))


# --- what is made of it --------------------------------------------------------------------------------------------


def the_folder() -> Path:
    folder = BUILD / "pavo"
    if not (folder / "_internal" / "licences" / "sbom.cdx.json").is_file():
        raise Failed(f"{folder} is not there, or not finished: python3 installer/build.py folder")
    return folder


def tar_stream(folder: Path, name: str) -> list[str]:
    """Command that writes a folder as an archive whose bytes follow from its content alone."""
    same = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", f"--mtime=@{epoch()}", "--format=gnu"]
    return ["tar", "-C", str(folder.parent), *same, f"--transform=s,^{folder.name},{name},", "-cf", "-", folder.name]


def make_archive() -> Path:
    """The folder as one file that is unpacked anywhere."""
    folder, name = the_folder(), f"pavo-{version()}-{sys.platform}-{machine()}"
    if sys.platform == "win32":
        archive = BUILD / f"{name}.zip"
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    inside = zipfile.ZipInfo(f"{name}/{path.relative_to(folder).as_posix()}", gmtime(epoch())[:6])
                    inside.compress_type = zipfile.ZIP_DEFLATED
                    file.writestr(inside, path.read_bytes())
        return archive
    archive = BUILD / f"{name}.tar.xz"
    with archive.open("wb") as out, subprocess.Popen(tar_stream(folder, name), stdout=subprocess.PIPE) as made:
        # the number of threads is fixed, as it decides how the archive is cut into blocks
        status = subprocess.call(["xz", f"-{LEVEL}", "-T2", "-c"], stdin=made.stdout, stdout=out)
    if status or made.returncode:
        raise Failed("The archive could not be written.")
    return archive


def depends(folder: Path) -> list[str]:
    """Debian packages with the system's libraries that those of the folder need, Qt's above all."""
    ours, needed, glibc = {path.name for path in folder.rglob("*.so*")}, set(), set()
    for path in elf_files(folder):
        if "printsupport" not in path.parts:  # printing by CUPS is recommended only
            told = subprocess.run(["readelf", "-dV", str(path)], capture_output=True, text=True, check=True).stdout
            needed |= set(re.findall(r"\(NEEDED\).*\[(.+)\]", told))
            glibc |= {(int(major), int(minor)) for major, minor in re.findall(r"Name: GLIBC_(\d+)\.(\d+)", told)}
    known = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    places = dict(re.findall(r"^\t(\S+) \([^)]*x86-64[^)]*\) => (\S+)$", known, re.MULTILINE))
    lacking = sorted(name for name in needed - ours if name not in places)
    if lacking:
        raise Failed(f"This machine lacks {', '.join(lacking)}.")
    names = {*packages_of(sorted(places[name] for name in needed - ours)), "libegl1", "libgl1"}
    # glibc in its oldest version that will do; glib was renamed in Ubuntu 24.04 and Debian 13
    forms = {"libc6": "libc6 (>= {}.{})".format(*max(glibc)), "libglib2.0-0": "libglib2.0-0 | libglib2.0-0t64"}
    return [forms.get(name, name) for name in sorted(names)]


def make_deb() -> Path:
    """The folder as a package for Debian and Ubuntu; no script is run when it is installed or removed."""
    folder, root = the_folder(), BUILD / "deb"
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(folder, root / "usr" / "lib" / "pavo", symlinks=True)
    share, linux = root / "usr" / "share", HERE / "linux"
    (root / "usr" / "bin").mkdir()
    (root / "usr" / "bin" / "pavo").symlink_to("../lib/pavo/pavo")
    for source, target in (
        (linux / "org.pavo.Pavo.desktop", share / "applications" / "org.pavo.Pavo.desktop"),
        (linux / "org.pavo.Pavo.xml", share / "mime" / "packages" / "org.pavo.Pavo.xml"),
        (linux / "org.pavo.Pavo.metainfo.xml", share / "metainfo" / "org.pavo.Pavo.metainfo.xml"),
        (REPO / "resources" / "icons" / "pavo.svg", share / "icons/hicolor/scalable/apps/org.pavo.Pavo.svg"),
        *(
            (BUILD / "icons" / f"{n}.png", share / f"icons/hicolor/{n}x{n}/apps/org.pavo.Pavo.png")
            for n in (48, 128, 256)
        ),
    ):
        target.parent.mkdir(parents=True)
        shutil.copy(source, target)
    zipped(linux / "pavo.1", share / "man" / "man1" / "pavo.1.gz")
    zipped(REPO / "CHANGELOG.md", share / "doc" / "pavo" / "changelog.gz")
    head = (linux / "copyright").read_text("utf-8")
    (share / "doc" / "pavo" / "copyright").write_text(head + copyright_of(folder), encoding="utf-8")
    size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file() and not path.is_symlink()) // 1024
    control = (
        (linux / "control").read_text("utf-8").format(version=version(), size=size, depends=", ".join(depends(folder)))
    )
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN" / "control").write_text(control, encoding="utf-8")
    files = sorted(path for path in (root / "usr").rglob("*") if path.is_file() and not path.is_symlink())
    sums = "".join(f"{digest(path, 'md5')}  {path.relative_to(root)}\n" for path in files)
    (root / "DEBIAN" / "md5sums").write_text(sums, encoding="utf-8")
    for path in root.rglob("*"):
        if not path.is_symlink():
            is_program = path == root / "usr" / "lib" / "pavo" / "pavo"
            path.chmod(0o755 if path.is_dir() or is_program else 0o644)
        os.utime(path, (epoch(), epoch()), follow_symlinks=False)
    made = BUILD / f"pavo_{version()}_amd64.deb"
    call(["dpkg-deb", "--root-owner-group", "-Zxz", f"-z{LEVEL}", "--threads-max=2", "--build", root, made])
    shutil.rmtree(root)
    return made


def zipped(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(gzip.compress(source.read_bytes(), 9, mtime=0))


def copyright_of(folder: Path) -> str:
    """What is inside, by its licence, and where the texts are; in the form of the fields of Debian's file."""
    listed = json.loads((folder / "_internal" / "licences" / "sbom.cdx.json").read_text("utf-8"))["components"]
    lines = []
    for one in listed:
        licence = one["licenses"][0]
        said = licence.get("expression") or licence["license"].get("name") or licence["license"]["id"]
        lines.append(f" {one['name']} {one['version']}: {said}")
    return "\n".join(lines) + "\n"


def digest(path: Path, kind: str) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, kind).hexdigest()


def make_sums() -> Path:
    """SHA-256 of every file that is given away."""
    made = sorted(
        path for path in BUILD.glob("pavo*") if path.suffix in (".deb", ".xz", ".zip", ".exe", ".dmg", ".flatpak")
    )
    made += [path for path in BUILD.glob("*.dmg") if path not in made]
    sums = BUILD / "SHA256SUMS"
    sums.write_text("".join(f"{digest(path, 'sha256')}  {path.name}\n" for path in made), encoding="utf-8")
    return sums


def main(argv: Sequence[str]) -> int:
    commands = {"folder": make_folder, "archive": make_archive, "deb": make_deb, "sums": make_sums}
    if not argv or any(name not in commands for name in argv):
        sys.stderr.write(__doc__ or "")
        return 0 if argv[:1] in (["-h"], ["--help"]) else 2
    try:
        for name in argv:
            made = commands[name]()
            say(f"{made}" + (f": {made.stat().st_size / 1e6:.1f} MB" if made.is_file() else ""))
    except (Failed, bootstrap.Stop) as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
