"""Leaderboards in a real browser, on live nodes: the board of a group, its members and invitations.

    python boards_test.py NODE-BINARY [--screenshots FOLDER]

Needs what dashboard_test.py needs, and ends as it does.
"""
import datetime
import json
import os
import time

from playwright.sync_api import expect

from dashboard_test import World, be_accessible, main
from nodes import SIZES, Node, begin_whole_day, wait

NAMES = ["Ben <b>", "Carla", "Dmitri", "Elif", "Farid <img src=x onerror=alert(1)>", "Grete", "Hoang", "Ines", "Jun",
         "Kofi", "Lena", "Marek", "Noor", "Ursula " + "W" * 72]


def day(back=0):
    date = datetime.datetime.now(datetime.timezone.utc).date() - datetime.timedelta(days=back)
    return int(date.strftime("%Y%m%d"))


def results(days, score):
    return "".join(json.dumps({
        "dateInt": day(back), "gameName": "Wordle", "score": score(back), "maxAttempts": 6,
        "completed": score(back) is not None}) + "\n" for back in days)


class Boards(World):
    """Anna's group, many members of which are accounts of one other node, and Ben with a node of his own."""

    def begin(self, binary, folder):
        self.one = Node(binary, folder, "one", device="Studio laptop").start()
        self.friend = Node(binary, folder, "friend", device="Ben's desktop").start()
        self.crowd = Node(binary, folder, "crowd", device="Crowd").start()
        self.empty = Node(binary, folder, "empty", device="Empty").start()
        self.nodes = [self.one, self.friend, self.crowd, self.empty]
        begin_whole_day(600)
        self.one.run("group", "create", "Family")
        self.one.run("group", "set-name", "Family", "Anna")
        self.one.run("game", "add", "Wordle", "--model", "lower-attempts", "--max-attempts", "6")
        self.one.run("game", "add", "Mini", "--model", "lower-seconds")
        self.id = self.one.json("group", "show", "Family")["groupId"]
        token = self.one.json("group", "invite", "Family", "--people", str(len(NAMES)))["token"]
        self.friend.run("group", "join", token, "--name", NAMES[0], "--wait", "60")
        for number, name in enumerate(NAMES[1:]):
            account = f"a{number}"
            self.crowd.run("account", "create", "--label", account)
            self.crowd.run("group", "join", token, "--name", name, "--wait", "60", "--account", account)
            self.crowd.run("score", "import", "Family", "-", "--account", account,
                           text=results(range(0, 20 + number), lambda back: 2 + (back + number) % 3))
        # Failed results give no points: Anna stands last, behind members who have played much.
        self.one.run("score", "import", "Family", "-",
                     text=results(range(1, 125), lambda back: 6) + results(range(130, 300), lambda back: 4 if back % 9 else None))
        self.friend.run("score", "import", "Family", "-", text=results(range(0, 60), lambda back: 1))
        self.one.run("achievement", "import", "-", text=json.dumps([{
            "id": "5d0c8a52-8a4f-4f0e-9d52-0000000000aa", "category": "streaks",
            "requirements": [{"tier": "bronze", "threshold": 7}, {"tier": "gold", "threshold": 100},
                             {"tier": "platinum", "threshold": 365}],
            "progress": {"currentValue": 124, "currentTier": "gold", "lastUpdated": 1790000000000}}]))
        wait("the members' results are at Anna's node", lambda: sum(
            row["playedToday"] for row in self.one.json("leaderboard")["rows"]) == len(NAMES))

    def board(self, page, *path):
        self.go(page, "/".join(["leaderboards", self.id, *path]))


def fits(page, what):
    """Nothing is wider than the page, and no text lies on another one in the same row or form."""
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, (what, wide)
    overlaps = page.evaluate("""() => {
      const boxes = [...document.querySelectorAll(
        "main h1, main h2, main h3, main p, main th, main td, main label, main input, main select, main textarea, main button, main a")]
        .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest(".unseen, thead, tr.me, svg"))
        .map((element) => ({ element, box: element.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 1 && box.height > 1);
      const found = [];
      boxes.forEach((one, index) => boxes.slice(index + 1).forEach((other) => {
        if (one.element.contains(other.element) || other.element.contains(one.element)) return;
        const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        const scroll = (each) => each.closest(".scroll");
        if (across > 1 && down > 1 && scroll(one.element) === scroll(other.element)) {
          found.push([one.element.outerHTML.slice(0, 120), other.element.outerHTML.slice(0, 120)]);
        }
      }));
      return found.slice(0, 3);
    }""")
    assert not overlaps, (what, overlaps)


