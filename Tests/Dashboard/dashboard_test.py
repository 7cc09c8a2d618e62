"""The dashboard in a real browser, on live nodes.

    python dashboard_test.py NODE-BINARY [--screenshots FOLDER]

Needs Debian's chromium-headless-shell or chromium, and playwright and axe-playwright-python from PyPI (Scripts/setup.sh
brings them). Ends with `N passed, M failed`, and with status 1 where one failed.
"""
import argparse
import datetime
import http.server
import json
import os
import re
import signal
import subprocess
import tempfile
import threading
import time
import traceback

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

from nodes import PROVES, SIZES, Node, begin_whole_day, launch, wait

VIEWS = ["overview", "devices", "conversations", "leaderboards", "settings", "diagnostics"]
# Milliseconds. Only what hangs should end a wait; the tests say nothing of speed.
PATIENCE = 180_000
HOSTILE = "<img src=x onerror=alert(1)> \u202egnp.exe"


expect.set_options(timeout=PATIENCE)


class World:
    """Two devices of one account, a friend with whom it compares scores, and a browser."""

    def __init__(self, binary, folder, playwright):
        self.folder, self.binary = folder, binary
        self.nodes = []
        self.begin(binary, folder)
        self.browser = launch(playwright)
        self.complaints = []

    def begin(self, binary, folder):
        self.one = Node(binary, folder, "one", device="Studio laptop").start()
        phrase = os.path.join(folder, "phrase")
        with open(os.open(phrase, os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
            file.write(self.one.run("account", "phrase"))
        self.two = Node(binary, folder, "two", device="Phone \u202eenohP", phrase=phrase).start()
        self.friend = Node(binary, folder, "friend", device="Ben's desktop").start()
        self.empty = Node(binary, folder, "empty", device="Empty").start()
        self.nodes = [self.one, self.two, self.friend, self.empty]
        self.fill()

    def fill(self):
        for number in range(1, 131):
            # Each in a second of its own: of one second those that were sent stand behind what was received.
            self.one.add(
                number, "alice", f"message {number}", "sent" if number % 3 == 0 else "received", ago=131 - number)
        self.one.add(500, "trouble", HOSTILE)
        self.one.run("conversation", "set", "trouble", "--title", HOSTILE)
        self.one.run("message", "hint", "--txid", "ab" * 32, "--direction", "received")
        self.one.run("group", "create", "Family")
        self.one.run("group", "set-name", "Family", "Anna")
        self.one.run("game", "add", "Wordle", "--model", "lower-attempts", "--max-attempts", "6")
        token = self.one.json("group", "invite", "Family")["token"]
        self.friend.run("group", "join", token, "--name", "Ben <b>", "--wait", "30")
        begin_whole_day(600)
        today = datetime.datetime.now(datetime.timezone.utc).date()
        for node, first in ((self.one, 1), (self.friend, 0)):
            lines = [json.dumps({
                "dateInt": int((today - datetime.timedelta(days=back)).strftime("%Y%m%d")), "gameName": "Wordle",
                "score": 2 + back % 4, "maxAttempts": 6, "completed": True}) for back in range(first, 60)]
            node.run("score", "import", "-", "--group", "Family", text="\n".join(lines) + "\n")
        wait("the friend's results are at the account's node", lambda: any(
            row["name"] == "Ben <b>" and row["playedToday"] for row in self.one.json("leaderboard")["rows"]))
        self.one.run("flush")

    def page(self, scheme="light", width=1280, height=900, motion="reduce", node=None, signed=True):
        """A window of its own, signed in by a link, that notes what the browser complains of."""
        context = self.browser.new_context(
            color_scheme=scheme, viewport={"width": width, "height": height}, reduced_motion=motion)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(f"page error: {error}"))
        page.on("console", lambda entry: self.complaints.append(f"console: {entry.text}")
                if entry.type in ("error", "warning") else None)
        if signed:
            page.goto((node or self.one).link())
            expect(page.locator("main h1")).not_to_have_count(0)
        return page

    def go(self, page, view):
        page.evaluate("place => { location.hash = place }", f"#/{view}")
        expect(page.locator(f'nav a[href="#/{view.split("/")[0]}"]')).to_have_attribute("aria-current", "page")
        expect(page.locator("main h1")).to_have_count(1)

    def close(self):
        self.browser.close()
        for node in self.nodes:
            node.stop()


def the_overview_is_open(page):
    expect(page.locator(".hero h1")).to_have_count(1)


# MARK: Getting in


def a_link_lets_in_once(world):
    page = world.page(signed=False)
    link = world.one.link()
    page.goto(link)
    the_overview_is_open(page)
    assert "key=" not in page.url and "code=" not in page.url, page.url
    cookie = [each for each in page.context.cookies([f"http://{world.one.api}/v1/status"])
              if each["name"].startswith("kachat-dashboard")]
    assert len(cookie) == 1 and cookie[0]["httpOnly"] and cookie[0]["sameSite"] == "Strict", cookie
    assert page.evaluate("document.cookie") == ""
    page.reload()
    the_overview_is_open(page)
    page.context.close()
    # The same link in other hands.
    thief = world.browser.new_context().new_page()
    answer = thief.goto(link)
    assert answer.status == 403, answer.status
    expect(thief.locator("main")).to_contain_text("kachat-node dashboard")
    assert thief.context.cookies() == []
    thief.goto(f"http://{world.one.api}/dashboard/")
    expect(thief.locator("h1")).to_have_text("This browser is not signed in")
    expect(thief.locator("main")).to_contain_text("kachat-node dashboard")
    thief.context.close()


def the_browser_gets_a_file(world):
    """`dashboard` starts it with a file that only its user can read, and which goes once it was used."""
    tools, given = os.path.join(world.folder, "tools"), os.path.join(world.folder, "given")
    os.mkdir(tools)
    with open(os.open(os.path.join(tools, "xdg-open"), os.O_CREAT | os.O_WRONLY, 0o755), "w") as file:
        file.write(f'#!/bin/sh\nprintf "%s\\n" "$@" > "{given}.part" && mv "{given}.part" "{given}"\n')
    ours, its = os.openpty()
    try:
        subprocess.run(
            [world.binary, "--home", world.one.home, "dashboard"], stdout=its, stderr=its, check=True, timeout=60,
            env=dict(os.environ, DISPLAY=":0", PATH=f"{tools}:/usr/bin:/bin", SWIFT_BACKTRACE="enable=no"))
    finally:
        os.close(its)
        os.close(ours)
    wait("the browser is started", lambda: os.path.exists(given))
    with open(given) as file:
        place = file.read().removesuffix("\n")
    assert "code=" not in place and os.stat(place).st_mode & 0o777 == 0o600, place
    page = world.page(signed=False)
    page.goto("file://" + place)
    the_overview_is_open(page)
    assert page.url == f"http://{world.one.api}/dashboard/#/overview", page.url
    wait("the file is gone", lambda: not os.path.exists(place))
    page.context.close()


class Elsewhere(http.server.BaseHTTPRequestHandler):
    """A page of another port of this machine, to which browsers send the same cookies."""
    seen = []

    def log_message(self, *_):
        pass

    def do_GET(self):
        Elsewhere.seen.append(self.headers.get("Cookie") or "")
        body = b"<!doctype html><title>elsewhere</title><form method=post><input name=a></form>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def another_site_gets_nothing(world):
    page = world.page()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    name = world.one.json("status")["name"]
    try:
        tab = page.context.new_page()
        tab.goto(f"http://127.0.0.1:{server.server_port}/")
        results = tab.evaluate("""async (api) => {
          const ask = (path, options) => fetch(`http://${api}${path}`, { credentials: "include", ...options })
            .then((answer) => `${answer.type} ${answer.status}`, () => "refused");
          const json = { "Content-Type": "application/json" };
          return [
            await ask("/v1/status"), await ask("/v1/conversations"), await ask("/v1/events"),
            await ask("/v1/device", { method: "PATCH", headers: json, body: '{"name":"stolen"}' }),
            await ask("/v1/flush", { method: "POST", mode: "no-cors", body: "a=b" }),
            await ask("/v1/status", { mode: "no-cors" }),
          ];
        }""", world.one.api)
        # An answer without CORS is none; what needs no preflight is opaque, and was refused.
        assert all(each in ("refused", "opaque 0") for each in results), results
        # The cookie alone, which another program of this machine may see, opens nothing.
        cookies = page.context.cookies([f"http://{world.one.api}/v1/status"])
        header = "; ".join(f"{each['name']}={each['value']}" for each in cookies)
        assert header
        alone = page.context.request.get(f"http://{world.one.api}/v1/status", headers={"Cookie": header})
        assert alone.status == 401, alone.status
        # In a frame it does not show.
        tab.evaluate("""(api) => new Promise((resolve) => {
          const frame = document.createElement("iframe");
          frame.src = `http://${api}/dashboard/`;
          frame.onload = resolve;
          document.body.append(frame);
        })""", world.one.api)
        assert all(frame.locator("main").count() == 0 for frame in tab.frames[1:])
        # Its form arrives, and is refused by its type.
        with tab.expect_response(lambda answer: answer.url.endswith("/v1/groups")) as posted:
            tab.evaluate("""(api) => {
              const form = document.querySelector("form");
              form.action = `http://${api}/v1/groups`;
              form.submit();
            }""", world.one.api)
        assert posted.value.status in (401, 403, 415), posted.value.status
    finally:
        server.shutdown()
        server.server_close()
    assert world.one.json("status")["name"] == name
    page.context.close()
    world.complaints.clear()


def a_link_of_others_shows_the_dashboard(world):
    page = world.page()
    tab = page.context.new_page()
    tab.goto(f"http://{world.one.api}/dashboard/#/overview/%E0%A4%A")
    the_overview_is_open(tab)
    expect(tab.locator("#banner")).to_be_empty()
    page.context.close()


def a_key_of_others_signs_nobody_out(world):
    page = world.page()
    key = page.evaluate("localStorage.getItem('kachat-key')")
    assert len(key) == 64, key
    for _ in range(2):
        tab = page.context.new_page()
        tab.goto(f"http://{world.one.api}/dashboard/#key={'0' * 64}")
        the_overview_is_open(tab)
        tab.close()
    page.reload()
    the_overview_is_open(page)
    assert page.evaluate("[localStorage.getItem('kachat-key'), localStorage.getItem('kachat-key-offered')]") == [key, None]
    page.context.close()
    world.complaints = [each for each in world.complaints if "401" not in each]


def a_revoked_browser_is_out(world):
    page = world.page()
    before = [json.loads(line) for line in world.one.run("token", "list", "--json").splitlines()]
    newest = max((each for each in before if each["name"] == "dashboard"), key=lambda each: each["createdAt"])
    world.one.run("token", "revoke", newest["id"])
    expect(page.locator("main h1")).to_have_text("This browser is not signed in")
    page.context.close()
    world.complaints.clear()


def who_signs_out_is_out(world):
    page = world.page()
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator("main h1")).to_have_text("This browser is not signed in")
    assert page.evaluate("localStorage.getItem('kachat-key')") is None
    page.reload()
    expect(page.locator("main h1")).to_have_text("This browser is not signed in")
    page.context.close()
    world.complaints = [each for each in world.complaints if "401" not in each]


