"""The dashboard's settings, its notifications and its installation, in a real browser on live nodes.

    python settings_test.py NODE-BINARY [--screenshots FOLDER]

Needs what dashboard_test.py needs, and ends as it does.
"""
import json
import os
import subprocess
import time
import urllib.error
import urllib.request

from playwright.sync_api import expect

from boards_test import fits
from dashboard_test import HOSTILE, World, be_accessible, main
from nodes import SIZES, Node, wait

MESSAGES = 300


class Settings(World):
    """A device with messages and a group, a friend in that group, and a device without either."""

    def begin(self, binary, folder):
        self.one = Node(binary, folder, "one", device="Studio laptop").start()
        self.friend = Node(binary, folder, "friend", device="Ben's desktop").start()
        self.empty = Node(binary, folder, "empty", device="Empty").start()
        self.nodes = [self.one, self.friend, self.empty]
        now = int(time.time())
        self.one.run("import", "-", text="".join(json.dumps({
            "txid": f"{number:064x}", "conversationId": "alice", "contact": "alice", "direction": "received",
            "senderTs": now - number, "body": HOSTILE + str(number)}) + "\n" for number in range(1, MESSAGES + 1)))
        self.one.run("group", "create", "Family")
        self.one.run("group", "set-name", "Family", "Anna")
        self.one.run("game", "add", "Wordle", "--model", "lower-attempts", "--max-attempts", "6")
        token = self.one.json("group", "invite", "Family")["token"]
        self.friend.run("group", "join", token, "--name", "Ben <b>", "--wait", "60")

    def settings(self, node=None, **more):
        page = self.page(node=node, **more)
        self.go(page, "settings")
        expect(page.get_by_role("region", name="All settings")).to_be_visible()
        return page


def sync_is_paused_and_resumed(world):
    page = world.settings()
    part = page.get_by_role("region", name="Sync")
    part.get_by_role("button", name="Pause the account main").click()
    expect(part).to_contain_text("main is paused")
    assert world.one.json("status")["accounts"][0]["verdict"] == "paused"
    # Said elsewhere, shown here.
    world.one.run("account", "resume")
    expect(part.get_by_role("button", name="Pause the account main")).to_be_visible()
    part.get_by_role("button", name="Pause the group Family").click()
    expect(part).to_contain_text("Paused by you")
    assert world.one.json("group", "show", "Family")["paused"]
    part.get_by_role("button", name="Resume the group Family").click()
    expect(part).to_contain_text("Family syncs again")
    assert not world.one.json("group", "show", "Family")["paused"]
    page.context.close()


def names_are_changed(world):
    page = world.settings()
    for label, wanted in (("This device", "Desk <i>laptop"), ("This account", "private"), ("You in Family", "Annika")):
        page.get_by_label(label, exact=True).fill(wanted)
        page.get_by_role("button", name=f"Rename {label}").click()
        expect(page.get_by_role("region", name="Names").locator(".said")).to_contain_text(wanted)
    status = world.one.json("status")
    assert (status["name"], status["accounts"][0]["label"]) == ("Desk <i>laptop", "private"), status
    assert world.one.json("group", "show", "Family")["name"] == "Annika"
    # Too long a name is refused with a reason, and stays to be mended.
    page.get_by_label("This account", exact=True).fill("ä" * 70)
    page.get_by_role("button", name="Rename This account").click()
    expect(page.get_by_role("region", name="Names").locator(".said.bad")).to_contain_text("1 to 64 bytes")
    expect(page.get_by_label("This account", exact=True)).to_have_value("ä" * 70)
    refused(world)
    world.one.run("account", "label", "main")
    page.context.close()


def refused(world):
    """The browser notes each refusal."""
    assert all("400" in each or "422" in each or "409" in each for each in world.complaints), world.complaints
    world.complaints.clear()


def room_and_other_settings_are_set(world):
    page = world.settings()
    room = page.get_by_role("region", name="Storage")
    expect(room).to_contain_text("This account takes")
    page.get_by_label("At most, in GB").fill("2.5")
    room.get_by_role("button", name="Set").click()
    expect(room).to_contain_text("takes at most 2.5 GB")
    assert world.one.json("config", "get", "storage.quotaBytes")["value"] == 2_500_000_000
    page.get_by_label("At most, in GB").fill("0")
    room.get_by_role("button", name="Set").click()
    expect(room).to_contain_text("There is no limit now")
    page.get_by_text("Show them").click()
    rest = page.get_by_role("region", name="All settings")
    page.get_by_label("archive.messages").fill("9000")
    page.get_by_role("button", name="Set archive.messages").click()
    expect(rest.locator(".said.bad")).to_contain_text("from 1 to 25")
    refused(world)
    page.get_by_label("archive.messages").fill("20")
    page.get_by_role("button", name="Set archive.messages").click()
    expect(rest).to_contain_text("archive.messages is now 20")
    assert world.one.json("config", "get", "archive.messages")["value"] == 20
    page.get_by_role("button", name="Reset archive.messages").click()
    expect(page.get_by_label("archive.messages")).to_have_value("25")
    page.context.close()