def the_own_row_stays_in_sight(world):
    page = world.page(width=1440, height=700)
    world.board(page)
    expect(page.locator("main h1")).to_have_text("Family")
    rows = page.locator("#board tbody tr")
    expect(rows).to_have_count(len(NAMES) + 1)
    expect(rows.first).to_contain_text("Ben <b>")
    expect(rows.last).to_contain_text("Anna")
    shown = world.one.json("leaderboard", "Family")["rows"]
    assert rows.evaluate_all("rows => rows.map((row) => row.dataset.key)") == [row["memberId"] for row in shown]
    area = page.get_by_role("group", name="Standings, this week")
    assert area.evaluate("area => area.scrollHeight > area.clientHeight + 50"), "the last row is out of sight"

    def is_inside():
        box, own = area.bounding_box(), page.locator("#board tr.me td").first.bounding_box()
        return box["y"] <= own["y"] and own["y"] + own["height"] <= box["y"] + box["height"] + 1
    assert is_inside()
    area.evaluate("area => { area.scrollTop = area.scrollHeight; }")
    assert is_inside()
    steps = page.get_by_role("list", name="The first three").get_by_role("listitem")
    expect(steps).to_have_count(3)
    expect(steps.first).to_contain_text("Ben <b>")
    # Equal ranks stand equally high, and those without a step are counted.
    heights = steps.locator(".block").evaluate_all("blocks => blocks.map((block) => block.clientHeight)")
    ranks = [row["rank"] for row in shown if row["points"] > 0]
    assert all((heights[a] == heights[b]) == (ranks[a] == ranks[b]) for a in range(3) for b in range(3)), (heights, ranks)
    more = ranks[3:].count(ranks[2])
    expect(page.locator(".podium + .also")).to_have_count(1 if more else 0)
    if more:
        expect(page.locator(".podium + .also")).to_have_text(
            f"{more} more {'shares' if more == 1 else 'share'} rank {ranks[2]}.")
    page.get_by_role("tab", name="This week").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("tab", name="Today")).to_be_focused()
    expect(page.get_by_role("tab", name="Today")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("tab", name="All time")).to_have_attribute("aria-selected", "true")
    page.context.close()


def what_led_there_is_drawn(world):
    page = world.page()
    world.board(page)
    # A race needs two days of the month.
    if day() % 100 > 1:
        race = page.get_by_role("region", name="The race of")
        names = race.locator(".series text").all_text_contents()
        assert len(names) == 5 and "Anna" in names and "Ben <b>" in names, names
        expect(race.locator("path.running")).to_have_count(5)
        expect(race.locator(".crowd")).to_have_count(len(NAMES) + 1 - 5)
        race.get_by_text("Show as a table").click()
        newest = race.get_by_role("table").locator("tbody tr").first
        month = world.one.json("leaderboard", "Family", "--period", "month")["rows"]
        expect(newest).to_contain_text(str(month[0]["points"]))
    weeks = page.get_by_role("region", name="Points by week")
    expect(weeks).to_contain_text("The last week is still running")
    expect(weeks.locator("path.running")).to_have_count(5)
    for plot in page.locator("svg.plot").all():
        cut = plot.evaluate("plot => [...plot.querySelectorAll('.series text')].filter((text) => "
                            "text.getBoundingClientRect().right > plot.getBoundingClientRect().right + 1)"
                            ".map((text) => text.textContent)")
        assert cut == [], cut
    days = page.get_by_role("region", name="Days played")
    expect(days).to_contain_text("124 days")
    own = [json.loads(line) for line in world.one.run("score", "list", "Family", "--json").splitlines()]
    solved = sum(each["completed"] for each in own)
    cells = days.locator(".calendar rect.solved")
    # One more explains the colour.
    expect(cells).to_have_count(solved + 1)
    expect(days.locator(".calendar rect.failed")).to_have_count(len(own) - solved + 1)
    badges = page.get_by_role("region", name="Achievements")
    expect(badges).to_contain_text("Streaks")
    expect(badges).to_contain_text("Gold")
    expect(badges.get_by_role("progressbar")).to_have_attribute("aria-valuetext", "124 of 365 to platinum")
    page.context.close()


