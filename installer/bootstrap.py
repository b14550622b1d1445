#!/usr/bin/env python3
"""Install what Pavo needs into .venv beside the project, then run it or check it.

    python3 installer/bootstrap.py run [FILE]            open the program (without a display: the demonstration)
    python3 installer/bootstrap.py check                 style, types, contracts: ruff, mypy, lint-imports
    python3 installer/bootstrap.py test [PYTEST ARGS]    every check: those of `check`, then pytest

Uses the standard library only, and syntax that an older Python can still read, so that it can say it is too old.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent
VENV = REPO / ".venv"
LOCKS = {"run": REPO / "installer" / "requirements.lock", "test": REPO / "installer" / "requirements-dev.lock"}
DEMONSTRATION = REPO / "resources" / "demo" / "survey.pavo"

OLDEST, TOO_NEW = (3, 11), (3, 15)  # the locked libraries have wheels for these

# Debian's package of each system library that Qt's wheels do not bring along.
QT_LIBRARIES = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libX11.so.6": "libx11-6",
}
WINDOW_LIBRARIES = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
}


class Stop(Exception):
    """A sentence for the user; the program ends with status 1."""


def say(text: str) -> None:
    print(text, flush=True)


# --- the machine ---------------------------------------------------------------------------------------------------


def use_fitting_python(argv: Sequence[str], version: tuple[int, int]) -> int | None:
    """Status of this same command under a Python of a fitting version, or None where `version` fits itself."""
    if OLDEST <= version < TOO_NEW:
        return None
    for minor in range(TOO_NEW[1] - 1, OLDEST[1] - 1, -1):
        other = shutil.which(f"python3.{minor}")
        if other:
            return subprocess.call([other, str(Path(__file__).resolve()), *argv])
    raise Stop(
        f"This is Python {version[0]}.{version[1]}; Pavo needs Python {OLDEST[0]}.{OLDEST[1]} to "
        f"{TOO_NEW[0]}.{TOO_NEW[1] - 1}. Install one of these (https://www.python.org/downloads/) and start with it."
    )


def has_display() -> bool:
    """Whether windows can be shown: always but on a Linux without a display server."""
    if not sys.platform.startswith("linux"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def is_debian() -> bool:
    return Path("/etc/debian_version").exists() and shutil.which("apt-get") is not None


def is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def missing_libraries(libraries: dict[str, str]) -> list[str]:
    """Those of `libraries` that the system's loader does not find."""
    if not sys.platform.startswith("linux"):
        return []
    try:
        import ctypes
    except ImportError as problem:
        raise Stop("This Python lacks its ctypes module; install a complete Python.") from problem
    missing = []
    for name in libraries:
        try:
            ctypes.CDLL(name)
        except OSError:
            missing.append(name)
    return missing