def the_phrase_is_checked_by_three_words(world):
    words = world.one.run("account", "phrase").split()
    page = world.settings()
    part = page.get_by_role("region", name="Recovery phrase")
    fields = part.get_by_role("textbox")
    expect(fields).to_have_count(3)
    asked = [int(text.split()[1]) for text in part.locator("label").all_inner_texts()]
    assert len(set(asked)) == 3 and asked == sorted(asked), asked

    def answer(right):
        for place, number in enumerate(asked):
            fields.nth(place).fill(words[number - 1] if right or place < 2 else "zebra")
        part.get_by_role("button", name="Check").click()
    answer(right=False)
    expect(part.locator(".said.bad")).to_contain_text(f"word {asked[2]} is wrong", ignore_case=True)
    assert world.one.run("account", "phrase").split() == words
    refused(world)
    answer(right=True)
    expect(part).to_contain_text("Written down.")
    world.one.run("account", "phrase", status=5)
    assert not any(word in page.content() for word in (" ".join(words[:2]), " ".join(words[-2:])))
    page.context.close()


def messages_are_downloaded(world):
    page = world.settings()
    part = page.get_by_role("region", name="Backup")
    with page.expect_download() as waits:
        part.get_by_role("button", name="Download all messages").click()
    expect(part.locator(".good")).to_contain_text("Complete: ")
    path = os.path.join(world.folder, waits.value.suggested_filename)
    waits.value.save_as(path)
    # What another device reads from it is all of it.
    copied = world.empty.json("import", path)
    assert copied["added"] == MESSAGES and copied["refused"] == 0, copied
    # One that is cut off is no backup.
    page.route("**/v1/export/state*", lambda route: route.fulfill(
        status=200, content_type="application/x-ndjson",
        body='{"txid":"aa"}\n{"error":{"status":503,"code":"storage","detail":"the store fails"}}\n'))
    part.get_by_role("button", name="Download all messages").click()
    expect(part.locator(".bad")).to_contain_text("The store fails")
    expect(part.locator(".good")).to_have_count(0)
    page.context.close()


def a_backup_is_downloaded(world):
    """What the page saves is a new device, with all that was here."""
    page = world.settings()
    part = page.get_by_role("region", name="Backup")
    expect(part).to_contain_text("There is no backup yet")
    with page.expect_download() as waits:
        part.get_by_role("button", name="Download a backup").click()
    expect(part.locator(".good")).to_contain_text("Complete: ")
    expect(part).to_contain_text("The last backup was made")
    path = os.path.join(world.folder, waits.value.suggested_filename)
    waits.value.save_as(path)
    assert not any(name.startswith("download") for name in os.listdir(world.one.home)), os.listdir(world.one.home)
    home = os.path.join(world.folder, "restored")
    done = subprocess.run([world.binary, "--home", home, "restore", path, "--name", "restored", "--json"],
                          capture_output=True, text=True, timeout=180)
    assert done.returncode == 0, done.stderr
    before = world.one.json("status")
    restored = json.loads(done.stdout)["accounts"]
    assert [each["messages"] for each in restored] == [each["messages"] for each in before["accounts"]], restored
    assert restored[0]["deviceId"] != before["accounts"][0]["deviceId"], restored
    # No token opens it, whatever its scopes.
    token = world.one.run("token", "create", "--scope", "admin", "--quiet").strip()
    answer = page.context.request.get(f"http://{world.one.api}/v1/backup", headers={"Authorization": f"Bearer {token}"})
    assert answer.status == 403, answer.status
    # One that is cut off is no backup.
    page.route("**/v1/backup*", lambda route: route.fulfill(
        status=200, content_type="application/x-ndjson",
        body='{"bytes":"aa==","percent":1}\n{"error":{"status":503,"code":"storage","detail":"the store fails"}}\n'))
    part.get_by_role("button", name="Download a backup").click()
    expect(part.locator(".bad")).to_contain_text("The store fails")
    page.context.close()


def tokens_are_made_and_revoked(world):
    page = world.settings()
    part = page.get_by_role("region", name="Apps and browsers")
    part.get_by_role("button", name="Create").click()
    expect(part.locator(".said.bad")).to_contain_text("Choose what the app may do")
    page.get_by_label("chat:read").check()
    page.get_by_label("Name of the app").fill("<b>app</b>")
    page.get_by_label("Days valid").fill("9")
    part.get_by_role("button", name="Create").click()
    token = page.get_by_role("group", name="The new token").inner_text()

    def status():
        request = urllib.request.Request(
            f"http://{world.one.api}/v1/conversations", headers={"Authorization": "Bearer " + token})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code
    assert status() == 200
    row = part.get_by_role("row").filter(has_text="<b>app</b>")
    expect(row).to_contain_text("chat:read")
    expect(row).to_contain_text("in 9 days")
    row.get_by_role("button", name="Revoke").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(row).to_have_count(0)
    assert status() == 401
    assert token not in page.content()
    page.context.close()