def today_is_veiled_until_one_has_played(world):
    page = world.page()
    world.board(page)
    mine = page.get_by_role("region", name="My day")
    expect(mine).to_contain_text("Your 124-day streak ends in")
    expect(mine).to_contain_text("You have not played today")
    today = page.get_by_role("region", name="Today’s results")
    expect(today).to_contain_text(f"{len(NAMES)} results hidden")
    expect(today.get_by_role("table")).to_have_count(0)
    page.get_by_role("tab", name="Today").click()
    expect(page.locator("#board")).to_contain_text("hidden")
    expect(page.get_by_role("list", name="The first three")).to_have_count(0)
    today.get_by_role("switch", name="Hide others’ results").click()
    expect(today.get_by_role("table").locator("tbody tr")).to_have_count(len(NAMES))
    today.get_by_role("switch", name="Hide others’ results").click()
    expect(today.get_by_role("table")).to_have_count(0)
    # What is no result is not taken, and stays to be mended.
    box = page.get_by_label("Paste a result")
    box.fill("I won!")
    page.get_by_role("button", name="Post", exact=True).first.click()
    expect(mine.locator(".said")).to_contain_text("has no result such as")
    expect(box).to_have_value("I won!")
    # The browser notes each refusal.
    assert all("400" in each for each in world.complaints), world.complaints
    world.complaints.clear()
    box.fill("Wordle 1,234 3/6\n\n⬛🟨⬛⬛⬛\n🟩🟩⬛⬛⬛\n🟩🟩🟩🟩🟩")
    page.get_by_role("button", name="Post", exact=True).first.click()
    expect(mine.locator(".said")).to_contain_text("Posted Wordle 3/6, ")
    expect(mine).to_contain_text("125 days in a row")
    expect(box).to_have_value("")
    expect(today.get_by_role("table").locator("tbody tr")).to_have_count(len(NAMES) + 1)
    assert any(row["me"] and row["playedToday"] for row in world.one.json("leaderboard")["rows"])
    # Typed, of another game: the results of that one are seen, too.
    page.get_by_text("Type it instead").click()
    page.get_by_label("Game", exact=True).last.select_option(label="Mini")
    page.get_by_label("Result", exact=True).fill("83")
    page.get_by_role("button", name="Post", exact=True).last.click()
    expect(mine).to_contain_text("Mini: 83")
    page.context.close()


def a_group_is_created_joined_and_led(world):
    """Each page shows what the other one does, by the event stream alone."""
    page, other = world.page(), world.page(node=world.empty)
    world.go(other, "leaderboards")
    expect(other.locator("main")).to_contain_text("You are not in a group yet")
    world.go(page, "leaderboards/new")
    page.get_by_label("Name of the group").fill("Chess <i>club</i>")
    page.get_by_role("region", name="Create a group").get_by_label("Your name there").fill("Anna")
    page.get_by_role("button", name="Create").click()
    expect(page.locator("main h1")).to_have_text("Chess <i>club</i>")
    page.get_by_label("Game", exact=True).last.fill("Puzzle")
    page.get_by_label("Who wins").select_option("lower-seconds")
    page.get_by_role("button", name="Add game").click()
    expect(page.get_by_role("region", name="My day")).to_be_visible()
    page.get_by_role("link", name="Members and invitations").click()
    expect(page.locator("main h1")).to_have_text("Members of Chess <i>club</i>")
    page.get_by_label("People", exact=True).fill("2")
    page.get_by_label("Valid for").select_option("12h")
    page.get_by_role("button", name="Create an invitation").click()
    code = page.get_by_role("img", name="QR code of the invitation")
    expect(code).to_be_visible()
    assert code.evaluate("image => image.naturalWidth > 0")
    expect(page.locator(".ticket")).to_contain_text("11:59:")
    token = page.locator(".token").inner_text()
    open_ones = page.get_by_role("table", name="Open invitations").locator("tbody tr")
    expect(open_ones).to_have_count(1)
    expect(open_ones).to_contain_text("you")
    expect(open_ones).to_contain_text("0 of 2")
    # As a message with it would be pasted, and as a QR code has it.
    other.get_by_label("Invitation").fill("Join us:\n" + token.upper())
    other.get_by_role("region", name="Join a group").get_by_label("Your name there").fill("Zoe")
    other.get_by_role("button", name="Join").click()
    expect(other.locator("main h1")).to_have_text("Chess <i>club</i>")
    members = page.get_by_role("table", name="Members of the group").locator("tbody tr")
    expect(members).to_have_count(2)
    expect(open_ones).to_contain_text("1 of 2")
    zoe = members.filter(has_text="Zoe")
    expect(zoe).to_contain_text("Anna")
    other.get_by_role("link", name="Members and invitations").click()
    expect(other.locator("main")).to_contain_text("You are a member.")
    # No row of the group changes with these: its control records do.
    zoe.get_by_label("Role of Zoe").select_option("admin")
    expect(other.locator("main")).to_contain_text("You are an admin.")
    other.get_by_role("button", name="Create an invitation").click()
    expect(other.locator(".token")).to_be_visible()
    expect(open_ones).to_have_count(2)
    hers = open_ones.filter(has_text="Zoe")
    hers.get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("dialog")).to_contain_text("It was created by Zoe")
    page.get_by_role("dialog").get_by_role("button", name="Revoke it").click()
    expect(open_ones).to_have_count(1)
    expect(other.get_by_role("table", name="Open invitations").locator("tbody tr")).to_have_count(1)
    zoe.get_by_role("button", name="Hide results").click()
    expect(zoe).to_contain_text("suspended")
    zoe.get_by_role("button", name="Show results").click()
    expect(zoe).not_to_contain_text("suspended")
    page.get_by_label("Name of the group").fill("Chess")
    page.get_by_role("button", name="Rename").last.click()
    expect(other.locator("main h1")).to_have_text("Members of Chess")
    zoe.get_by_role("button", name="Remove").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(members).to_have_count(1)
    expect(page.locator("main")).to_contain_text("1 former member")
    expect(other.locator(".warn, .problems")).to_contain_text("emoved")
    other.get_by_role("button", name="Leave the group").click()
    other.get_by_role("dialog").get_by_role("button", name="Leave").click()
    expect(other.locator("main")).to_contain_text("You are not in a group yet")
    page.get_by_role("button", name="Close the group").click()
    page.get_by_role("dialog").get_by_role("button", name="Close the group").click()
    expect(page.locator("main")).to_contain_text("The group is closed")
    page.context.close()
    other.context.close()


