"""What compilers say comes back as values; whatever a source does to the compiler is bounded."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import programs
import pytest

from autocomp.errors import InfrastructureError, ToolchainError
from autocomp.problems.cache import cache_folder
from autocomp.targets.gemmini import _config
from autocomp.targets.gemmini._compilers import find
from autocomp.targets.gemmini._lines import LineTable, _sections
from autocomp.targets.gemmini._toolchain import CACHE, SOURCE_NAME, BuildLimits, Toolchain, read_messages

_COMPILERS = pytest.mark.parametrize("compiler", programs.COMPILERS)


def _compile(source: str, compiler: str, **limits):
    programs.skip_unless_installed(compiler)
    if limits:
        return Toolchain(compiler, _config.load().parameters_header(), BuildLimits(**limits)).compile(source)
    return programs.toolchain(compiler).compile(source)


@_COMPILERS
def test_error_has_its_line(compiler: str) -> None:
    build = _compile("void solution(void) {\n  int x = 1;\n  y = x;\n  fence()\n}\n", compiler)
    assert build.program is None
    assert build.errors[0].line == 3
    assert "y" in build.errors[0].message


@_COMPILERS
def test_warnings_do_not_stop_a_build(compiler: str) -> None:
    build = _compile("void solution(void) {\n  int unused;\n}\n", compiler)
    assert build.program is not None
    assert [(d.line, "unused" in d.message) for d in build.warnings] == [(2, True)]


@_COMPILERS
def test_undefined_function_is_an_error(compiler: str) -> None:
    build = _compile("void other(void);\nvoid solution(void) { other(); }\n", compiler)
    assert build.program is None
    assert any("other" in d.message for d in build.errors)


@_COMPILERS
def test_static_assertion(compiler: str) -> None:
    build = _compile('_Static_assert(DIM == 3, "three");\nvoid solution(void) {}\n', compiler)
    assert build.program is None
    assert build.errors[0].line == 1
    assert "three" in build.errors[0].message


@_COMPILERS
@pytest.mark.parametrize(
    "text", ['#include "/etc/passwd"', "#include </etc/passwd>", '#include "../../../../../../etc/passwd"',
             '#define NAME "/etc/passwd"\n#include NAME', 'asm(".incbin \\"/etc/passwd\\"");',
             'asm(".inc" "bin \\"/etc/passwd\\"");', 'asm(".INCBIN \\"/etc/passwd\\"");',
             'asm("nop; .in\\143bin \\"/etc/passwd\\"");',
             'as\\\nm(".incbin \\"/etc/passwd\\"");', 'asm(".include \\"/etc/passwd\\"");',
             'asm(".macro x a b\\n.\\\\a\\\\b \\"/etc/passwd\\"\\n.endm\\nx inc bin");',
             'asm(".irp x,inc\\n.\\\\x\\\\()bin \\"/etc/passwd\\"\\n.endr");',
             '#/* */include "/etc/passwd"', '%:include "/etc/passwd"',
             '#define P(x, y) x##y\n#define S(x) #x\nP(a, sm)("." S(include) " \\"/etc/passwd\\"");'],
)  # fmt: skip
def test_files_of_the_host_stay_out(compiler: str, text: str) -> None:
    build = _compile(f"{text}\nvoid solution(void) {{}}\n", compiler)
    assert build.program is None
    assert build.errors
    assert not any("root:" in d.message for d in build.errors)


@_COMPILERS
def test_names_of_sections_are_no_way_to_files(compiler: str) -> None:
    section = '__attribute__((section(".text.x,\\"ax\\"\\n.incbin \\"/etc/passwd\\"\\n#")))'
    build = _compile(f"{section} int f(void) {{ return 1; }}\nvoid solution(void) {{}}\n", compiler)
    assert build.program is None or b"root:" not in build.program


@_COMPILERS
def test_compiler_out_of_time(compiler: str) -> None:
    # Nested macros: 10 ** 9 statements.
    lines = ["#define A0 x++;"]
    lines += [f"#define A{i + 1} {' '.join([f'A{i}'] * 10)}" for i in range(9)]
    source = "\n".join([*lines, "void solution(int x) { A9 }"])
    build = _compile(source, compiler, seconds=1.0, memory_bytes=64 << 30)
    assert build.program is None
    assert "took longer than 1 s" in build.errors[0].message


@_COMPILERS
def test_output_too_large(compiler: str) -> None:
    build = _compile("int8_t big[64 << 20] = {1};\nvoid solution(void) { big[0]++; }\n", compiler)
    assert build.program is None
    assert build.errors


@_COMPILERS
@pytest.mark.parametrize(
    "source", ["", "\x00", "}}}}", "#error no", "int" * 10_000, "void solution(void) {" + "(" * 5000, "é½"]
)
def test_nonsense_is_a_result(compiler: str, source: str) -> None:
    build = _compile(source, compiler)
    assert build.program is not None or build.errors


@_COMPILERS
def test_line_table(compiler: str) -> None:
    programs.skip_unless_installed(compiler)
    source = '\n\nvoid solution(int64_t *x) {\n  x[0] = 1;\n\n  asm volatile("ebreak");\n}\n'
    result = programs.simulate(source, programs.array("x", programs.np.zeros(1, "int64")), compiler=compiler)
    table = LineTable(programs.program(source, compiler), SOURCE_NAME)
    assert table.line(result["fault"]["pc"]) == 6
    assert table.line(0) is None
    assert table.line(0x7FFFFFFF) is None


@pytest.mark.parametrize("version", [4, 5])
def test_line_table_versions(version: int) -> None:
    if "gcc" not in programs.installed():
        pytest.skip("needs a RISC-V gcc, whose DWARF version can be chosen")
    from dataclasses import replace

    tools = Toolchain("gcc", _config.load().parameters_header())
    command = (*tools.compiler.command,)
    flags_for = type(
        "Flags",
        (type(tools.compiler),),
        {
            "flags": property(
                lambda self: tuple(f"-gdwarf-{version}" if flag == "-gdwarf-4" else flag for flag in find("gcc").flags)
            )
        },
    )
    tools.compiler = flags_for(tools.compiler.kind, command, tools.compiler.version)
    assert replace(tools.limits) == tools.limits
    elf = tools.compile("void solution(void) {\n  fence();\n  fence();\n}\n").program
    assert elf is not None
    table = LineTable(elf, SOURCE_NAME)
    assert {table.line(0x80000000 + at) for at in range(0, 16, 2)} >= {2, 3}


def test_table_of_a_damaged_file_is_empty() -> None:
    elf = programs.program("void solution(void) { fence(); }")
    assert LineTable(elf[: len(elf) // 2], SOURCE_NAME).line(0x80000000) is None
    assert LineTable(b"", SOURCE_NAME).line(0x80000000) is None


def test_missing_compiler_says_what_to_do() -> None:
    with pytest.raises(ToolchainError, match="pip install ziglang"):
        find("/nowhere/riscv-gcc")


def test_same_source_gives_the_same_program() -> None:
    source = "void solution(void) { fence(); }\n"
    for compiler in programs.installed():
        first, second = (programs.toolchain(compiler).compile(source).program for _ in range(2))
        assert first is not None
        assert second is not None
        assert _sections(first)[".text"] == _sections(second)[".text"]


def test_messages_of_other_files_have_no_line() -> None:
    errors, warnings = read_messages(
        "candidate.c:3:5: error: no good\n/usr/x/gemmini.h:7:1: error: inside\ncandidate.c:9:1: warning: careful\n"
        "ld: candidate.c:(.text+0x0): undefined reference to `f'\n"
    )
    assert [(d.line, d.message) for d in errors] == [
        (3, "no good"),
        (None, "inside"),
        (None, "undefined reference to `f'"),
    ]
    assert [(d.line, d.message) for d in warnings] == [(9, "careful")]


@pytest.mark.slow
@_COMPILERS
def test_processes_may_start_from_an_empty_cache_at_once(compiler: str, tmp_path: Path) -> None:
    programs.skip_unless_installed(compiler)
    script = (
        "from autocomp.targets.gemmini import _config\n"
        "from autocomp.targets.gemmini._toolchain import Toolchain\n"
        f"tools = Toolchain({compiler!r}, _config.load().parameters_header())\n"
        "source = 'void solution(void) { for (int i = 0; i < %d; i++) fence(); }'\n"
        "builds = [tools.compile(source % n) for n in range(3)]\n"
        "assert all(build.program for build in builds), builds\n"
    )
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    running = [subprocess.Popen([sys.executable, "-c", script], env=environment) for _ in range(4)]
    assert [process.wait() for process in running] == [0] * 4


def test_unwritable_cache_is_replaced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("not a folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocker))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    tools = Toolchain("auto", _config.load().parameters_header())
    assert tools.compile("void solution(void) { fence(); }").program is not None
    assert [path for path in tmp_path.iterdir() if path.name.startswith("autocomp")] == [cache_folder(CACHE)]


@_COMPILERS
def test_equal_sources_make_equal_programs(compiler: str) -> None:
    """The clock does not reach the program."""
    source = "const char *volatile when;\nvoid solution(void) {\n  when = __TIMESTAMP__ __DATE__ __TIME__;\n}\n"
    build = _compile(source, compiler)
    if build.program is None:  # zig refuses it
        assert "not reproducible" in build.errors[0].message
        return
    times = re.findall(rb"\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d (\d{4})\w{3} [ \d]\d (\d{4})\d\d:\d\d:\d\d", build.program)
    assert times == [(b"1970", b"1970")]


def test_a_full_disk_is_not_the_candidates_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """A failed compilation with no space left says nothing about the source, whatever the source makes it say."""
    toolchain = programs.toolchain("auto")
    talk = "#error No space left on device\n"
    assert toolchain.compile(talk).errors
    usage = shutil.disk_usage("/")._replace(free=4096)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    with pytest.raises(InfrastructureError, match=r"no space left in .*; free some"):
        toolchain.compile(talk)


def test_what_killed_compilations_left_is_taken_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    toolchain = Toolchain("auto", _config.load().parameters_header())
    folder = tmp_path / "autocomp" / "gemmini" / toolchain.fingerprint[:16]
    old, new = folder / "build-old", folder / "build-new"
    for scratch in (old, new):
        scratch.mkdir(parents=True)
    os.utime(old, (0, 0))
    assert toolchain.compile("void solution(void) {}\n").program is not None
    assert (old.exists(), new.exists()) == (False, True)
