"""What the dashboard costs a browser, by the browser's own counters, at 2,000 conversations and 140,000 messages.

    python dashboard_profile.py NODE-BINARY [--files Sources/CDashboard/Files]

`--files` shows the page of a source tree on a node that was built from another one. Prints one line per figure.
"""
import argparse
import http.client
import json
import os
import random
import shutil
import tempfile
import time

from playwright.sync_api import sync_playwright

from nodes import Node

WORDS = ("we could meet at the harbour tomorrow morning before nine if rain stops and bring coffee for everybody who "
         "was there last time because it was such a nice walk along old walls").split()


def history(talks=2_000, each=20, longest=100_000):
    """Lines of an import: one long conversation, and many short ones whose last messages lie within six years."""
    random.seed(5)
    now, years = int(time.time()), 6 * 365 * 86_400
    number = 0

    def line(talk, contact, at):
        nonlocal number
        number += 1
        return json.dumps({
            "txid": f"{number:064x}", "conversationId": talk, "contact": contact,
            "direction": "sent" if random.random() < 0.45 else "received", "senderTs": at, "blockTime": at * 1_000,
            "acceptingDaaScore": at // 10, "body": " ".join(random.choices(WORDS, k=random.choice([3, 5, 8, 12, 20, 45])))})

    for place in range(longest):
        yield line("long", "Anna", now - years + place * years // longest)
    for talk in range(1, talks):
        last = now - int(random.random() ** 3 * years) - 60
        for place in range(each):
            yield line(f"talk-{talk}", f"Contact {talk}", last - (each - place) * random.randint(100, 90_000))


TYPES = {"js": "text/javascript", "css": "text/css", "html": "text/html", "svg": "image/svg+xml"}


class Profile:
    def __init__(self, browser, node, files):
        self.node = node
        self.context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
        self.page = self.context.new_page()
        self.page.goto(node.link())
        self.page.wait_for_selector("main h1")
        if files:
            self.context.route("**/dashboard/**", lambda route: self.serve(route, files))
        self.tools = self.context.new_cdp_session(self.page)
        # Time on the processor, so that other work on the machine does not count.
        self.tools.send("Performance.enable", {"timeDomain": "threadTicks"})
        self.tools.send("Network.enable")
        self.bytes, self.requests = 0, 0
        self.tools.on("Network.dataReceived", lambda event: self.count(event["encodedDataLength"]))
        self.tools.on("Network.responseReceived", lambda event: self.count(event["response"]["encodedDataLength"], 1))

    def serve(self, route, files):
        name = route.request.url.split("/dashboard/")[1].split("#")[0] or "index.html"
        if name.split("?")[0] == "login":
            return route.continue_()
        with open(os.path.join(files, name)) as file:
            route.fulfill(status=200, content_type=TYPES[name.split(".")[-1]], body=file.read())

    def count(self, length, requests=0):
        self.bytes += max(0, length)
        self.requests += requests

    def busy(self):
        """Seconds of the page's main thread so far."""
        metrics = self.tools.send("Performance.getMetrics")["metrics"]
        return next(each["value"] for each in metrics if each["name"] == "TaskDuration")

    def slow(self, factor):
        self.tools.send("Emulation.setCPUThrottlingRate", {"rate": factor})

    def painted(self, start, selector):
        """Milliseconds from `start`, a script, until the selector is in the document and was painted."""
        return self.page.evaluate(f"""(selector) => new Promise((resolve) => {{
          const begin = performance.now();
          {start};
          const look = () => (document.querySelector(selector)
            ? requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begin)))
            : requestAnimationFrame(look));
          look();
        }})""", selector)

    # MARK: Figures

    def first_paint(self):
        self.page.evaluate("location.hash = '#/overview'")
        times = []
        for _ in range(5):
            self.page.reload()
            self.page.wait_for_selector("main h1")
            times.append(self.page.evaluate(
                "performance.getEntriesByName('first-contentful-paint')[0].startTime"))
        return sorted(times)[2]

    def opening(self):
        self.page.evaluate("location.hash = '#/overview'")
        self.page.reload()
        self.page.wait_for_selector(".hero")
        self.page.wait_for_timeout(2_000)
        self.slow(4)
        time = self.painted("location.hash = '#/conversations'", ".talks a")
        self.page.wait_for_timeout(6_000)
        key = self.painted("""const field = document.getElementById("search"); field.value = "7";
          field.dispatchEvent(new Event("input"))""", ".talks a")
        self.page.evaluate("""() => { const field = document.getElementById("search"); field.value = "";
          field.dispatchEvent(new Event("input")); }""")
        self.slow(1)
        return time, key

    def flow(self):
        """Four messages a second for ten seconds, three of four in the conversation that is open."""
        self.page.evaluate("location.hash = '#/conversations/long'")
        self.page.wait_for_selector(".message")
        self.page.wait_for_timeout(5_000)
        token = self.node.json("token", "create", "--scope", "chat:write")["token"]
        host = http.client.HTTPConnection(self.node.api)
        busy, self.bytes, self.requests = self.busy(), 0, 0
        begin = time.monotonic()
        for number in range(40):
            talk = "long" if number % 4 else f"talk-{number + 1}"
            host.request("POST", "/v1/messages", json.dumps({
                "txid": os.urandom(32).hex(), "conversationId": talk, "contact": "Anna", "direction": "received",
                "senderTs": int(time.time()), "body": " ".join(random.choices(WORDS, k=10))}),
                {"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
            assert host.getresponse().read()
            self.page.wait_for_timeout(max(1, (begin + (number + 1) / 4 - time.monotonic()) * 1_000))
        return self.busy() - busy, self.bytes, self.requests

    def size(self):
        return self.page.evaluate("document.querySelectorAll('main *').length")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("node")
    arguments.add_argument("--files")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="kachat-profile") as folder, sync_playwright() as playwright:
        node = Node(os.path.abspath(given.node), folder, "node", device="Profile")
        node.run("import", "-", text="\n".join(history()) + "\n")
        node.start()
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium") or shutil.which("chromium-browser"),
            args=["--no-sandbox"] if os.geteuid() == 0 else [])
        try:
            profile = Profile(browser, node, given.files)
            print(f"first paint                                    {profile.first_paint():8.0f} ms")
            opening, key = profile.opening()
            print(f"opening Conversations at a quarter of the CPU  {opening:8.0f} ms")
            print(f"a letter in the search at a quarter            {key:8.0f} ms")
            busy, size, requests = profile.flow()
            print(f"4 messages/s for 10 s: main thread             {busy:8.2f} s")
            print(f"4 messages/s for 10 s: transferred             {size / 1_000:8.0f} kB")
            print(f"4 messages/s for 10 s: requests                {requests:8d}")
            print(f"elements of the page                           {profile.size():8d}")
        finally:
            browser.close()
            node.stop()


if __name__ == "__main__":
    main()