def a_device_is_let_in_by_digits(world):
    page = world.page()
    world.go(page, "devices")
    page.get_by_role("button", name="Pair a device").click()
    expect(page.locator("main")).to_contain_text("kachat-node account pair --join")
    home = os.path.join(world.folder, "newcomer")
    joining = subprocess.Popen(
        [world.binary, "--home", home, "account", "pair", "--join", "--name", "New <i>tablet", "--json",
         "--discovery", "lo", "--listen", "127.0.0.1:0"],
        stdout=subprocess.PIPE, text=True, env=dict(os.environ, SWIFT_BACKTRACE="enable=no"))
    try:
        lines = (json.loads(line) for line in joining.stdout)
        digits = next(line["digits"] for line in lines if line["state"] == "comparing")
        expect(page.locator(".digits")).to_have_text(f"{digits[:3]} {digits[3:]}")
        expect(page.locator("main")).to_contain_text("Does New <i>tablet")
        expect(page.get_by_role("button", name="They are the same")).to_be_focused()
        subprocess.run([world.binary, "--home", home, "pairing", "refuse"], check=True, capture_output=True)
        # A key that was meant for the digits before says nothing of the new ones.
        digits = next(line["digits"] for line in lines if line["state"] == "comparing")
        expect(page.locator(".digits")).to_have_text(f"{digits[:3]} {digits[3:]}")
        expect(page.get_by_label("Digits on the other display")).to_be_focused()
        page.keyboard.press("Enter")
        assert page.get_by_role("button", name="They are the same").count() == 0
        assert world.one.json("pairing", "show")["state"] == "comparing"
        page.keyboard.type(f"{digits[:3]} {digits[3:]}")
        page.keyboard.press("Enter")
        expect(page.locator("main")).to_contain_text("to agree.")
        subprocess.run([world.binary, "--home", home, "pairing", "confirm", digits], check=True, capture_output=True)
        expect(page.locator("main")).to_contain_text("The other device now has the account")
        assert joining.wait(timeout=60) == 0
    finally:
        joining.kill()
        joining.wait()
        joining.stdout.close()
    # Who looks at something else is not seen any more.
    page.get_by_role("button", name="Pair a device").click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    world.go(page, "overview")
    wait("the pairing is over", lambda: world.one.json("pairing", "show")["state"] == "over")
    page.wait_for_timeout(500)
    the_overview_is_open(page)
    page.context.close()


# MARK: What is shown


def scrolled_up_to(page, text):
    """Scrolls the messages up until this one is in the document, as a reader does."""
    pane = page.locator(".pane")
    wait(f"scrolled up to {text}", lambda: pane.evaluate("pane => { pane.scrollTop -= 400; }") or
         page.wait_for_timeout(30) or page.locator(".message").get_by_text(text, exact=True).count() == 1)


