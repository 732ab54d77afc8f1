"""A program in a terminal of its own, for tests that look at what a person sees and type what a person types."""
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time


class Terminal:
    def __init__(self, command, columns=80, environment=os.environ):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
            os.execve(command[0], command, {**environment, "TERM": "xterm"})
        self.seen = b""

    def kill(self):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.terminal)

    def fail(self, problem):
        self.kill()
        sys.exit(f"FAILED: {problem}; the terminal shows {self.seen!r}")

    def read(self, end):
        """What comes next; nothing where the program has ended or the time has."""
        ready, _, _ = select.select([self.terminal], [], [], max(0, end - time.monotonic()))
        try:
            read = os.read(self.terminal, 65536) if ready else b""
        except OSError:  # the program has ended
            read = b""
        self.seen += read
        return read

    def wait_for(self, text, seconds=60):
        """What the terminal shows from here to `text`, which has to come."""
        end = time.monotonic() + seconds
        while text not in self.seen:
            if not self.read(end):
                self.fail(f"the terminal must show {text!r}")
        shown, self.seen = self.seen.split(text, 1)
        return shown

    def type(self, keys, seconds=60):
        # libedit shows its prompt a moment before it takes the keys from the terminal, which until then means to end by Ctrl-D.
        end = time.monotonic() + seconds
        while termios.tcgetattr(self.terminal)[3] & termios.ICANON and time.monotonic() < end:
            time.sleep(0.01)
        os.write(self.terminal, keys)

    def rest(self, seconds=60):
        """What it shows from here to the end of the program, which has to come; and the code that this ends with."""
        end = time.monotonic() + seconds
        while self.read(end):
            pass
        process, status = 0, 0
        while not process and time.monotonic() < end:
            process, status = os.waitpid(self.process, os.WNOHANG)
            time.sleep(0 if process else 0.01)
        if not process:
            self.fail("the program must end")
        os.close(self.terminal)
        return self.seen, os.waitstatus_to_exitcode(status)
