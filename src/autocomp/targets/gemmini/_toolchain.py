"""Turns the source of a kernel into a linked RV64 program, or into what is wrong with it."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autocomp.errors import InfrastructureError, ToolchainError
from autocomp.problems.cache import cache_folder, keep
from autocomp.records import Diagnostic
from autocomp.targets.gemmini._compilers import Compiler, find
from autocomp.targets.gemmini._signature import SPLICE

SOURCE_NAME = "candidate.c"
LISTING_NAME = "listing"
CACHE = "gemmini"
"""Kind of the folder that holds what is compiled once."""
_HERE = Path(__file__).parent
_INCLUDE = _HERE / "include"
_RUNTIME = _HERE / "runtime"
_MESSAGE = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:\d+:)? (?P<kind>fatal error|error|warning): (?P<text>.*)$", re.IGNORECASE
)
_LINKER_MESSAGE = re.compile(
    r"(undefined (?:reference to|symbol:) .*|region .* overflowed.*|multiple definition of .*)"
)
# Assembler directives that read files, or that can put the name of another directive together.
_FILE_DIRECTIVE = re.compile(r"\.\s*(?:incbin|include|macro|irpc?|altmacro)\b", re.IGNORECASE)
# Only a source with one of these can hold assembly of its own. Names of sections reach gcc's assembler as they are.
_MAY_HOLD_ASSEMBLY = re.compile(r"asm|##|%:|\?\?|attribute|pragma|\[\[|<:", re.IGNORECASE)


_LEAST_SPACE_BYTES = 1 << 20
"""With less than that free, a failed compilation says nothing about the source."""
_KILLED = (-signal.SIGKILL, 128 + signal.SIGKILL)
_STALE_S = 3600.0
"""Age at which the folder of a compilation belongs to nobody any more: whoever made it was killed."""


@dataclass(frozen=True)
class BuildLimits:
    """What one compilation may take."""

    seconds: float = 20.0
    output_bytes: int = 16 << 20
    memory_bytes: int = 4 << 30


@dataclass(frozen=True)
class Build:
    """Result of one compilation: either ``program`` or at least one error."""

    program: bytes | None
    errors: tuple[Diagnostic, ...] = ()
    warnings: tuple[Diagnostic, ...] = ()
    repeatable: bool = True
    """False if the compiler was stopped by the clock or killed: on another day it may not be."""


def _keep_once(path: Path, content: bytes) -> None:
    if not path.exists():
        keep(path, content)


def _remove_stale(folder: Path) -> None:
    """Take away what compilations left that were killed half-way."""
    for scratch in folder.glob("build-*"):
        with contextlib.suppress(OSError):
            if time.time() - scratch.stat().st_mtime > _STALE_S:
                shutil.rmtree(scratch, ignore_errors=True)


class Toolchain:
    """A compiler with the headers and the runtime of one configured chip."""

    def __init__(self, compiler_choice: str, parameters_header: str, limits: BuildLimits | None = None) -> None:
        self.compiler: Compiler = find(compiler_choice)
        self.limits = limits or BuildLimits()
        digest = hashlib.sha256(parameters_header.encode())
        for part in (*self.compiler.command, self.compiler.version, *self.compiler.flags):
            digest.update(part.encode() + b"\0")
        digest.update(repr(self.limits).encode())
        for file in sorted((*_INCLUDE.rglob("*.h"), *_RUNTIME.iterdir())):
            if file.is_file():
                digest.update(file.name.encode() + b"\0" + file.read_bytes())
        self.fingerprint = digest.hexdigest()
        """Digest of compiler, flags, headers and runtime."""
        self._parameters_header = parameters_header
        self._folder: Path | None = None

    def compile(self, source: str, script: str | None = None) -> Build:
        """Compile and link, by the linker script ``script`` if one is given. Whatever the source does, the result is a
        Build.

        Raises ToolchainError if the compiler itself cannot work on this machine.
        """
        folder = self._prepare()
        with tempfile.TemporaryDirectory(prefix="build-", dir=folder) as scratch_name:
            scratch = Path(scratch_name)
            self._write_source(scratch, source)
            suspect = _MAY_HOLD_ASSEMBLY.search(SPLICE.sub("", source)) is not None
            if suspect:
                refused = self._refuse_assembly(scratch, folder)
                if refused is not None:
                    return refused
            arguments = ["-include", "gemmini.h", "-MD", "-MF", "dependencies", SOURCE_NAME, str(folder / "runtime.o")]
            if script is not None:
                (scratch / "layout.ld").write_text(script)
            arguments += ["-T", "layout.ld" if script is not None else str(_RUNTIME / "link.ld"), "-o", "program"]
            status, output = self._call(arguments, scratch, folder)
            build = self._judge(status, output, scratch, folder)
            if build.program is not None and suspect and not (scratch / LISTING_NAME).exists():
                return Build(None, (Diagnostic("assembly in a kernel could not be checked for files that it reads"),))
            return build

    def assembly(self, source: str) -> str | None:
        """What the compiler makes of ``source``, without debug information; None if it does not compile.

        Raises ToolchainError as :meth:`compile` does.
        """
        folder = self._prepare()
        with tempfile.TemporaryDirectory(prefix="build-", dir=folder) as scratch_name:
            scratch = Path(scratch_name)
            self._write_source(scratch, source)
            self._call(["-include", "gemmini.h", "-S", "-g0", "-w", SOURCE_NAME, "-o", "listing"], scratch, folder)
            listing = scratch / "listing"
            return listing.read_text() if listing.exists() else None

    def link(self, sources: Sequence[Path], script: Path) -> bytes:
        """A program made of our own sources, compiled once per compiler. Raises ToolchainError if that fails."""
        folder = self._prepare()
        digest = hashlib.sha256()
        for path in (*sources, script):
            digest.update(path.read_bytes() + b"\0")
        kept = folder / f"program-{digest.hexdigest()[:16]}"
        if not kept.exists():
            with tempfile.TemporaryDirectory(prefix="build-", dir=folder) as scratch:
                arguments = ["-fno-builtin", *map(str, sources), str(folder / "runtime.o"), "-T", str(script)]
                status, output = self._call([*arguments, "-o", "program"], Path(scratch), folder)
                if status != 0:
                    names = ", ".join(path.name for path in sources)
                    raise ToolchainError(f"{self.compiler.label} cannot compile {names}: {output.strip()[-500:]}")
                _keep_once(kept, (Path(scratch) / "program").read_bytes())
        return kept.read_bytes()

    @staticmethod
    def _write_source(scratch: Path, source: str) -> None:
        """Equal sources make equal programs: the file always has the same time, which ``__TIMESTAMP__`` shows."""
        file = scratch / SOURCE_NAME
        file.write_text(source, errors="replace")
        os.utime(file, (0, 0))

    def _refuse_assembly(self, scratch: Path, folder: Path) -> Build | None:
        """What is wrong if the source's assembly may bring a file of the host in, before any assembler sees it."""
        listing = scratch / LISTING_NAME
        # The clang family would carry the directives out already; its intermediate form has them as they were written.
        kind = [] if self.compiler.kind == "gcc" else ["-emit-llvm"]
        arguments = ["-include", "gemmini.h", "-S", "-w", *kind, SOURCE_NAME, "-o", listing.name]
        status, output = self._call(arguments, scratch, folder)
        if status is None:
            return self._judge(status, output, scratch, folder)
        if not listing.exists():  # does not compile: no assembler will run, and the real call says why
            return None
        if _FILE_DIRECTIVE.search(listing.read_text(errors="replace")):
            return Build(None, (Diagnostic("assembly in a kernel may not read files, nor define macros"),))
        return None

    def _prepare(self) -> Path:
        """Folder with the generated header and the compiled runtime, made by the first process that needs it."""
        if self._folder is not None and (self._folder / "runtime.o").exists():
            return self._folder
        folder = cache_folder(CACHE) / self.fingerprint[:16]
        folder.mkdir(parents=True, exist_ok=True)
        _remove_stale(folder)
        _keep_once(folder / "gemmini_params.h", self._parameters_header.encode())
        if not (folder / "runtime.o").exists():
            with tempfile.TemporaryDirectory(prefix="build-", dir=folder) as scratch:
                source = str(_RUNTIME / "runtime.c")
                arguments = ["-fno-builtin", "-c", source, "-o", "runtime.o"]
                status, output = self._call(arguments, Path(scratch), folder)
                if status != 0:
                    name = " ".join(self.compiler.command)
                    raise ToolchainError(f"{name} cannot compile the runtime: {output.strip()[-500:]}")
                _keep_once(folder / "runtime.o", (Path(scratch) / "runtime.o").read_bytes())
        self._folder = folder
        return folder

    def _call(self, arguments: list[str], scratch: Path, folder: Path) -> tuple[int | None, str]:
        """Exit status (None if it ran out of time) and messages."""
        paths = (str(folder), str(_INCLUDE), str(_INCLUDE / "libc"))
        command = [*self.compiler.command, *self.compiler.flags, *(f"-I{path}" for path in paths), *arguments]
        process = subprocess.Popen(
            command,
            cwd=scratch,
            env=self._environment(scratch, folder),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self._limit(process.pid)
        try:
            output, _ = process.communicate(timeout=self.limits.seconds)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return None, ""
        except BaseException:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise
        return process.returncode, output.decode(errors="replace")

    @staticmethod
    def _environment(scratch: Path, folder: Path) -> Mapping[str, str]:
        return {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(scratch),
            "TMPDIR": str(scratch),
            "LC_ALL": "C",
            "SOURCE_DATE_EPOCH": "0",
            "ZIG_GLOBAL_CACHE_DIR": str(folder / "zig"),
            "ZIG_LOCAL_CACHE_DIR": str(scratch / "zig"),
        }

    def _limit(self, pid: int) -> None:
        """Bounds on a running compiler, where the system can set them from outside (Linux)."""
        try:
            import resource

            for kind, most in (
                (resource.RLIMIT_FSIZE, self.limits.output_bytes),
                (resource.RLIMIT_AS, self.limits.memory_bytes),
            ):
                resource.prlimit(pid, kind, (most, most))
        except (ImportError, AttributeError, OSError):
            return  # the time limit still holds

    def _judge(self, status: int | None, output: str, scratch: Path, folder: Path) -> Build:
        if status is None:
            message = f"the compiler took longer than {self.limits.seconds:g} s and was stopped"
            return Build(None, (Diagnostic(message),), repeatable=False)
        if status != 0 and shutil.disk_usage(scratch).free < _LEAST_SPACE_BYTES:
            raise InfrastructureError(
                f"the compiler has no space left in {folder}; free some, or set XDG_CACHE_HOME to another place"
            )
        errors, warnings = read_messages(output)
        if outside := self._includes_outside(scratch, folder):
            message = f"kernels may only include the headers that come with the target, not {outside}"
            return Build(None, (Diagnostic(message),))
        program = scratch / "program"
        if status != 0 or not program.exists():
            if not errors:
                reason = output.strip().splitlines()[-1] if output.strip() else f"exit status {status}"
                errors = (Diagnostic(f"the compiler stopped: {reason} (program too large for its limits?)"),)
            return Build(None, errors, warnings, repeatable=status not in _KILLED)
        if program.stat().st_size > self.limits.output_bytes:
            message = f"the program is larger than {self.limits.output_bytes} bytes"
            return Build(None, (Diagnostic(message),), warnings)
        return Build(program.read_bytes(), (), warnings)

    def _includes_outside(self, scratch: Path, folder: Path) -> str | None:
        """Name of an included file that is neither ours nor the compiler's own."""
        try:
            listing = (scratch / "dependencies").read_text()
        except OSError:
            return None
        names = listing.partition(": ")[2].replace("\\\n", " ").split()
        allowed = [folder.resolve(), _INCLUDE.resolve(), *_own_headers(self.compiler)]
        for name in names:
            path = (scratch / name).resolve()
            if path == (scratch / SOURCE_NAME).resolve() or path == (_RUNTIME / "runtime.c").resolve():
                continue
            if not any(path.is_relative_to(place) for place in allowed):
                return name
        return None


def _own_headers(compiler: Compiler) -> tuple[Path, ...]:
    """Where a compiler keeps <stdint.h> and its like."""
    program = Path(compiler.command[0])
    if compiler.kind == "zig":
        return ((program.parent / "lib" / "include").resolve(),)
    return _resource_folders(str(program), compiler.kind)


_RESOURCES: dict[str, tuple[Path, ...]] = {}


def _resource_folders(program: str, kind: str) -> tuple[Path, ...]:
    if program not in _RESOURCES:
        option = "-print-resource-dir" if kind == "clang" else "-print-file-name=include"
        done = subprocess.run((program, option), capture_output=True, text=True, timeout=30, check=False)
        folder = Path(done.stdout.strip()).resolve()
        _RESOURCES[program] = (folder, folder.parent / "include-fixed")
    return _RESOURCES[program]


def read_messages(output: str) -> tuple[tuple[Diagnostic, ...], tuple[Diagnostic, ...]]:
    """Errors and warnings in what a compiler or linker printed; lines of the candidate only are numbered."""
    errors: list[Diagnostic] = []
    warnings: list[Diagnostic] = []
    for text in output.splitlines():
        if match := _MESSAGE.match(text):
            is_candidate = Path(match["file"]).name == SOURCE_NAME
            diagnostic = Diagnostic(match["text"], int(match["line"]) if is_candidate else None)
            (warnings if match["kind"].lower() == "warning" else errors).append(diagnostic)
        elif match := _LINKER_MESSAGE.search(text):
            errors.append(Diagnostic(match.group(1)))
    return tuple(dict.fromkeys(errors)), tuple(dict.fromkeys(warnings))