def a_join_that_waits_is_shown(world):
    world.friend.run("group", "create", "Away")
    token = world.friend.json("group", "invite", "Away")["token"]
    world.friend.stop()
    page = world.page(node=world.empty)
    world.go(page, "leaderboards/new")
    page.get_by_label("Invitation").fill(token)
    page.get_by_role("button", name="Join", exact=True).click()
    waits = page.get_by_role("list", name="Groups that wait or ended")
    expect(waits).to_contain_text("Joining Away")
    expect(waits).to_contain_text("Asked ")
    waits.get_by_role("button", name="Cancel").click()
    expect(waits).to_have_count(0)
    # What another program begins and ends is shown, too.
    world.empty.run("group", "join", token, "--wait", "0")
    expect(waits).to_contain_text("Joining Away")
    world.empty.run("group", "leave", "Away", "--yes")
    expect(waits).to_have_count(0)
    world.friend.start()
    page.context.close()


def names_of_members_are_only_text(world):
    page = world.page()
    for path in ((), ("people",)):
        world.board(page, *path)
        expect(page.locator("main")).to_contain_text("Farid <img src=x onerror=alert(1)>")
        assert page.locator("main img").count() == 0
    page.context.close()


def everything_fits_and_is_accessible(world):
    for scheme, width, height in SIZES:
        page = world.page(scheme, width, height)
        for path in ([world.id], [world.id, "people"], ["new"]):
            world.go(page, "/".join(["leaderboards", *path]))
            page.wait_for_timeout(400)
            what = "board" if path == [world.id] else path[-1]
            be_accessible(page, (scheme, width, what))
            fits(page, (scheme, width, what))
            if world.screenshots:
                page.screenshot(
                    path=os.path.join(world.screenshots, f"{scheme}-{width}-{what}.png"), full_page=True)
        page.context.close()


def nothing_stale_stays_green(world):
    page = world.page()
    world.board(page)
    expect(page.locator("#board .good").first).to_be_visible()
    world.one.stop()
    expect(page.locator("main")).to_contain_text("Last known at")
    expect(page.locator("main .good")).to_have_count(0)
    world.one.start()
    expect(page.locator("#board .good").first).to_be_visible()
    expect(page.locator("main")).not_to_contain_text("Last known at")
    # The browser says for each request that nobody answered; that is all it may say.
    assert all("ERR_" in each for each in world.complaints), world.complaints
    world.complaints.clear()
    page.context.close()


CHECKS = [
    the_own_row_stays_in_sight, what_led_there_is_drawn, everything_fits_and_is_accessible, names_of_members_are_only_text,
    today_is_veiled_until_one_has_played, a_group_is_created_joined_and_led, a_join_that_waits_is_shown,
    nothing_stale_stays_green,
]


if __name__ == "__main__":
    main(CHECKS, Boards)