def a_change_elsewhere_is_shown_at_once(world):
    page = world.page()
    world.go(page, "conversations/alice")
    message = page.locator(".message")
    expect(message.last).to_contain_text("message 130")
    expect(page.locator("#link")).to_contain_text("Live")
    world.two.add(900, "alice", "written on the phone", "sent")
    world.two.run("flush")
    # Who is at the end stays at the end.
    expect(message.last).to_contain_text("written on the phone")
    expect(message.last).to_be_in_viewport()
    # Who reads what is older stays there.
    scrolled_up_to(page, "message 1")
    first = message.get_by_text("message 1", exact=True)
    first.scroll_into_view_if_needed()
    expect(page.locator(".messages")).to_contain_text("The beginning of this conversation")
    place = first.bounding_box()
    world.two.add(903, "alice", "written later", "sent")
    world.two.run("flush")
    expect(page.get_by_role("navigation", name="Conversations")).to_contain_text("132 messages")
    page.wait_for_timeout(500)
    assert abs(first.bounding_box()["y"] - place["y"]) < 2, (first.bounding_box(), place)
    page.get_by_role("button", name="Show the newest messages").click()
    expect(message.last).to_contain_text("written later")
    expect(page.get_by_role("button", name="Show the newest messages")).to_have_count(0)
    world.one.run("message", "delete", f"{903:064x}", "--yes")
    expect(message.last).to_contain_text("written on the phone")
    page.context.close()


def the_open_conversation_is_marked(world):
    page = world.page()
    world.go(page, "conversations")
    rows = page.get_by_role("navigation", name="Conversations").get_by_role("listitem")
    marked = page.locator('.talks a[aria-current="true"]')
    for each in ("alice", "trouble", "alice"):
        world.go(page, f"conversations/{each}")
        expect(page.locator(".pane")).to_be_visible()
        expect(marked).to_have_count(1)
        expect(marked).to_have_attribute("href", f"#/conversations/{each}")
    last = rows.get_by_role("link").last
    place = last.get_attribute("href")
    last.click()
    expect(marked).to_have_attribute("href", place)
    expect(marked).to_have_count(1)
    expect(page.locator(".pane")).not_to_be_focused()
    assert page.url.endswith(place), page.url
    # A key goes on in the messages.
    rows.get_by_role("link").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".pane")).to_be_focused()
    page.context.close()


def what_comes_together_is_shown(world):
    page = world.page()
    world.one.add(699, "together", "the first", "sent")
    world.go(page, "conversations/together")
    expect(page.locator("main")).to_contain_text("the first")
    expect(page.locator("#link")).to_contain_text("Live")
    # A message, and in the same moment what this view does not look at.
    for number in range(5):
        world.one.add(700 + number, "together", f"together {number}", "sent")
        world.one.run("account", "pause")
        world.one.run("account", "resume")
        expect(page.locator("main")).to_contain_text(f"together {number}")
    world.one.run("conversation", "delete", "together", "--yes")
    expect(page.locator("main")).to_contain_text("No messages here")
    page.context.close()
    # The browser notes that what was deleted is not found.
    world.complaints = [each for each in world.complaints if "404" not in each]


def what_was_said_is_found(world):
    page = world.page()
    world.go(page, "conversations")
    field = page.get_by_role("searchbox")
    rows = page.get_by_role("navigation", name="Conversations").get_by_role("listitem")
    expect(rows).to_have_count(2)
    field.fill("ALI")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("alice")
    field.fill("message 17")
    expect(page.get_by_role("navigation", name="Conversations")).to_contain_text("No conversation has that name")
    page.keyboard.press("Enter")
    hits = page.get_by_role("region", name="Messages with message 17").get_by_role("listitem")
    expect(hits).to_have_count(2)
    expect(field).to_be_focused()
    be_accessible(page, "what was found")
    hits.last.get_by_role("link").click()
    # 117 is the newer hit.
    expect(page.locator(".message.place")).to_contain_text("message 17")
    expect(page.locator(".message.place")).to_be_in_viewport()
    expect(page.locator(".message.place mark")).to_have_text(["message", "17"])
    page.get_by_role("button", name="Show the newest messages").click()
    expect(page.locator(".message.place")).to_have_count(0)
    expect(page.get_by_role("button", name="Show the newest messages")).to_have_count(0)
    page.get_by_role("link", name="Back to the results").click()
    expect(hits).to_have_count(2)
    # What is typed is shown as text.
    for words, said in ((HOSTILE, "1 message"), ("nowhere", "No message contains all these words")):
        field.fill(words)
        page.keyboard.press("Enter")
        expect(page.locator("main")).to_contain_text(said)
    assert page.locator("main img").count() == 0
    page.get_by_role("button", name="Close").click()
    expect(page.locator("#found")).to_have_count(0)
    page.context.close()