def notifications_come_when_they_are_wanted(world):
    page = world.page()
    # The browser's own would be seen by nobody.
    page.add_init_script("""
      window.shown = [];
      const granted = localStorage.getItem("granted");
      window.Notification = class {
        static permission = granted ?? "default";
        static requestPermission() {
          localStorage.setItem("granted", "granted");
          this.permission = "granted";
          return Promise.resolve("granted");
        }
        constructor(title, options) { shown.push({ title, ...options }); }
      };
      document.hasFocus = () => false;""")
    page.reload()
    world.go(page, "settings")
    part = page.get_by_role("region", name="Notifications")
    with page.expect_request("**/v1/notices*") as asked:
        part.get_by_role("button", name="Allow notifications").click()
    assert "follow=true" in asked.value.url, asked.value.url
    expect(part.get_by_role("switch")).to_have_count(4)
    page.wait_for_timeout(500)
    world.friend.run("score", "post", "Family", "--game", "Wordle", "--score", "3", "--max-attempts", "6")
    wait("a result of a friend is told", lambda: page.wait_for_timeout(20) or page.evaluate("shown.length") > 0)
    assert page.evaluate("shown[0].title") == "Ben <b> played Wordle in Family", page.evaluate("shown")
    world.one.add(900, "alice", "new")
    wait("a message is told", lambda: page.wait_for_timeout(20) or page.evaluate("shown.length") > 1)
    assert page.evaluate("shown[1].title") == "New message from alice", page.evaluate("shown")
    # Whoever hides titles is shown none, and whoever wants no more gets none.
    page.evaluate("localStorage.setItem('hides-titles', 'yes')")
    world.one.add(901, "alice", "new")
    wait("it is told without a name", lambda: page.wait_for_timeout(20) or page.evaluate("shown.length") > 2)
    assert page.evaluate("shown[2].title") == "New message", page.evaluate("shown")
    for switch in part.get_by_role("switch").all():
        switch.uncheck()
    world.one.add(902, "alice", "new")
    page.wait_for_timeout(1_500)
    assert page.evaluate("shown.length") == 3, page.evaluate("shown")
    page.context.close()


def an_account_is_taken_by_digits(world):
    """Both sides in the browser."""
    giver, taker = world.page(), world.settings(node=world.empty)
    world.go(giver, "devices")
    giver.get_by_role("button", name="Pair a device").click()
    taker.get_by_role("button", name="Take an account").click()
    expect(giver.locator(".digits")).to_be_visible()
    expect(taker.locator(".digits")).to_have_text(giver.locator(".digits").inner_text())
    for page in (giver, taker):
        page.get_by_role("button", name="They are the same").click()
    expect(taker.locator("main")).to_contain_text("This device now has the account")
    expect(giver.locator("main")).to_contain_text("The other device now has the account")
    expect(taker.get_by_role("region", name="Accounts on this device").get_by_role("listitem")).to_have_count(2)
    giver.context.close()
    taker.context.close()


def it_can_be_installed(world):
    page = world.page()
    session = page.context.new_cdp_session(page)
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == [] and manifest["url"].endswith("/dashboard/manifest.webmanifest"), manifest
    given = json.loads(manifest["data"])
    for icon in given["icons"]:
        size = page.evaluate("""async (source) => {
          const image = new Image();
          image.src = source;
          await image.decode();
          return `${image.naturalWidth}x${image.naturalHeight}`;
        }""", icon["src"])
        assert icon["sizes"] in (size, "any"), (icon, size)
    assert page.evaluate(f"new URL('{given['start_url']}', location).pathname") == "/dashboard/"
    page.context.close()


def everything_fits_and_is_accessible(world):
    for scheme, width, height in SIZES:
        page = world.settings(scheme=scheme, width=width, height=height)
        page.get_by_text("Show them").click()
        be_accessible(page, (scheme, width, "settings"))
        fits(page, (scheme, width, "settings"))
        if world.screenshots:
            page.screenshot(path=os.path.join(world.screenshots, f"{scheme}-{width}-settings.png"), full_page=True)
        page.context.close()


CHECKS = [
    everything_fits_and_is_accessible, sync_is_paused_and_resumed, names_are_changed, room_and_other_settings_are_set,
    messages_are_downloaded, a_backup_is_downloaded, tokens_are_made_and_revoked, notifications_come_when_they_are_wanted, it_can_be_installed,
    an_account_is_taken_by_digits, the_phrase_is_checked_by_three_words,
]


if __name__ == "__main__":
    main(CHECKS, Settings)