def apt_install(packages: Sequence[str], why: str) -> None:
    """Install Debian packages; where we are not root, stop with the line to type."""
    line = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    if not is_root():
        raise Stop(
            f"{why} needs Debian packages that are missing. Type this and start again:\n    sudo {' '.join(line)}"
        )
    say(f"{why}: installing {' '.join(packages)}")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    quiet = [line[0], "-qq", *line[1:]]
    if subprocess.call(quiet, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0:
        return
    subprocess.call(["apt-get", "-qq", "update"], env=environment, stdout=subprocess.DEVNULL)
    if subprocess.call(quiet, env=environment, stdout=subprocess.DEVNULL) != 0:
        raise Stop(f"apt-get could not install {' '.join(packages)}. Install them by hand and start again.")


def provide_system(libraries: dict[str, str], why: str) -> None:
    """See to it that the system libraries are there, and what Python needs to make a virtual environment."""
    missing = missing_libraries(libraries)
    packages = {libraries[name] for name in missing}
    if any(importlib.util.find_spec(name) is None for name in ("venv", "ensurepip")) and not is_sound(VENV):
        missing.append("Python's venv and ensurepip")
        packages.add(f"python3.{sys.version_info[1]}-venv")
    if missing and not is_debian():
        raise Stop(f"{why} needs what this machine lacks: {', '.join(missing)}. Install it and start again.")
    if missing:
        apt_install(sorted(packages), why)


# --- the virtual environment ---------------------------------------------------------------------------------------


def venv_program(name: str, venv: Path = VENV, platform: str = sys.platform) -> Path:
    """Path of a program inside the virtual environment."""
    if platform == "win32":
        return venv / "Scripts" / f"{name}.exe"
    return venv / "bin" / name


def clean_environment() -> dict[str, str]:
    """Our environment without what would lead pip or Python out of the virtual environment."""
    astray = {"PYTHONHOME", "PYTHONPATH", "PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PIP_REQUIRE_HASHES", "VIRTUAL_ENV"}
    return {name: value for name, value in os.environ.items() if name not in astray}


def checksum(lock: Path) -> str:
    """Of a lock and of the Python it is installed for. Line ends do not count."""
    text = lock.read_bytes().replace(b"\r\n", b"\n")
    return hashlib.sha256(text + f"{sys.version_info[:2]} {sys.platform}".encode()).hexdigest()


def read_stamp(venv: Path) -> dict[str, str]:
    """Which locks were completely installed, by checksum; empty where an installation was interrupted."""
    try:
        stamp = json.loads((venv / "pavo-installed.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def write_stamp(venv: Path, stamp: dict[str, str]) -> None:
    fresh = venv / "pavo-installed.json.new"
    fresh.write_text(json.dumps(stamp, indent=1), encoding="utf-8")
    fresh.replace(venv / "pavo-installed.json")


def is_sound(venv: Path) -> bool:
    """Whether the environment's own Python starts, is of our version and has pip."""
    check = "import sys, pip; sys.exit(sys.version_info[:2] != ({}, {}))".format(*sys.version_info[:2])
    try:
        status = subprocess.call(
            [str(venv_program("python", venv)), "-c", check],
            env=clean_environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    except OSError:
        return False
    return status == 0


def make_venv(venv: Path) -> None:
    """Make the environment anew, whatever stood there."""
    if venv.exists():
        try:
            shutil.rmtree(str(venv))
        except OSError as problem:
            raise Stop(
                f"{venv} cannot be replaced ({problem}). Close Pavo, delete that folder and start again."
            ) from problem
    say(f"Making {venv}")
    python = getattr(sys, "_base_executable", None) or sys.executable
    if subprocess.call([python, "-m", "venv", str(venv)], env=clean_environment()) != 0 or not is_sound(venv):
        raise Stop(f"{python} could not make {venv}. Is the disk full, or the folder write-protected?")


def install(kind: str, venv: Path = VENV, locks: dict[str, Path] | None = None) -> None:
    """Make `venv` hold what the lock of `kind` ("run" or "test") lists; nothing to do where it already does.

    The lock for tests contains the one for running. An environment from other locks, or from an interrupted
    installation, is made anew: nothing is left over that the locks do not list.
    """
    locks = locks or LOCKS
    wanted = {name: checksum(path) for name, path in locks.items()}
    stamp = read_stamp(venv)
    current = is_sound(venv) and stamp.get("run") == wanted["run"] and stamp.get("test") in (None, wanted["test"])
    if current and kind in stamp:
        return
    if not current:
        make_venv(venv)
    with contextlib.suppress(FileNotFoundError):
        (venv / "pavo-installed.json").unlink()
    say(f"Installing the libraries of {locks[kind].name} (once; a minute or so)")
    options = ["--quiet", "--disable-pip-version-check", "--no-input", "--no-deps", "--only-binary=:all:"]
    command = [str(venv_program("python", venv)), "-m", "pip", "install", *options]
    command += ["--require-hashes", "-r", str(locks[kind])]
    if subprocess.call(command, env=clean_environment()) != 0:
        raise Stop("The libraries could not be installed (pip's own words are above). Start again when that is mended.")
    write_stamp(venv, wanted if kind == "test" else {"run": wanted["run"]})


def taken(locking: Callable[..., object], *arguments: int) -> bool:
    """Whether Windows' `locking` took the lock; False where another program held it for the ten seconds it waits."""
    try:
        locking(*arguments)
    except OSError as problem:
        if problem.errno != errno.EDEADLK:
            raise
        return False
    return True


@contextlib.contextmanager
def one_at_a_time(venv: Path = VENV) -> Iterator[None]:
    """Hold a lock file, so that two starts at once do not install into each other."""
    with contextlib.ExitStack() as stack:
        try:
            handle = stack.enter_context(venv.with_name(venv.name + ".lock").open("a+b"))
            if sys.platform == "win32":
                import msvcrt

                handle.seek(0)
                while not taken(msvcrt.locking, handle.fileno(), msvcrt.LK_LOCK, 1):
                    say("Another start is installing; waiting for it to finish.")
            else:
                import fcntl

                fcntl.flock(handle, fcntl.LOCK_EX)
        except OSError as problem:
            raise Stop(f"{venv.parent} cannot be written, or another start is installing ({problem}).") from problem
        yield


def prepare(venv: Path = VENV) -> None:
    """Let the program compile its calculations, once for each version of them; it says itself how far that is.

    Where this fails they are compiled when they are needed.
    """
    digest = hashlib.sha256()
    for source in sorted((REPO / "core" / "kernels").glob("*.py")):
        digest.update(source.read_bytes())
    stamp, wanted = read_stamp(venv), digest.hexdigest()
    if stamp.get("kernels") == wanted:
        return
    with contextlib.suppress(OSError):
        command = [str(venv_program("python", venv)), str(REPO / "main.py"), "prepare"]
        if subprocess.call(command, env=clean_environment()) == 0:
            write_stamp(venv, {**stamp, "kernels": wanted})


# --- run -----------------------------------------------------------------------------------------------------------


def demonstration_folder() -> Path:
    """Where the demonstration writes: in the user's documents, else at home, else in a new temporary folder."""
    with contextlib.suppress(RuntimeError):
        home = Path.home()
        base = home / "Documents" if (home / "Documents").is_dir() else home
        if os.access(str(base), os.W_OK):
            return base / "Pavo demonstration"
    return Path(tempfile.mkdtemp(prefix="pavo-demonstration-"))


def demonstrate() -> int:
    """Carry out the demonstration recipe without windows and say where its results are."""
    folder = demonstration_folder()
    say("There is no display, so no windows: carrying out the demonstration survey instead.")
    status = start(["run", str(DEMONSTRATION), "--out", str(folder), "--quiet"])
    if status != 0:
        return status
    import tomllib

    output = tomllib.loads(DEMONSTRATION.read_text(encoding="utf-8"))["output"]
    titles = {"data": "Safe file", "metadata": "Its metadata", "report": "Report", "summary": "Summary"}
    for key, title in titles.items():
        say(f"{title + ':':14}{folder / Path(output[key]).name}")
    say(f'Your own recipe: "{venv_program("python")}" "{REPO / "main.py"}" run RECIPE')
    return 0


def start(arguments: Sequence[str]) -> int:
    """Run main.py in the virtual environment."""
    return subprocess.call([str(venv_program("python")), str(REPO / "main.py"), *arguments], env=clean_environment())


def run(arguments: Sequence[str]) -> int:
    if len(arguments) > 1 or any(argument.startswith("-") for argument in arguments):
        sys.stderr.write("usage: bootstrap.py run [FILE]\n")
        return 2
    with one_at_a_time():
        provide_system({**QT_LIBRARIES, **WINDOW_LIBRARIES} if has_display() else {}, "Pavo")
        install("run")
        prepare()
    if has_display():
        return start(arguments)
    if arguments:
        line = f'"{venv_program("python")}" "{REPO / "main.py"}" run "{arguments[0]}"'
        raise Stop(f"There is no display to open {arguments[0]} on. To carry out a recipe without windows:\n    {line}")
    return demonstrate()


# --- check ---------------------------------------------------------------------------------------------------------


def passes(title: str, command: Sequence[str], extra: dict[str, str], accept: Sequence[int] = (0,)) -> bool:
    """Carry out one check in the project's folder; whether it passed. What it says comes in one piece at its end."""
    done = subprocess.run(
        list(command),
        cwd=str(REPO),
        env={**clean_environment(), **extra},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    passed = done.returncode in accept
    told = done.stdout.decode("utf-8", "replace").rstrip()
    say("\n".join([f"== {title}", *([told] if told else []), *([] if passed else [f"== {title}: FAILED"])]))
    return passed


def static_checks() -> list[bool]:
    """Style, types and contracts, which need no window and compile nothing; whether each passed."""
    python = str(venv_program("python"))
    return [
        passes("ruff check", [python, "-m", "ruff", "check"], {}),
        passes("ruff format", [python, "-m", "ruff", "format", "--check"], {}),
        passes("lint-imports", [str(venv_program("lint-imports"))], {"PYTHONPATH": str(REPO)}),
        passes("mypy", [python, "-m", "mypy"], {}),
    ]


def check(arguments: Sequence[str]) -> int:
    if arguments:
        sys.stderr.write("usage: bootstrap.py check\n")
        return 2
    with one_at_a_time():
        provide_system({}, "Checking")
        install("test")
    return 0 if all(static_checks()) else 1


# --- test ----------------------------------------------------------------------------------------------------------

AT_SPI_FOLDERS = ("/usr/libexec", "/usr/lib/at-spi2-core", "/usr/lib/at-spi2")
WARM_UP = "import sys, tests.conftest, main; sys.exit(main.main(['main.py', 'prepare']))"


def provide_accessibility() -> None:
    """See to it that windows can be used through the accessibility bus; else the test of that is skipped."""
    if shutil.which("dbus-daemon") and any(Path(folder, "at-spi-bus-launcher").exists() for folder in AT_SPI_FOLDERS):
        return
    try:
        if not is_debian():
            raise Stop("at-spi2-core and dbus-daemon are not here.")
        apt_install(["at-spi2-core", "dbus"], "Testing with the accessibility bus")
    except Stop as problem:
        say(f"Skipped: the test through the accessibility bus. {problem}")


@contextlib.contextmanager
def xvfb() -> Iterator[dict[str, str] | None]:
    """Variables that lead Qt to real windows, under an own Xvfb where there is no display; None where impossible."""
    platforms = {"win32": "windows", "darwin": "cocoa"}
    if sys.platform in platforms or os.environ.get("DISPLAY"):
        yield {"QT_QPA_PLATFORM": platforms.get(sys.platform, "xcb")}
        return
    if shutil.which("Xvfb") is None:
        try:
            if not is_debian():
                raise Stop("Xvfb is not here; install it and start again.")
            apt_install(["xvfb"], "Testing real windows")
        except Stop as problem:
            say(f"Skipped: the tests of real windows. {problem}")
            yield None
            return
    provide_accessibility()
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1920x1080x24", "-nolisten", "tcp"],
        pass_fds=[write],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    try:
        with os.fdopen(read) as announcement:
            number = announcement.readline().strip()
        if not number:
            raise Stop("Xvfb did not start.")
        yield {"QT_QPA_PLATFORM": "xcb", "DISPLAY": f":{number}"}
    finally:
        server.terminate()
        server.wait()


def check_windows(python: str, arguments: Sequence[str], extra: dict[str, str]) -> bool | None:
    """The tests that need real windows; None where there can be none. Kernels are compiled first, once for all."""
    subprocess.call([python, "-c", WARM_UP], cwd=str(REPO), env={**clean_environment(), **extra})
    with xvfb() as display:
        if display is None:
            return None
        # no test marked so among those asked for is no failure: pytest's status 5
        command = [python, "-m", "pytest", *arguments, "-m", "xvfb"]
        return passes("pytest, real windows", command, {**extra, **display}, accept=(0, 5))


def test(arguments: Sequence[str]) -> int:
    """Every check; all are carried out even where one fails, and pytest's summary comes last."""
    with one_at_a_time():
        provide_system({**QT_LIBRARIES, **WINDOW_LIBRARIES}, "Testing")
        install("test")
    python = str(venv_program("python"))
    extra = {
        "HYPOTHESIS_PROFILE": os.environ.get("HYPOTHESIS_PROFILE", "ci"),
        "PYTHONDONTWRITEBYTECODE": "",  # the tests start a hundred processes, each would compile the sources anew
    }
    say("Checking the sources, and beside it compiling kernels and testing real windows")
    with ThreadPoolExecutor(max_workers=1) as beside:
        sources = beside.submit(static_checks)
        try:
            windows = check_windows(python, arguments, extra)
        except BaseException:
            beside.shutdown(wait=False, cancel_futures=True)
            raise
        passed = all(sources.result()) and windows is not False
    offscreen = {**extra, "QT_QPA_PLATFORM": "offscreen"}
    measured = [python, "-m", "pytest", *arguments, "-m", "alone"]
    passed &= passes("pytest, what nothing else may run beside", measured, offscreen, accept=(0, 5))
    if not passed:
        say("== a check above FAILED")
    together = list(arguments)
    if not any(argument.startswith("-n") or argument in ("--pdb", "no:xdist") for argument in arguments):
        together = ["-n", str(min(os.cpu_count() or 1, 4)), *together]
    say("== pytest")
    rest = "not alone" if windows is None else "not alone and not xvfb"
    command = [python, "-m", "pytest", "-m", rest, *together]
    if subprocess.call(command, cwd=str(REPO), env={**clean_environment(), **offscreen}) not in (0, 5):
        say("== pytest: FAILED")
        passed = False
    return 0 if passed else 1


def main(argv: Sequence[str]) -> int:
    commands = {"run": run, "check": check, "test": test}
    if not argv or argv[0] not in commands:
        sys.stderr.write(__doc__ or "")
        return 0 if argv[:1] in (["-h"], ["--help"]) else 2
    try:
        status = use_fitting_python(argv, sys.version_info[:2])
        return commands[argv[0]](argv[1:]) if status is None else status
    except Stop as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