def many_conversations_are_a_window(world):
    """Whatever their number, only what is in sight is in the document, and one stop of the tab key leads there."""
    crowd = Node(world.binary, world.folder, "crowd", device="Crowded").start()
    world.nodes.append(crowd)
    now, lines = int(time.time()), 900 if PROVES else 300
    talks = [("long", place) for place in range(lines)] + [(f"talk {talk:03}", 0) for talk in range(650)]
    crowd.run("import", "-", text="".join(json.dumps({
        "txid": f"{number + 1:064x}", "conversationId": talk, "contact": talk, "direction": "received",
        "senderTs": now - 40_000 * (lines - place) - number, "body": f"line {place} of {talk}"}) + "\n"
        for number, (talk, place) in enumerate(talks)))
    crowd.run("conversation", "set", "talk 640", "--pinned", "on", "--title", HOSTILE + "w" * 200)
    page = world.page(node=crowd)
    world.go(page, "conversations")
    rows = page.get_by_role("navigation", name="Conversations").get_by_role("listitem")
    expect(rows.first).to_have_attribute("aria-setsize", "651")
    expect(rows.first).to_contain_text("pinned")
    assert rows.count() < 60, rows.count()
    # One tab stop, and keys that lead to each row.
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    for _ in range(2):
        page.keyboard.press("Tab")
    for key, place in (("End", "651"), ("ArrowUp", "650"), ("Home", "1"), ("ArrowDown", "2")):
        page.keyboard.press(key)
        expect(page.locator(":focus")).to_be_in_viewport()
        row = page.locator("li:has(> :focus)")
        expect(row).to_have_attribute("aria-posinset", place)
        assert rows.locator("a[tabindex='0']").count() == 1 and rows.count() < 60
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Recently deleted")).to_be_focused()
    # All messages of a long one, each once, in order, and never more than a window of them.
    world.go(page, "conversations/long")
    expect(page.locator(".message").last).to_contain_text(f"line {lines - 1} of long")
    seen, most = set(), 0
    pane = page.locator(".pane")
    for _ in range(2_000):
        texts = page.locator(".message .text").all_inner_texts()
        most = max(most, len(texts))
        numbers = [int(text.split()[1]) for text in texts]
        assert numbers == list(range(numbers[0], numbers[-1] + 1)), numbers
        seen.update(numbers)
        if 0 in seen:
            break
        pane.evaluate("pane => { pane.scrollTop -= 900; }")
        page.wait_for_timeout(20)
    assert seen == set(range(lines)) and most < 60, (len(seen), most)
    assert page.locator(".day").count() > 0
    places = page.locator(".messages > li").evaluate_all(
        "list => list.map((each) => each.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom])")
    assert all(abs(one[1] - next[0]) < 1.5 for one, next in zip(places, places[1:])), places
    # A date leads to the first message of its day, and reading goes on from there in both directions.
    goal = datetime.datetime.fromtimestamp(now - 40_000 * (lines // 2) - 400)
    page.get_by_label("Go to a date").fill(goal.strftime("%Y-%m-%d"))
    day = page.locator(".day").get_by_text(goal.strftime("%A, %B ") + str(goal.day))
    expect(day.first).to_be_in_viewport()
    expect(page.get_by_role("button", name="Show the newest messages")).to_be_visible()
    newest = 0
    for _ in range(2_000):
        numbers = [int(text.split()[1]) for text in page.locator(".message .text").all_inner_texts()]
        assert numbers == list(range(numbers[0], numbers[-1] + 1)), numbers
        newest = max([newest, *numbers])
        if newest == lines - 1:
            break
        pane.evaluate("pane => { pane.scrollTop += 900; }")
        page.wait_for_timeout(20)
    assert newest == lines - 1, newest
    # An event reads again the row and the message that it names, and nothing else.
    pane.evaluate("pane => { pane.scrollTop = pane.scrollHeight; }")
    expect(page.get_by_role("button", name="Show the newest messages")).to_have_count(0)
    page.wait_for_timeout(1_500)
    asked = []
    page.on("request", lambda request: asked.append(request.url.split("/v1/")[1].split("?")[0]))
    for number in range(3):
        crowd.add(5_000 + number, "talk 500", f"more {number}")
        crowd.add(6_000 + number, "long", f"last {number}")
    expect(page.locator(".message").last).to_contain_text("last 2")
    expect(rows.nth(1)).to_contain_text("long")
    expect(rows.nth(2)).to_contain_text("talk 500")
    expect(rows.nth(2)).to_contain_text("4 messages")
    kinds = {"conversations/long", "conversations/talk%20500", "status"} | {
        f"messages/{number:064x}" for number in range(6_000, 6_003)}
    assert set(asked) <= kinds, set(asked) - kinds
    # What the page does to a conversation.
    page.get_by_role("button", name="Mark as read").click()
    expect(page.get_by_role("button", name="Mark as read")).to_have_count(0)
    page.get_by_role("button", name="Mute").click()
    expect(page.get_by_role("button", name="Unmute")).to_be_visible()
    page.get_by_role("button", name="Pin", exact=True).click()
    expect(rows.first).to_contain_text("pinned, muted")
    shown = crowd.json("conversation", "show", "long")
    assert (shown["pinned"], shown["muted"], shown["unread"]) == (True, True, 0), shown
    page.context.close()
    # On a phone the list and a conversation are pages, and the frame leaves them their room.
    page = world.page(node=crowd, width=390, height=844)
    world.go(page, "conversations")
    nav = page.get_by_role("navigation", name="Conversations")
    rows = nav.get_by_role("listitem")
    expect(rows.first).to_be_visible()
    assert 844 - page.locator(".side").bounding_box()["y"] <= 120
    rows.first.get_by_role("link").click()
    expect(nav).to_be_hidden()
    pane = page.locator(".pane")
    expect(pane).to_be_visible()
    assert 844 - pane.bounding_box()["height"] <= 120, pane.bounding_box()
    page.get_by_role("link", name="All conversations").click()
    expect(nav).to_be_visible()
    page.context.close()
    crowd.stop()


def what_overtakes_is_not_mixed(world):
    """Answers that come late, and clicks that come twice."""
    page = world.page()
    world.go(page, "conversations/alice")
    last = page.locator(".message").last
    expect(last).to_be_in_viewport()
    held = []
    page.route("**/v1/messages?*cursor=*", lambda route: held.append(route))
    pane = page.locator(".pane")
    for _ in range(3):
        pane.evaluate("pane => { pane.scrollTop = 0; pane.dispatchEvent(new Event('scroll')); }")
        page.wait_for_timeout(100)
    assert len(held) == 1, held
    # Another conversation is chosen while the older messages are on their way.
    world.go(page, "conversations/trouble")
    expect(page.locator(".message")).to_have_count(1)
    held[0].continue_()
    page.wait_for_timeout(300)
    expect(page.locator(".message")).to_have_count(1)
    page.unroute("**/v1/messages?*cursor=*")
    # All time comes after today was chosen.
    page.evaluate("localStorage.setItem('hides-today', 'no')")
    world.go(page, "leaderboards")
    expect(page.get_by_role("tab", name="Today")).to_be_visible()
    late = []
    page.route("**/leaderboard?*period=all*", lambda route: late.append(route))
    page.get_by_role("tab", name="All time").click()
    # Twice, if something changes meanwhile.
    wait("all time is asked for", lambda: page.wait_for_timeout(20) or late)
    page.get_by_role("tab", name="Today").click()
    expect(page.locator("#board")).to_contain_text("The day ends in")
    played = page.locator("#board tbody tr").filter(has_text="Ben").locator("td").last
    expect(played).to_have_text("1")
    for each in late:
        each.continue_()
    page.wait_for_timeout(300)
    expect(page.get_by_role("tab", name="Today")).to_have_attribute("aria-selected", "true")
    expect(played).to_have_text("1")
    page.context.close()


def the_focus_goes_with_its_row(world):
    page = world.page()
    for number, name in enumerate(("late", "early")):
        world.one.add(800 + number, name, "a message", "sent")
    world.go(page, "conversations")
    rows = page.get_by_role("navigation", name="Conversations").get_by_role("listitem")
    link = rows.filter(has_text="late").get_by_role("link")
    link.focus()
    expect(page.locator("#link")).to_contain_text("Live")
    # In one second they stand by their names.
    expect(rows.first).to_contain_text("early")
    page.wait_for_timeout(1100)
    world.one.add(802, "late", "another message", "sent")
    expect(rows.first).to_contain_text("late")
    expect(link).to_be_focused()
    page.context.close()
    for name in ("early", "late"):
        world.one.run("conversation", "delete", name, "--yes")


def a_page_that_nobody_sees_asks_for_nothing(world):
    page = world.page()
    world.go(page, "conversations/alice")
    expect(page.locator("#link")).to_contain_text("Live")
    asked = []
    page.evaluate("""() => {
      window.isHidden = true;
      Object.defineProperty(document, "hidden", { get: () => window.isHidden });
    }""")
    page.wait_for_timeout(500)
    page.on("request", lambda request: asked.append(request.url))
    world.one.add(902, "alice", "while nobody looked", "sent")
    page.wait_for_timeout(4000)
    assert asked == [], asked
    page.evaluate("""() => {
      window.isHidden = false;
      document.dispatchEvent(new Event("visibilitychange"));
    }""")
    expect(page.locator(".messages")).to_contain_text("while nobody looked")
    page.context.close()


def an_account_that_comes_later_is_followed(world):
    bare = Node(world.binary, world.folder, "bare")
    world.nodes.append(bare)
    bare.start()
    label = bare.json("account", "list")["label"]
    bare.run("account", "remove", label, "--yes")
    page = world.page(node=bare)
    expect(page.locator("main h1")).to_contain_text("no account on this device yet")
    world.go(page, "conversations")
    bare.run("account", "create", "--label", "first")
    expect(page.locator("#link")).to_contain_text("Live")
    bare.add(1, "bob", "hello", "sent")
    expect(page.get_by_role("navigation", name="Conversations")).to_contain_text("bob")
    bare.run("account", "create", "--label", "second")
    page.get_by_role("combobox", name="Account").select_option("second")
    expect(page.locator("main")).to_contain_text("No messages yet")
    expect(page.locator("#link")).to_contain_text("Live")
    bare.run("account", "remove", "second", "--yes")
    expect(page.get_by_role("navigation", name="Conversations")).to_contain_text("bob")
    expect(page.locator("#link")).to_contain_text("Live")
    bare.add(2, "carol", "hello too", "sent")
    expect(page.get_by_role("navigation", name="Conversations")).to_contain_text("carol")
    page.context.close()
    bare.stop()
    # The stream of the account that was removed is refused once.
    world.complaints = [each for each in world.complaints if "404" not in each]


def an_account_that_cannot_be_opened_says_why(world):
    broken = Node(world.binary, world.folder, "broken")
    zones = os.path.join(broken.home, "zones")
    rotten = os.listdir(zones)
    broken.run("account", "create", "--label", "other")
    for name in rotten:
        with open(os.path.join(zones, name), "wb") as file:
            file.write(b"rot" * 10_000)
    world.nodes.append(broken)
    broken.start()
    page = world.page(node=broken)
    page.get_by_role("combobox", name="Account").select_option("main")
    expect(page.locator("main h1")).to_contain_text("damaged")
    expect(page.locator(".mark")).to_have_text("Something is wrong")
    expect(page.locator(".problems")).to_contain_text("Move the home away")
    expect(page.locator("#banner")).to_be_empty()
    for view in VIEWS[1:5]:
        world.go(page, view)
        expect(page.locator("main")).to_contain_text("damaged")
    world.go(page, "diagnostics")
    expect(page.locator("main")).to_contain_text("This node")
    page.context.close()
    broken.stop()
    # What the store does not give is refused, and the browser notes that.
    world.complaints = [each for each in world.complaints if "status of 5" not in each]


def a_home_that_cannot_be_opened_says_why(world):
    """With the only account damaged the node still runs, and its page explains it."""
    ruined = Node(world.binary, world.folder, "ruined")
    zones = os.path.join(ruined.home, "zones")
    for name in os.listdir(zones):
        with open(os.path.join(zones, name), "wb") as file:
            file.write(b"rot" * 10_000)
    world.nodes.append(ruined)
    ruined.start()
    page = world.page(node=ruined)
    expect(page.locator("main h1")).to_contain_text("damaged")
    expect(page.locator(".mark")).to_have_text("Something is wrong")
    expect(page.locator(".problems")).to_contain_text("Move the home away")
    for view in ("conversations", "diagnostics"):
        world.go(page, view)
    page.context.close()
    ruined.stop()
    world.complaints = [each for each in world.complaints if "status of 5" not in each]


def the_overview_says_who_holds_what(world):
    page = world.page()
    # Where something is missing nothing is said to be everywhere.
    expect(page.locator(".mark")).to_have_text("Incomplete")
    expect(page.locator("main h1")).to_contain_text("1 missing message, known only by id; last change")
    expect(page.locator("main h1")).not_to_contain_text("hold")
    status = world.one.json("status")["accounts"][0]
    expect(page.locator(".hero .lead")).to_contain_text(status["sentence"].split(";")[0][1:])
    rows = page.get_by_role("table", name="Devices of the account").get_by_role("row")
    expect(rows).to_have_count(3)
    expect(rows.nth(1)).to_contain_text("Studio laptop")
    expect(page.locator(".problems")).to_contain_text("1 missing message, known only by id")
    expect(page.locator(".problems")).to_contain_text("What to do")
    expect(page.locator(".care")).to_contain_text("account confirm")
    expect(page.locator(".care")).to_contain_text(f"kachat-node --home {world.one.home} backup FILE")
    # The other view says the same of this device.
    expect(rows.nth(1)).to_contain_text("Not everything")
    world.go(page, "devices")
    own = page.get_by_role("table", name="Devices of this account").get_by_role("row").nth(1)
    expect(own).to_contain_text("Studio laptop")
    expect(own).to_contain_text("Not everything")
    page.context.close()


def what_needs_attention_has_buttons(world):
    page = world.page()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    command = page.locator(".care .copyable").filter(has_text="backup FILE")
    command.get_by_role("button").click()
    expect(command.get_by_role("button")).to_contain_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == f"kachat-node --home {world.one.home} backup FILE"
    world.one.run("account", "pause")
    problem = page.locator(".problems li").filter(has_text="paused")
    expect(problem).to_contain_text(f"kachat-node --home {world.one.home} account resume")
    problem.get_by_role("button", name="Resume").click()
    expect(page.locator(".said")).to_have_text("Resumed.")
    expect(problem).to_have_count(0)
    assert world.one.json("status")["accounts"][0]["verdict"] != "paused"
    page.locator(".problems").get_by_role("button", name="Try again").first.click()
    expect(page.locator(".said")).to_contain_text("in reach")
    page.context.close()


def devices_are_on_a_map(world):
    page = world.page()
    map = page.get_by_role("img", name="Your devices")
    # A message that nobody has is missing everywhere.
    expect(map).to_have_attribute("aria-label", "Your devices. Phone \ufffdenohP: here now, 99\u00a0%")
    expect(map.locator(".line.live")).to_have_count(1)
    assert map.locator("text").first.text_content() == "Phone \ufffdenohP"
    world.two.stop()
    expect(map.locator(".line.stale")).to_have_count(1)
    expect(map.locator(".line.live")).to_have_count(0)
    # What comes meanwhile it lacks.
    expect(map).to_have_attribute("aria-label", "Your devices. Phone \ufffdenohP: away, 99\u00a0%")
    world.one.add(991, "away", "for when it is back", "sent")
    world.one.run("flush")
    expect(map).to_have_attribute("aria-label", re.compile(r"Phone \ufffdenohP: away, ([1-8]\d|9[0-8])\u00a0%"))
    world.two.start()
    expect(map).to_have_attribute("aria-label", "Your devices. Phone \ufffdenohP: here now, 99\u00a0%")
    expect(map.locator(".line.live")).to_have_count(1)
    world.one.run("conversation", "delete", "away", "--yes")
    page.context.close()
    # Alone it has no map, and nothing to plot while nothing comes.
    page = world.page(node=world.empty)
    the_overview_is_open(page)
    assert page.locator(".map, .spark").count() == 0
    page.context.close()


def history_on_its_way_is_the_page(world):
    """The node's numbers are those of a restore in its midst; a real one is over too soon to be looked at."""
    page = world.page()
    progress = {"messagesHere": 118_000, "messagesWanted": 82_000, "bytesHere": 59, "bytesWanted": 41_000_000, "percent": 59,
                "messagesPerSecond": 5_300, "secondsLeft": 95, "daysHere": 2_800, "daysKnown": 5_200,
                "completeFrom": 1_552_000_000_000, "counting": False}

    def restoring(route):
        answer = route.fetch()
        status = answer.json()
        account = status["accounts"][0]
        account.update(verdict="syncing", wantedBlobs=3_000, summary="82,000 messages are on their way")
        account["progress"].update(progress)
        route.fulfill(response=answer, body=json.dumps(status))

    page.route("**/v1/status", restoring)
    expect(page.locator("main h1")).to_have_text("Bringing your history back: 59\u00a0%, complete back to March 2019")
    bar = page.get_by_role("progressbar", name="History that is complete")
    expect(bar).to_have_attribute("aria-valuetext", "2,800 of 5,200 days complete")
    expect(page.locator(".restoring")).to_contain_text("about 2 min")
    expect(page.locator(".restoring")).to_contain_text("5,300")
    box, filled = bar.bounding_box(), bar.locator("span").bounding_box()
    # From today, on the right, backwards.
    assert abs(box["x"] + box["width"] - filled["x"] - filled["width"]) < 2, (box, filled)
    assert abs(filled["width"] / box["width"] - 2_800 / 5_200) < 0.02, (box, filled)
    be_accessible(page, "a restore")
    nothing_overlaps(page, "a restore")
    # While it still counts it says less.
    progress.update(counting=True, percent=None, secondsLeft=None, daysHere=None, daysKnown=None, completeFrom=None)
    expect(page.locator("main h1")).to_have_text("Bringing your history back")
    expect(page.locator(".restoring")).to_contain_text("being counted")
    page.unroute("**/v1/status")
    expect(page.locator(".restoring")).to_have_count(0)
    page.context.close()


def one_verdict_makes_badge_headline_and_rows(world):
    page = world.page()
    told = page.evaluate("""async () => {
      const { health, ownHold, holdsUpTo } = await import("/dashboard/health.js");
      const text = (part) => [part].flat(9).map((each) => each?.textContent ?? each).join("");
      const summaries = {
        upToDate: "both devices hold everything", syncing: "this device still lacks 3 messages",
        offline: "2 of 3 devices hold everything; tablet: unknown", incomplete: "4 segments cannot be read here",
        paused: "paused by one since noon: nothing is sent; resume with `x`", full: "storage full: make room for 3 MB",
        error: "the store is damaged",
      };
      const tell = (verdict, lostAt) => {
        const account = { verdict, summary: summaries[verdict] };
        const app = { account, lostAt, heardAt: 5 };
        const { kind, mark, headline } = health(app);
        return [kind, mark, text(headline), text(ownHold(app)), text(holdsUpTo(app, { level: true }))];
      };
      return Object.keys(summaries).map((verdict) => [verdict, tell(verdict, null), tell(verdict, 9)]);
    }""")
    words = page.evaluate("""async () => {
      const document = await (await fetch("/v1/openapi.json")).json();
      return document.components.schemas.AccountStatus.properties.verdict.enum;
    }""")
    assert sorted(words) == sorted(verdict for verdict, _, _ in told), words
    assert len({mark for _, (_, mark, *_), _ in told}) == len(told)
    for verdict, (kind, mark, headline, own, other), lost in told:
        is_well = verdict == "upToDate"
        assert (kind == "good") == (mark == "All is well") == is_well, (verdict, kind, mark)
        assert headline.startswith("Both devices hold everything") == is_well, (verdict, headline)
        assert (own == "now") == (other == "now") == (verdict in ("upToDate", "offline")), (verdict, own, other)
        assert lost[:2] == ["idle", "No answer"] and "hold" not in lost[2], (verdict, lost)
        assert "now" not in lost[3:], (verdict, lost)
    by_name = {verdict: now for verdict, now, _ in told}
    assert by_name["full"][2] == "Storage full", by_name["full"]
    assert by_name["paused"][2] == "Paused by one since noon", by_name["paused"]
    assert by_name["offline"][2] == "2 of 3 devices hold everything; tablet: unknown", by_name["offline"]
    assert by_name["syncing"][4] == by_name["incomplete"][4] == "what this device has", by_name
    page.context.close()


def nothing_is_well_without_the_node(world):
    """The statement of health goes with the node that made it, and comes back with it."""
    calm = Node(world.binary, world.folder, "calm", device="Calm laptop").start()
    phrase = os.path.join(world.folder, "calm-phrase")
    with open(os.open(phrase, os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
        file.write(calm.run("account", "phrase"))
    other = Node(world.binary, world.folder, "calm-two", device="Calm phone", phrase=phrase).start()
    world.nodes += [calm, other]
    page = world.page(node=calm)
    main, mark, head = page.locator("main"), page.locator(".mark"), page.locator("main h1")
    health = ["All is well", "hold everything", "here now", "in sync"]
    for how in (signal.SIGKILL, signal.SIGTERM):
        expect(mark).to_have_text("All is well")
        expect(head).to_contain_text("Both devices hold everything")
        expect(main).to_contain_text("here now")
        calm.stop(how)
        expect(mark).to_have_text("No answer")
        expect(head).to_contain_text("The node has not answered since")
        expect(page).to_have_title("No answer · Overview · kachat-node")
        expect(page.locator('link[rel="icon"]')).to_have_attribute("href", "icon-lost.svg")
        expect(main).to_contain_text("Last known at")
        for words in health:
            expect(main).not_to_contain_text(words)
        expect(page.locator(".good")).to_have_count(0)
        be_accessible(page, "without the node")
        world.go(page, "devices")
        expect(main).to_contain_text("Last known at")
        expect(main).not_to_contain_text("here now")
        # A view that is opened now asks the node in vain.
        world.go(page, "overview")
        expect(mark).to_have_text("No answer")
        calm.start()
    expect(mark).to_have_text("All is well")
    expect(page).to_have_title("Overview · kachat-node")
    expect(page.locator('link[rel="icon"]')).to_have_attribute("href", "icon.svg")
    expect(main).not_to_contain_text("Last known at")
    calm.run("account", "pause")
    expect(mark).to_have_text("Paused")
    expect(head).to_contain_text("Paused")
    expect(main).not_to_contain_text("hold everything")
    rows = page.get_by_role("table", name="Devices of the account").get_by_role("row")
    expect(rows.nth(1)).to_contain_text("Paused")
    calm.run("account", "resume")
    expect(mark).to_have_text("All is well")
    page.context.close()
    calm.stop()
    other.stop()
    assert all("ERR_" in each for each in world.complaints), world.complaints
    world.complaints.clear()


def conversations_do_not_overlap(world):
    """Names as long as people give them stay in their column, whatever the window."""
    names = {"long": "Weekend hike to the old observatory, with everybody who was there in June and wants to come again",
             "word": "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"}
    for number, (conversation, title) in enumerate(names.items()):
        world.one.add(850 + number, conversation, "Shall we say nine o’clock? " * 12)
        world.one.run("conversation", "set", conversation, "--title", title)
    for _, width, height in SIZES:
        page = world.page(width=width, height=height)
        for view in ("conversations", "conversations/long"):
            world.go(page, view)
            if view != "conversations":
                expect(page.locator(".message")).to_have_count(1)
            if world.screenshots:
                page.screenshot(path=os.path.join(world.screenshots, f"talk-{width}-{view.replace('/', '-')}.png"))
            boxes = page.evaluate("""() => {
              const box = (element) => {
                const { left, right, top, bottom } = element.getBoundingClientRect();
                return { left, right, top, bottom };
              };
              const [nav, other] = document.querySelector(".talk").children;
              const parts = [...nav.querySelectorAll("form, ul, li, a, .title, .meta, input, button")];
              return { nav: box(nav), other: box(other), parts: parts.map((each) => [each.className || each.tagName, box(each)]) };
            }""")
            nav, other = boxes["nav"], boxes["other"]
            apart = nav["right"] <= other["left"] or nav["bottom"] <= other["top"] or 0 in (
                nav["right"], other["right"])
            assert apart, (width, view, nav, other)
            for what, part in boxes["parts"]:
                inside = part["right"] <= nav["right"] + 1 and part["left"] >= nav["left"] - 1
                assert inside, (width, view, what, part, nav)
            be_accessible(page, (width, view))
        page.context.close()
    for conversation in names:
        world.one.run("conversation", "delete", conversation, "--yes")


def a_bar_moves_on(world):
    page = world.page()
    width = page.evaluate("""async () => {
      const { h, show } = await import("/dashboard/dom.js");
      const place = document.createElement("div");
      for (const part of [10, 60]) show(place, h("span", { "width%": part }));
      return place.firstChild.style.width;
    }""")
    assert width == "60%", width
    page.context.close()


def times_of_others_can_be_any_number(world):
    page = world.page()
    tags = page.evaluate("""async () => {
      const { since, date, until, soon } = await import("/dashboard/words.js");
      return [since, date, (at) => until(at, "over"), soon].flatMap((show) =>
        [9.2e18, -9.2e18].map((at) => show(at).tagName));
    }""")
    assert tags == ["TIME"] * 8, tags
    page.context.close()


def names_of_others_are_only_text(world):
    page = world.page()
    world.go(page, "conversations/trouble")
    expect(page.locator("#open")).to_contain_text("<img src=x onerror=alert(1)>")
    assert page.locator("main img").count() == 0
    for view in ("conversations/trouble", "devices", "overview"):
        world.go(page, view)
        page.wait_for_timeout(300)
        assert "\u202e" not in page.locator("body").inner_text(), view
    expect(page.locator("main")).to_contain_text("Phone \ufffdenohP")
    world.go(page, "conversations")
    page.get_by_role("switch", name="Hide titles and names").click()
    expect(page.locator(".talks")).not_to_contain_text("alice")
    page.context.close()


def devices_are_renamed_and_forgotten(world):
    three = Node(world.binary, world.folder, "three", device="Old tablet", phrase=os.path.join(world.folder, "phrase"))
    world.nodes.append(three)
    three.start()
    page = world.page()
    world.go(page, "devices")
    row = page.get_by_role("row").filter(has_text="Old tablet")
    expect(row).to_contain_text("By itself, on the local network")
    expect(row).to_contain_text("ms")
    page.get_by_label("Name on your other devices").fill("Desk laptop")
    page.get_by_role("button", name="Rename", exact=True).click()
    expect(page.locator("#device")).to_have_text("Desk laptop")
    assert world.one.json("status")["name"] == "Desk laptop"
    three.stop()
    expect(row).to_contain_text("ago")
    # One that is away gets its name, too.
    row.get_by_role("button", name="Rename Old tablet").click()
    expect(page.get_by_label("Name on all your devices")).to_be_focused()
    expect(page.get_by_label("Name on all your devices")).to_have_value("Old tablet")
    page.keyboard.type("Kitchen tablet")
    page.keyboard.press("Enter")
    expect(page.get_by_role("row").filter(has_text="Kitchen tablet")).to_have_count(1)
    wait("the other device calls it so, too", lambda: "Kitchen tablet" in world.two.run("device", "list"))
    # Told of it, it calls itself so, too.
    three.start()
    wait("the device itself shows its new name", lambda: three.json("status")["name"] == "Kitchen tablet")
    three.stop()
    row = page.get_by_role("row").filter(has_text="Kitchen tablet")
    expect(row).to_contain_text("ago")
    row.get_by_role("button", name="Forget").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Forget Kitchen tablet?")
    # Whoever lost it needs something else.
    expect(dialog).to_contain_text("device remove ")
    dialog.get_by_role("button", name="Cancel").click()
    expect(row).to_have_count(1)
    # The field was about the one that goes.
    row.get_by_role("button", name="Rename").click()
    row.get_by_role("button", name="Forget").click()
    dialog.get_by_role("button", name="Forget it").click()
    # It is out of use, and still there to be seen: it may come back.
    expect(row).to_contain_text("forgotten")
    expect(row.get_by_role("button", name="Forget")).to_have_count(0)
    expect(page.get_by_label("Name on your other devices")).to_have_value("Desk laptop")
    expect(page.get_by_role("img", name="QR code of this device")).to_be_visible()
    assert "phrase" not in world.one.run("peers", "--json")
    words = world.one.run("account", "phrase").split()
    assert " ".join(words[:3]) not in page.content()
    page.context.close()


def diagnostics_do_something(world):
    page = world.page()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    world.go(page, "diagnostics")
    expect(page.get_by_role("table", name="Network interfaces")).to_contain_text("IPv4 multicast")
    page.get_by_role("button", name="Sync now").click()
    expect(page.locator(".said")).to_contain_text("Caught up with")
    page.get_by_role("button", name="Scrub now").click()
    expect(page.locator(".said")).to_contain_text("all good")
    page.get_by_role("button", name="Copy report").click()
    expect(page.locator(".said")).to_contain_text("Copied")
    report = json.loads(page.evaluate("navigator.clipboard.readText()"))
    assert report["version"] == world.one.json("version")["version"]
    page.context.close()


def empty_views_say_what_to_do(world):
    page = world.page(node=world.empty)
    # A new node's first page advises each thing once.
    expect(page.get_by_role("region", name="Needs attention")).to_contain_text("No other device is known")
    expect(page.get_by_role("button", name="Add a device")).to_be_visible()
    expect(page.locator("code").filter(has_text="backup FILE")).to_have_count(1)
    expect(page.locator("main h1")).to_contain_text("other device is known here")
    program = f"kachat-node --home {world.empty.home}"
    expect(page.locator(".care")).to_contain_text(f"{program} backup")
    for view, words in (("conversations", f"{program} import"), ("leaderboards", "You are not in a group yet"),
                        ("devices", "kachat-node init")):
        world.go(page, view)
        expect(page.locator("main")).to_contain_text(words)
    page.context.close()
    page = world.page(width=360, node=world.empty)
    for view in VIEWS if PROVES else ["overview", "conversations", "leaderboards"]:
        world.go(page, view)
        page.wait_for_timeout(400)
        be_accessible(page, view)
    page.context.close()


# MARK: For everybody


def be_accessible(page, what):
    found = Axe().run(page).response["violations"]
    assert not found, (what, [(each["id"], each["nodes"][0]["html"][:200]) for each in found])
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, (what, wide)


def nothing_overlaps(page, what):
    """Texts and controls that can be seen do not lie on one another."""
    found = page.evaluate("""() => {
      const seen = (element, box) => {
        let { left, right, top, bottom } = box;
        if (!element.checkVisibility({ visibilityProperty: true })) return null;
        for (let each = element; each && each !== document.body; each = each.parentElement) {
          const style = getComputedStyle(each);
          if (style.clipPath !== "none") return null;
          // What stays in its place while the page scrolls lies above it.
          if (style.position === "fixed" || style.position === "sticky") return null;
          if (style.overflow === "visible" && style.overflowY === "visible") continue;
          const clip = each.getBoundingClientRect();
          [left, right] = [Math.max(left, clip.left), Math.min(right, clip.right)];
          [top, bottom] = [Math.max(top, clip.top), Math.min(bottom, clip.bottom)];
        }
        return right - left > 1 && bottom - top > 1 ? { left, right, top, bottom } : null;
      };
      const parts = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const node = walker.currentNode;
        if (!node.data.trim()) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const rect of range.getClientRects()) {
          const box = seen(node.parentElement, rect);
          if (box) parts.push([node.parentElement, box, node.data.trim().slice(0, 40), node]);
        }
      }
      for (const element of document.querySelectorAll("button, input, select, img, [role=progressbar]")) {
        const box = seen(element, element.getBoundingClientRect());
        if (box) parts.push([element, box, `<${element.tagName}> ${element.textContent.trim().slice(0, 40)}`, element]);
      }
      const bad = [];
      parts.forEach(([one, a, first, from], index) => {
        for (const [other, b, second, to] of parts.slice(index + 1)) {
          if (from === to || one.contains(other) || other.contains(one)) continue;
          const [wide, high] = [Math.min(a.right, b.right) - Math.max(a.left, b.left),
            Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
          // Boxes of lines of text are higher than their letters.
          if (wide > 2 && high > 5) bad.push([first, second, Math.round(wide), Math.round(high)]);
        }
      });
      return bad.slice(0, 5);
    }""")
    assert not found, (what, found)


def every_view_is_accessible_and_in_order(world):
    for scheme, width, height in SIZES:
        page = world.page(scheme, width, height)
        for view in VIEWS + ["conversations/alice", "conversations//deleted"]:
            world.go(page, view)
            page.wait_for_timeout(400)
            be_accessible(page, (scheme, width, view))
            nothing_overlaps(page, (scheme, width, view))
            if view == "devices":
                # What one can do with a device is not out of sight.
                beyond = page.locator(".scroll").evaluate_all("all => all.map((each) => each.scrollWidth - each.clientWidth)")
                assert max(beyond) <= 0, (width, beyond)
            if world.screenshots:
                page.screenshot(path=os.path.join(
                    world.screenshots, f"{scheme}-{width}-{view.replace('/', '-')}.png"), full_page=True)
        page.context.close()


def keys_reach_everything_in_order(world):
    page = world.page()
    world.go(page, "devices")
    page.reload()
    expect(page.get_by_role("button", name="Rename", exact=True)).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator("#skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.reload()
    expect(page.get_by_role("button", name="Rename", exact=True)).to_be_visible()
    order = []
    for _ in range(24):
        page.keyboard.press("Tab")
        place = page.evaluate("""() => {
          const element = document.activeElement;
          if (element === document.body) return null;
          const box = element.getBoundingClientRect();
          const outline = getComputedStyle(element).outlineStyle;
          return [element.tagName, element.textContent.trim() || element.id, outline, box.width > 0];
        }""")
        if place is None:
            break
        order.append(place)
    assert [each[1] for each in order[1:len(VIEWS) + 1]] == [view.capitalize() for view in VIEWS], order
    assert all(each[2] != "none" and each[3] for each in order), order
    assert [each[0] for each in order if each[1] in ("name", "Rename")] == ["INPUT", "BUTTON"], order
    # A view that is chosen by a key is where reading goes on.
    page.locator('nav a[href="#/overview"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.context.close()


def motion_stops_where_it_is_not_wanted(world):
    for motion, wanted in (("reduce", "0s"), ("no-preference", "0.12s, 0.12s, 0.3s")):
        page = world.page(motion=motion)
        assert page.locator("nav a").first.evaluate("link => getComputedStyle(link).transitionDuration") == wanted
        page.context.close()


# MARK: A node that goes and comes back


def a_node_that_dies_is_missed_and_found_again(world):
    page = world.page()
    world.go(page, "conversations/alice")
    expect(page.locator("#link")).to_contain_text("Live")
    page.evaluate("window.isSamePage = true")
    world.one.stop(signal.SIGKILL)
    expect(page.locator("#banner")).to_contain_text("The node has not answered")
    expect(page.locator("#banner")).to_contain_text(f"kachat-node --home {world.one.home} run")
    # An alert is read anew whenever its text changes.
    assert page.locator("#banner [data-since]").count() == 0
    world.one.start()
    expect(page.locator("#banner")).to_be_empty()
    expect(page.locator("#link")).to_contain_text("Live")
    world.one.add(901, "alice", "after the restart", "sent")
    expect(page.locator(".messages")).to_contain_text("after the restart")
    assert page.evaluate("window.isSamePage")
    page.context.close()
    # The browser says for each request that nobody answered; that is all it may say.
    assert all("ERR_" in each for each in world.complaints), world.complaints
    world.complaints.clear()


CHECKS = [
    a_link_lets_in_once, the_browser_gets_a_file, empty_views_say_what_to_do, the_overview_says_who_holds_what,
    one_verdict_makes_badge_headline_and_rows,
    what_needs_attention_has_buttons, devices_are_on_a_map, history_on_its_way_is_the_page,
    conversations_do_not_overlap, nothing_is_well_without_the_node,
    a_change_elsewhere_is_shown_at_once, the_open_conversation_is_marked, what_comes_together_is_shown, what_was_said_is_found,
    many_conversations_are_a_window, a_bar_moves_on,
    what_overtakes_is_not_mixed, the_focus_goes_with_its_row, a_page_that_nobody_sees_asks_for_nothing,
    an_account_that_comes_later_is_followed, an_account_that_cannot_be_opened_says_why,
    a_home_that_cannot_be_opened_says_why, times_of_others_can_be_any_number,
    names_of_others_are_only_text,
    diagnostics_do_something, every_view_is_accessible_and_in_order,
    keys_reach_everything_in_order, motion_stops_where_it_is_not_wanted, devices_are_renamed_and_forgotten,
    another_site_gets_nothing, a_link_of_others_shows_the_dashboard, a_key_of_others_signs_nobody_out,
    a_revoked_browser_is_out, who_signs_out_is_out,
    a_device_is_let_in_by_digits, a_node_that_dies_is_missed_and_found_again,
]


def main(checks, make=World):
    arguments = argparse.ArgumentParser()
    arguments.add_argument("node")
    arguments.add_argument("--screenshots")
    arguments.add_argument("--only", default="")
    given = arguments.parse_args()
    passed, failed = 0, 0
    with tempfile.TemporaryDirectory(prefix="kachat-dashboard") as folder, sync_playwright() as playwright:
        world = make(os.path.abspath(given.node), folder, playwright)
        world.screenshots = given.screenshots
        if given.screenshots:
            os.makedirs(given.screenshots, exist_ok=True)
        try:
            for check in checks:
                if given.only not in check.__name__:
                    continue
                started = time.monotonic()
                try:
                    if check is a_link_lets_in_once:
                        check(world)
                        # Who is not signed in is told so by the node, and the browser notes that.
                        world.complaints = [each for each in world.complaints if "401" not in each and "403" not in each]
                    else:
                        check(world)
                    assert not world.complaints, world.complaints
                    passed += 1
                    print(f"ok      {check.__name__} ({time.monotonic() - started:.1f} s)", flush=True)
                except Exception:
                    failed += 1
                    print("FAILED", check.__name__, flush=True)
                    traceback.print_exc()
                    # Its pages would complain while others are judged.
                    for context in world.browser.contexts:
                        context.close()
                world.complaints.clear()
        finally:
            world.close()
    print(f"{passed} passed, {failed} failed")
    raise SystemExit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main(CHECKS)
