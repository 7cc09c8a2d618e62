"""Nodes that the browser tests drive: real processes on loopback, each with a home of its own."""
import json
import os
import shutil
import signal
import subprocess
import time

# `make prove` looks at more.
PROVES = os.environ.get("KACHAT_PROVE") == "1"
# The last one is 1440 points at 200 %.
SIZES = [("light", 1440, 900), ("dark", 390, 844)] + (
    [("dark", 1440, 900), ("dark", 1024, 768), ("light", 390, 844), ("light", 720, 450)] if PROVES else [])


class Node:
    def __init__(self, binary, folder, name, device=None, phrase=None):
        self.binary, self.home = binary, os.path.join(folder, name)
        self.log = os.path.join(folder, name + ".log")
        self.process, self.api = None, "127.0.0.1:0"
        self.run("init", "--name", device or name, *(["--phrase-file", phrase] if phrase else []))

    def run(self, *arguments, text=None, status=0):
        done = subprocess.run(
            [self.binary, "--home", self.home, *arguments], input=text, capture_output=True, text=True, timeout=180)
        assert done.returncode == status, (arguments, done.returncode, done.stdout, done.stderr)
        return done.stdout

    def json(self, *arguments, text=None):
        return json.loads(self.run(*arguments, "--json", text=text))

    def start(self):
        """A second start serves its API at the same address, as a node with a fixed port does."""
        environment = dict(os.environ, SWIFT_BACKTRACE="enable=no")
        self.process = subprocess.Popen(
            [self.binary, "--home", self.home, "run", "--discovery", "lo", "--listen", "127.0.0.1:0", "--api", self.api],
            stdout=subprocess.PIPE, stderr=open(self.log, "a"), text=True, env=environment)
        self.api = json.loads(self.process.stdout.readline())["api"]
        return self

    def stop(self, how=signal.SIGTERM):
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(timeout=180)
        self.process = None

    def link(self):
        return self.json("dashboard")["url"]

    def add(self, number, conversation, body, direction="received", ago=0):
        self.run("message", "add", text=json.dumps({
            "txid": f"{number:064x}", "conversationId": conversation, "contact": conversation, "direction": direction,
            "senderTs": int(time.time()) - ago, "body": body}))


def launch(playwright):
    """Chromium, or its shell without windows, which has a quarter of the work with a page."""
    names = ["chromium-headless-shell", "chromium", "chromium-browser"]
    return playwright.chromium.launch(
        executable_path=next(filter(None, map(shutil.which, names))),
        args=["--no-sandbox"] if os.geteuid() == 0 else [])


def wait(what, condition, seconds=180):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "timed out: " + what
        time.sleep(0.05)


def begin_whole_day(seconds):
    """What is posted today must be today's result as long as the test looks at it: shortly before midnight it waits."""
    left = 86_400 - time.time() % 86_400
    if left < seconds:
        time.sleep(left + 1)
