"""A mutant: one source of the library with one change, compiled by itself and loaded in front of the library (LD_PRELOAD), so that
nothing is linked again; and whether a test notices it."""

import hashlib
import json
import os
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 30  # of computing, in seconds, where the tests do not take longer without a change
CHOSEN = "~[.]~[heavy]"  # among tests: those that run by themselves and take no gigabytes
OUT_OF_TIME = (-signal.SIGXCPU, -signal.SIGKILL)


def files_of_tests(source):
    """The files of tests that are likeliest to notice a change of a source, likeliest first, as Catch2 tags them (`-#`): those that
    have its name, others of its folder, others that include its header."""
    tests = [path for path in (ROOT / "tests").rglob("*_test.cpp") if not path.stem.endswith("_gradient_test")]
    own = {path.stem for path in tests if path.parent == ROOT / "tests" / source.parent}
    named = {stem for stem in own if stem.startswith(source.stem)}
    header = f"<gradual/{source.with_suffix('.hpp')}>"
    return named, own - named, {path.stem for path in tests if header in path.read_text()} - own


def failed_test(output):
    """The name of the first test that failed, which Catch2's console shows between two lines; None where it shows none."""
    between = re.search(r"^-{70,}\n(.*?)\n-{70,}\n", output, re.MULTILINE | re.DOTALL)
    if not between:
        return None
    name, *more = between.group(1).split("\n")
    for line in more:
        if re.match(r" {1,2}\S", line):  # of a section; the rest of a long name is further to the right
            break
        name += " " + line.strip()
    return name


class Mutation:
    """The mutants of a build with gcc, and with a shared library (-DBUILD_SHARED_LIBS=ON)."""

    def __init__(self, build, library="gradual", program="gradual_tests"):
        self.library = library
        self.limits = {}  # of tests that came to the LIMIT once: three times what they compute without a change
        self.folder = Path(tempfile.mkdtemp(prefix="gradual-mutation-"))
        self.program = build / "bin" / program
        self.sound = {}  # whether a test passes without a change
        self.commands = {}  # how the sources of a folder are compiled
        for entry in json.loads((build / "compile_commands.json").read_text()):
            words = shlex.split(entry["command"])
            if not re.search(rf"/{library}(_kernels)?\.dir/", entry["command"]) or "-fPIC" not in words or entry["file"].endswith("cmake_pch.hxx.cxx"):
                continue
            at = words.index("-o")
            words = words[:at] + words[at + 2:]
            while "-include" in words:  # a precompiled header
                place = words.index("-include")
                del words[place:place + 2]
            left_out = {"-c", "-Winvalid-pch", entry["file"]}
            self.directory = entry["directory"]
            unity = re.search(r"/Unity/unity_(\w+)_\d+_cxx\.cxx$", entry["file"])  # of a part of a folder
            words = [word for word in words if word not in left_out and "ccache" not in word]
            self.commands[unity.group(1) if unity else entry["file"]] = words
        linked = subprocess.run(["ldd", self.program], capture_output=True, text=True).stdout
        if not self.commands or f"lib{library}.so" not in linked:
            sys.exit("mutation: the build must have a shared library (-DBUILD_SHARED_LIBS=ON)")

    def compile(self, source, content):
        """The shared object of a source with this content, or None; and its machine code's hash. None, too, for a source that the
        double library leaves out."""
        changed, made = self.folder / source.name, self.folder / "mutant.so"
        changed.write_text(content)
        folder = re.sub(r"\W", "_", str(source.parent.relative_to(ROOT)))
        command = self.commands.get(str(source)) or self.commands.get(folder)
        if command is None:
            if self.library == "gradual":
                sys.exit(f"mutation: the build has no command that compiles {source}")
            return None, None
        command = command + ["-w", "-O1", "-I", str(source.parent), "-shared", "-o", str(made), str(changed)]
        if subprocess.run(command, cwd=self.directory, capture_output=True).returncode != 0:
            return None, None
        code = subprocess.run(["objdump", "-d", "-s", "-j", ".text", "-j", ".rodata", str(made)], capture_output=True).stdout
        return made, hashlib.sha256(code).hexdigest()

    def first_failure(self, mutant, files=None):
        """The first test that fails with the mutant in front and passes without it, or that there is no end; None where all pass.
        files: of tests, all where none are said."""
        chosen = ",".join(f"[#{file}]{CHOSEN}" for file in sorted(files)) if files is not None else CHOSEN
        status, output = self.run(mutant, chosen, self.limits.get(chosen, LIMIT))
        if status in OUT_OF_TIME and chosen not in self.limits:
            self.limits[chosen] = max(LIMIT, round(3 * self.seconds_without_change(chosen)))
            if self.limits[chosen] > LIMIT:
                status, output = self.run(mutant, chosen, self.limits[chosen])
        if status == 0:
            return None
        name = failed_test(output)
        if status in OUT_OF_TIME:
            return f"no end after {self.limits[chosen]} s of computing"
        if name is None:
            return f"the test program ends with {status}"
        if name not in self.sound:
            self.sound[name] = self.run(None, re.sub(r'([,\[\]"\\])', r"\\\1", name))[0] == 0
        if not self.sound[name]:
            sys.exit(f"mutation: without any change this fails: {name}")
        return name

    def seconds_without_change(self, chosen):
        """What these tests compute without a change."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        status, output = self.run(None, chosen)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if status != 0:
            sys.exit(f"mutation: without any change this fails: {failed_test(output) or status}")
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def run(self, mutant, chosen, limit=3600):
        """The test program's status and what it wrote; it may compute so many seconds."""
        environment = dict(os.environ, LD_PRELOAD=str(mutant or ""), OPENBLAS_NUM_THREADS="1")

        def bounded():
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
            resource.setrlimit(resource.RLIMIT_AS, (64 << 30, 64 << 30))
            Path("/proc/self/oom_score_adj").write_text("1000")  # what takes all memory ends first

        with open(self.folder / "output.txt", "w+", errors="replace") as output:
            started = subprocess.Popen([str(self.program), "--abort", "-#", chosen], env=environment, stdout=output,
                                       stderr=subprocess.STDOUT, cwd=self.folder, start_new_session=True, preexec_fn=bounded)
            try:
                started.wait(timeout=10 * limit)
            except subprocess.TimeoutExpired:
                pass
            try:
                os.killpg(started.pid, signal.SIGKILL)  # and what it started
            except ProcessLookupError:
                pass
            status = started.wait()
            output.seek(0)
            return status, output.read()
