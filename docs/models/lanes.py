#!/usr/bin/env python3
"""Reference model of the reconciliation rules (docs/PROTOCOL.md, sections 4, 5, 9 and 10).

    lanes.py RUNS [--faults all|none|NAME,NAME] [--seed S] [--break RULE] [--table]

Plays RUNS random histories of one owner's nodes: writes, syncs, faults; then fault-free gossip among the living; then
the checks C1 to C8 (class Checks). Prints counts and the first failing seed; exit status 1 if a check failed.
Each faulty history draws its own subset of the faults, so that rules meet both alone and together.

--break switches one rule off, to show that the checks see it; --table does so with each. From seed 0 the first
failure is at:

    compare-only-clean         81  lanes that a dead device left partial are never compared
    page-beyond-head          126  a page carries peeked rows: the receiver's head then claims the gap below them
    peek-without-range-reach  107  healing ends at the heads: peeked rows of a dead device stay where they are
    union                     141  a lane counts only once both committed a page of it
    same-key-on-fresh-start     0  a fresh start keeps key and lane: fresh starts without end
    ignore-own-succession       0  goes on writing a lane in whose place a copy began another
    ignore-clone              140  two devices go on with one key
    ignore-own-fork           709  goes on in a lane that others saw longer, or forked
    segment-tag                39  a segment's slot without tag: a fork or rot supersedes unread contents
    sums                       14  a fingerprint of sums, not of digests: other rows of equal sum pass for the same
    short-keys                 16  keys name rows of one seq by a bit of their hash
    both-heal                   0  both sides heal a lane at once: rows travel twice
    aside-counted               1  what is aside counts in the fingerprint: false alarms
    aside-by-wall             357  what is aside goes by the date
    undo-loses                  0  a deletion goes before its undoing
    undo-without-aside          3  an undone deletion brings no body back from aside
    no-gap                      3  all revisions count: they are used up
    mark-unclamped              3  a mark reaches as far as it says
    mark-to-newest              3  a mark reaches to the newest message, not to the one that it names
    mark-of-the-unknown         3  a mark counts although its message is not held
    pending-forgotten           3  a mark whose message comes later never counts

Simplifications: full nodes of one owner (no blind replicas); a record's hash is drawn at random; messages are numbered
in the order in which they are listed; a sync pulls one way, and what then differs is healed by the side that pulled;
a mark names one message; the ledger says only which lanes were succeeded; no lane is removed, so that what is aside
comes back only by an undone deletion.

Not withstood: a bad device that climbs in steps just within the gap, or stands one beyond it, can hold a value, against
whoever corrects it on one device only, until its lane is shut out.
"""
import argparse
import hashlib
import random
import sys
from collections import Counter
from typing import NamedTuple

IMMUTABLE, SEGMENT, REGISTER = "immutable", "segment", "register"
MAX_ROUNDS = 6             # of gossip between all pairs, within which the living must agree
MAX_FRESH_STARTS = 100     # in one history; more are taken for endless
CHUNK = 4                  # seqs of a chunk of a lane's fingerprint
PEEK_ROWS = 3
CONVERSATIONS = 4
GRACE = 12                 # steps that what is superseded or deleted stays, of the node's own running time
GAP = 1 << 32              # revisions further than this above the one below do not count
LIMIT = (1 << 53) - 1      # of a revision
END_OF_TIME = 1 << 48

CORRUPTING = ("rot", "restore", "clone", "grind")     # only after these may a fingerprint alarm sound
RESTARTING = ("restore", "clone", "fresh", "grind")       # only after these may a device start afresh
DESTROYING = ("rot", "restore", "clone", "die", "grind", "fresh")   # these end promises about bodies
FAULTS = ("cut", "die", "rot", "restore", "clone", "fresh", "huge", "clock", "grind")
RULES = ("compare-only-clean", "page-beyond-head", "peek-without-range-reach", "union",
         "same-key-on-fresh-start", "ignore-own-succession", "ignore-clone", "ignore-own-fork", "segment-tag",
         "sums", "short-keys", "both-heal", "aside-counted", "aside-by-wall", "undo-loses",
         "undo-without-aside", "no-gap", "mark-unclamped", "mark-to-newest", "mark-of-the-unknown",
         "pending-forgotten")
BROKEN = None              # the rule that --break switches off


def broken(rule):
    assert rule in RULES
    return rule == BROKEN


class Record(NamedTuple):
    lane: int              # the device key that wrote it
    seq: int
    hash: int
    kind: str
    slot: tuple
    value: object          # see `joined`; of a segment its (message, has its body)

    @property
    def key(self):
        """Its place in the lane: a forked lane can hold several records at one seq."""
        return self.seq, self.hash


def is_revised(slot):
    return slot[0] in ("title", "del")


def counting(values):
    """Ascending; from the first gap on none counts. The lowest does: whoever finds no number above it takes 1."""
    values = sorted(values)
    if broken("no-gap"):
        return values
    below = values[0][0] if values else 0
    for number, value in enumerate(values):
        if value[0] - below > GAP:
            return values[:number]
        below = value[0]
    return values


def joined(slot, values):
    """What registers of one slot say together; None if nothing.

    A mark is (reach, message); a title (revision, text); a deletion (revision, is deleted).
    """
    values = [value for value in values if value is not None]
    if slot[0] == "del" and broken("undo-loses"):
        return max(values, key=lambda value: (value[1], value[0]), default=None)
    if is_revised(slot):
        values = counting(values)
    return max(values, default=None)


def next_revision(others, own, step):
    """A revision with which a value comes last of those that count beside the other lanes' values.

    That is `step` above all that count. But a value may let further ones count that were beyond the gap; and where it
    needs the step that it replaces, or no number is left, what only the others say is counted on.
    """
    others = [(value[0], 0) for value in others]
    for held in [[*others, *((value[0], 0) for value in own)], others]:
        revision = max(max(counting(held), default=(0, 0))[0] + step, 1)
        while revision <= LIMIT:
            top = counting([*others, (revision, 0)])[-1][0]
            if top == revision:
                return revision
            if top < revision:
                break
            revision = top + 1
    top = max(counting(others), default=(0, 0))[0] + 1                 # another device's correction will do
    return top if top <= LIMIT else None if broken("no-gap") else 1


class Page(NamedTuple):
    rows: list
    through: int           # the receiver now has all that the sender has up to here
    target: int            # highest seq that the sender knows to exist
    done: bool


def digest(value):
    return hashlib.blake2b(repr(value).encode(), digest_size=16).digest()


class Lane:
    """What one node holds of one lane. Everything up to `head` was received; `target` is known to exist."""

    def __init__(self):
        self.rows, self.current = {}, {}       # key -> record; slot of a register or segment -> key
        self.head = self.target = 0
        self.aside = {}                        # key -> (record, when by the node's clock): superseded, not of the set
        self.forked = False                    # two records were seen at one seq

    def copy(self):
        twin = Lane()
        twin.__dict__.update(self.__dict__, rows=dict(self.rows), current=dict(self.current), aside=dict(self.aside))
        return twin

    def chunks(self):
        """The digest of each chunk of seqs that has rows, those above head too."""
        keys = {}
        for key in [*self.rows, *(self.aside if broken("aside-counted") else ())]:
            keys.setdefault(key[0] // CHUNK, []).append(key)
        return {number: digest(sorted(held)) for number, held in keys.items()}

    def fingerprint(self):
        if broken("sums"):
            return sum(hash for _, hash in self.rows), len(self.rows)
        return digest(sorted(self.chunks().items()))

    def highest(self):
        return max(self.rows, default=(0, 0))[0]

    def between(self, low, high):
        return sorted(key for key in self.rows if low <= key[0] <= high)

    def add(self, record):
        self.rows[record.key] = record
        self.aside.pop(record.key, None)

    def remove(self, record):
        del self.rows[record.key]
        if self.current.get(record.slot) == record.key:
            del self.current[record.slot]

    def page(self, since, limit):
        """Stateless: it depends on nothing but the question and the rows."""
        # Rows above head were peeked at; a page that carried them would claim the gap below them.
        end = max(self.head, self.highest()) if broken("page-beyond-head") else self.head
        keys = self.between(since + 1, end)
        # Cut by seq, not by count: records at one seq stay together.
        through = end if len(keys) <= limit else keys[limit - 1][0]
        rows = [self.rows[key] for key in keys if key[0] <= through]
        return Page(rows, through, self.target, done=through == end)


class Store:
    """A node's database: a join of everything it was ever given, whatever the order."""

    def __init__(self):
        self.lanes = {}
        self.succeeded = set() # lanes in whose place another was begun: the ledger says so
        self.forgotten = set() # marks that came before their messages, where that is broken
        self.running = self.wall = 0           # steps that this node ran; what its clock says
        self.superseded = {}                   # for the checks: record -> when, by running time

    def copy(self):
        twin = Store()
        twin.lanes = {name: lane.copy() for name, lane in self.lanes.items()}
        twin.succeeded, twin.forgotten = set(self.succeeded), set(self.forgotten)
        twin.superseded = dict(self.superseded)
        twin.running, twin.wall = self.running, self.wall
        return twin

    def lane(self, name):
        return self.lanes.setdefault(name, Lane())

    def head(self, name):
        return self.lanes[name].head if name in self.lanes else 0

    def rows(self):
        return [row for lane in self.lanes.values() for row in lane.rows.values()]

    def holds(self, record):
        return record.lane in self.lanes and record.key in self.lanes[record.lane].rows

    def put(self, record):
        lane = self.lane(record.lane)          # any record makes its lane visible
        if record.key in lane.rows:
            return
        lane.target = max(lane.target, record.seq)
        lane.forked = lane.forked or any(seq == record.seq for seq, _ in lane.rows)
        if broken("pending-forgotten") and self.counted(record, self.messages()) is None:
            self.forgotten.add(record)
        if record.kind != IMMUTABLE:
            held = lane.current.get(record.slot)
            if held and held > record.key:
                return
            if held:
                self.set_aside(lane, lane.rows[held])
            lane.current[record.slot] = record.key
        lane.add(record)

    def set_aside(self, lane, record):
        """It stays for a while, by the node's own running time; nothing counts it, and only its hash fetches it."""
        lane.remove(record)
        lane.aside[record.key] = record, self.now()
        self.superseded[record] = self.running

    def now(self):
        return self.wall if broken("aside-by-wall") else self.running

    def purge(self):
        for lane in self.lanes.values():
            for key, (_, since) in list(lane.aside.items()):
                if self.now() - since > GRACE:
                    del lane.aside[key]

    def segments(self, aside=False):
        for lane in self.lanes.values():
            records = [record for record, _ in lane.aside.values()] if aside else lane.rows.values()
            for record in records:
                if record.kind == SEGMENT:
                    yield record

    def messages(self):
        return {message for record in self.segments() for message, _ in record.value}

    def bodies(self, aside=False):
        return {message for record in self.segments(aside) for message, has in record.value if has}

    def counted(self, record, held):
        """A mark names the message up to which it goes, and reaches no further; until that is held it waits."""
        if record in self.forgotten:
            return None
        if record.slot[0] != "read" or broken("mark-unclamped"):
            return record.value
        reach, named = record.value
        if broken("mark-to-newest"):
            held = {message for message in held if message % CONVERSATIONS == record.slot[1]}
            return (min(reach, max(held)), named) if held else None
        if broken("mark-of-the-unknown"):
            return record.value if reach < END_OF_TIME else None
        return (min(reach, named), named) if named in held else None

    def rot(self, record):
        self.lanes[record.lane].remove(record)

    def live(self, slot):
        return [lane.rows[lane.current[slot]] for lane in self.lanes.values() if slot in lane.current]

    def waits(self, slot):
        held = self.messages()
        return any(self.counted(record, held) is None for record in self.live(slot))

    def shown(self):
        """By slot, the join of the registers of all lanes."""
        held = self.messages()
        return {slot: joined(slot, [self.counted(record, held) for record in self.live(slot)])
                for slot in self.slots()}

    def slots(self):
        return {slot for lane in self.lanes.values() for slot in lane.current if slot[0] in ("read", "title", "del")}


class Restless(Exception):
    """Devices start afresh without end."""


class Node:
    def __init__(self, history, store, key):
        self.history, self.store = history, store
        self.key = key                         # names the lane that it writes
        self.segments = {}                     # written since it runs: number -> (slot, key of the latest row)
        self.deleted = {}                      # message -> since when it is deleted here, by running time
        self.alive = True

    def write(self, kind, slot, value):
        own = self.store.lane(self.key)
        record = Record(self.key, own.head + 1, self.history.random.getrandbits(64), kind, slot, value)
        self.history.checks.wrote(record, own)
        self.store.put(record)
        own.head = record.seq

    def write_segment(self, number, message):
        """Only the running instance that wrote a slot's latest row, and still holds it, supersedes it.

        Any other writer takes a new slot (another random tag): one that was restored, cloned, or lost the row to rot
        would supersede contents that it has not got.
        """
        own = self.store.lane(self.key)
        slot, latest = self.segments.get(number, (None, None))
        content = ()
        if latest is None or own.current.get(slot) != latest:
            slot = SEGMENT, number, 0 if broken("segment-tag") else self.history.new_number()
        else:
            content = own.rows[latest].value
        self.write(SEGMENT, slot, (*content, (message, True)))
        self.segments[number] = slot, own.current.get(slot)

    def mark(self, conversation):
        slot = "read", conversation
        read, _ = self.store.shown().get(slot) or (0, 0)
        unread = [message for message in self.store.messages()
                  if message % CONVERSATIONS == conversation and message > read]
        if unread:
            message = self.history.random.choice(sorted(unread))
            self.write(REGISTER, slot, (message, message))

    def revise(self, slot, text):
        # All delete under one number, so that any undoing is above them.
        revision = self.next_revision(slot, 0 if slot[0] == "del" and text else 1)
        if revision:
            self.write(REGISTER, slot, (revision, text))
            self.settle()

    def next_revision(self, slot, step):
        held = self.store.live(slot)
        return next_revision([record.value for record in held if record.lane != self.key],
                             [record.value for record in held if record.lane == self.key], step)

    def turn(self):
        """A step of running time: bodies deleted long enough go from own segments, and what is aside goes."""
        self.store.running += 1
        self.store.wall += 1
        self.store.purge()
        due = {message for message, since in self.deleted.items()
               if self.store.running - since > GRACE}
        own = self.store.lane(self.key)
        for number, (slot, latest) in list(self.segments.items()):
            if own.current.get(slot) != latest:
                continue
            content = own.rows[latest].value
            if any(has and message in due for message, has in content):
                self.write(SEGMENT, slot, tuple((message, has and message not in due) for message, has in content))
                self.segments[number] = slot, own.current.get(slot)

    def bring_back(self):
        """What was deleted and is not any more is written anew where no row has its body and something aside does."""
        now = {slot[1] for slot, value in self.store.shown().items() if slot[0] == "del" and value and value[1]}
        undone = {slot[1]: value[0] for slot, value in self.store.shown().items()
                  if slot[0] == "del" and value and not value[1]}
        self.deleted = {message: self.deleted.get(message, self.store.running) for message in now}
        bodies = self.store.bodies()
        self.history.checks.undone(self, undone, bodies)
        if not broken("undo-without-aside"):
            aside = self.store.bodies(aside=True)
            for message in sorted(undone):
                if message not in bodies and message in aside:
                    self.history.stats["brought back"] += 1
                    self.write_segment(message % CONVERSATIONS, message)

    def start_afresh(self):
        self.history.stats["fresh starts"] += 1
        if self.history.stats["fresh starts"] > MAX_FRESH_STARTS:
            raise Restless
        self.store.succeeded.add(self.key)
        if not broken("same-key-on-fresh-start"):
            self.key = self.history.new_number()

    def settle(self, peer_highest=0):
        """Part of every commit that may have touched the own lane."""
        own = self.store.lanes.get(self.key, Lane())
        forked = own.forked or max(own.highest(), peer_highest) > own.head
        if forked and not broken("ignore-own-fork"):
            self.start_afresh()
        elif self.key in self.store.succeeded and not broken("ignore-own-succession"):
            self.start_afresh()
        self.bring_back()


class Sync:
    """One session: the receiver pulls from the sender; what then still differs is healed both ways."""

    def __init__(self, history, receiver, sender, may_be_cut, peeks=True):
        self.history, self.random, self.may_be_cut, self.peeks = history, history.random, may_be_cut, peeks
        self.receiver, self.sender = receiver, sender
        self.mine, self.theirs = receiver.store, sender.store

    def run(self):
        self.meet()
        try:
            for name in list(self.theirs.lanes):
                self.pull(name)
            for name in dict.fromkeys([*self.mine.lanes, *self.theirs.lanes]):
                self.compare(name)
        except ConnectionError:
            pass
        self.receiver.settle()
        self.sender.settle()

    def committed(self):
        """After each commit the connection may break."""
        if self.may_be_cut and self.random.random() < 0.2:
            raise ConnectionError

    def meet(self):
        """hello, ledgers and vectors, before any row. (Instance ids tell a clone from a loop back to oneself.)"""
        one, other = self.receiver, self.sender
        if one.key == other.key and not broken("ignore-clone"):
            one.start_afresh()
            other.start_afresh()
        self.mine.succeeded |= self.theirs.succeeded
        self.theirs.succeeded |= self.mine.succeeded
        for node, peer in ((one, other), (other, one)):
            shown = peer.store.lanes.get(node.key)
            node.settle(shown.target if shown else 0)

    def pull(self, name):
        sender = self.theirs.lanes[name]
        if self.peeks and sender.highest() > self.mine.head(name) and self.random.random() < 0.3:
            for key in sorted(sender.rows)[-PEEK_ROWS:]:
                self.mine.put(sender.rows[key])       # raises target, not head
            self.committed()
        done = sender.head <= self.mine.head(name)
        while not done:
            lane = self.mine.lane(name)
            rows, through, target, done = sender.page(lane.head, self.random.randint(1, 4))
            for record in rows:
                self.mine.put(record)
            lane.head = max(lane.head, through)
            lane.target = max(lane.target, lane.head, target)
            self.committed()

    def compare(self, name):
        lane, other = self.mine.lanes.get(name, Lane()), self.theirs.lanes.get(name, Lane())
        clean = lane.head == lane.target and other.head == other.target
        level = lane.head == other.head and (clean or not broken("compare-only-clean"))
        if broken("union") and not (lane.head and other.head):
            return                                    # a lane counts once both committed a page of it
        if level and lane.fingerprint() != other.fingerprint():
            if clean:                                 # both claim to have all, up to the same head
                self.history.stats["alarms"] += 1
            self.history.stats["lanes healed"] += 1
            self.heal(name)

    def heal(self, name):
        """The side that asks tells its chunks; of those that differ keys travel, then what either lacks.

        Only one side heals a lane at a time: else each row would travel twice.
        """
        lane, other = self.mine.lane(name), self.theirs.lane(name)
        reach = max(lane.head, other.head)
        if not broken("peek-without-range-reach"):
            reach = max(reach, lane.highest(), other.highest())
        mine, theirs = lane.chunks(), other.chunks()
        given = []
        for number in sorted(mine.keys() | theirs.keys()):
            if mine.get(number) == theirs.get(number):
                continue
            low, high = number * CHUNK, min(number * CHUNK + CHUNK - 1, reach)
            keys, other_keys = lane.between(low, high), other.between(low, high)
            named, other_named = {self.name(key) for key in keys}, {self.name(key) for key in other_keys}
            lacked = [lane.rows[key] for key in keys if self.name(key) not in other_named]
            lacks = [other.rows[key] for key in other_keys if self.name(key) not in named]
            for _ in range(2 if broken("both-heal") else 1):
                for record in lacked:
                    self.give(self.theirs, record)
                for record in lacks:
                    self.give(self.mine, record)
            given += lacked + lacks
        self.committed()

    def name(self, key):
        return (key[0], key[1] & 1) if broken("short-keys") else key

    def give(self, store, record):
        self.history.stats["rows sent twice"] += store.holds(record)
        store.put(record)


class Checks:
    """The ledger of what was promised. A fault that destroys the last living copy ends a promise; nothing else does.

    C1  the living hold the same rows and heads, within MAX_ROUNDS
    C2  what a node shows never goes back while nothing is lost or forked, and in the end all that live show the same
    C3  no record vanishes, unless superseded in its lane
    C4  no alarm without lost or forked data; no fresh start without a cause
    C5  in the end each living node writes a lane of its own, and none a succeeded one
    C6  a message whose deletion was undone keeps its body, if the node that heard of it held it, aside included
    C7  whatever a bad device wrote: who corrects a value or undoes a deletion knowing all is seen by all
    C8  nothing is read beyond what was marked by the name of a message; no row is sent twice to heal a lane
    """

    def __init__(self, history):
        self.history = history
        self.written, self.superseded, self.lost = [], set(), set()
        self.shown = {}        # node -> {slot: highest value shown}
        self.kept = set()      # (message, revision of the undoing) whose bodies are owed

    def wrote(self, record, own):
        self.written.append(record)
        if record.kind == SEGMENT and record.slot in own.current:    # knowingly: the writer holds the old row
            self.superseded.add(own.rows[own.current[record.slot]])

    def undone(self, node, messages, bodies):
        store = node.store
        aside = {message for record, since in store.superseded.items() if record.kind == SEGMENT
                 and store.running - since <= GRACE for message, has in record.value if has}
        self.kept |= {item for item in messages.items() if item[0] in bodies or item[0] in aside}

    def destroyed(self, records):
        """A fault took these from one node: those that no living node holds are lost for good."""
        stores = [node.store for node in self.history.living()]
        self.lost.update(record for record in records if not any(store.holds(record) for store in stores))

    def store_replaced(self, node):
        self.shown[node] = dict(node.store.shown())

    def step(self):
        # A row that is lost, or that another one hides in a forked lane, counts no more until it is seen again; a bad
        # device replaces what it said; and a mark whose message is not here yet hides the one that it replaces.
        is_judged = not any(self.history.stats[fault] for fault in (*CORRUPTING, "huge"))
        for node in self.history.living():
            now, before = node.store.shown(), self.shown.setdefault(node, {})
            for slot, value in before.items():
                is_lower = value is not None and (now.get(slot) is None or now[slot] < value)
                if is_judged and is_lower and not node.store.waits(slot):
                    self.history.stats["values lowered"] += 1
            before.update(now)

    def agreed(self):
        views = [({name: lane.rows.keys() for name, lane in node.store.lanes.items() if lane.rows},
                  {name: lane.head for name, lane in node.store.lanes.items() if lane.head})
                 for node in self.history.living()]
        return all(view == views[0] for view in views)

    def end(self):
        stats, living = self.history.stats, self.history.living()
        shown = [node.store.shown() for node in living]
        stats["values that differ"] += sum(values != shown[0] for values in shown)
        stats["records vanished"] += sum(not node.store.holds(record) for record in self.owed() for node in living)
        writers = Counter(node.key for node in living)
        if not any(stats[fault] for fault in DESTROYING):
            for node in living:
                shown = node.store.shown()
                owed = {message for message, revision in self.kept if shown[("del", message)] == (revision, False)}
                stats["bodies lost"] += len(owed - node.store.bodies())
        for node in living:
            for slot, value in node.store.shown().items():
                if slot[0] == "read" and value and value[0] > self.marked(slot):
                    stats["read beyond the mark"] += 1
        stats["unsafe writers"] += sum(writers[node.key] > 1 or node.key in node.store.succeeded for node in living)

    def marked(self, slot):
        known = {message for record in self.written if record.kind == SEGMENT for message, _ in record.value}
        marks = [record.value for record in self.written if record.kind == REGISTER and record.slot == slot]
        return max((min(value) for value in marks if value[1] in known), default=0)

    def corrected(self, slot, value):
        for node in self.history.living():
            shown = node.store.shown().get(slot)
            self.history.stats["corrections without effect"] += shown is None or shown[1] != value

    def owed(self):
        newest = {}
        for record in self.written:
            place = record.lane, record.slot
            newest[place] = max(newest.get(place, record.key), record.key)
        for record in self.written:
            gone = record in self.lost or record in self.superseded
            if record.kind == REGISTER:
                gone |= record.key < newest[record.lane, record.slot]
            if not gone:
                yield record

    def failures(self):
        stats = self.history.stats
        names = ("not converged", "values lowered", "values that differ", "records vanished", "unsafe writers",
                 "bodies lost", "corrections without effect", "read beyond the mark", "rows sent twice")
        failed = [name for name in names if stats[name]]
        if stats["alarms"] and not any(stats[fault] for fault in CORRUPTING):
            failed.append("alarms without cause")
        if stats["fresh starts"] and not any(stats[fault] for fault in RESTARTING):
            failed.append("fresh starts without cause")
        return failed


class History:
    def __init__(self, seed, faults):
        self.random = random.Random(seed)
        self.stats, self.checks = Counter(), Checks(self)
        self.faults = [fault for fault in faults if self.random.random() < 0.6]
        if self.random.random() < 0.25:        # what is promised of bodies is judged only without these
            self.faults = [fault for fault in self.faults if fault not in DESTROYING]
        self.numbers = 0
        self.nodes = [Node(self, Store(), self.new_number()) for _ in range(self.random.randint(2, 5))]
        self.bad = None        # the one bad device
        self.backups = {}      # node -> (store, key)

    def new_number(self):
        """A new device key, or a new tag."""
        self.numbers += 1
        return self.numbers

    def living(self):
        return [node for node in self.nodes if node.alive]

    def play(self):
        """The names of the checks that failed."""
        try:
            self.live()
            self.gossip()
            self.correct()
            self.checks.end()
        except Restless:
            self.stats["not converged"] += 1
        return self.checks.failures()

    def live(self):
        acts = [fault for fault in self.faults if fault != "cut"]
        for _ in range(self.random.randint(20, 110)):
            node, dice = self.random.choice(self.living()), self.random.random()
            if dice < 0.20:
                node.mark(self.random.randrange(CONVERSATIONS))
            elif dice < 0.28:
                node.write(IMMUTABLE, ("fact",), 0)
            elif dice < 0.42:
                message = self.new_number()
                node.write_segment(message % CONVERSATIONS, message)
            elif dice < 0.46:
                node.revise(("title",), self.new_number())
            elif dice < 0.54:
                self.delete_or_undo(node)
            elif dice < 0.90 or not acts:
                peer = self.random.choice(self.living())
                if peer is not node:
                    Sync(self, node, peer, may_be_cut="cut" in self.faults).run()
            else:
                getattr(self, self.random.choice(acts))(node)
            for one in self.living():
                if self.random.random() < 0.7:                       # else it does not run now
                    one.turn()
            if self.random.random() < 0.08:
                self.backups[node] = node.store.copy(), node.key
            self.checks.step()
        if "die" in acts:      # with whatever it has not passed on
            self.die(self.random.choice(self.living()))

    def delete_or_undo(self, node):
        gone = sorted(node.deleted)
        if gone and self.random.random() < 0.5:
            node.revise(("del", self.random.choice(gone)), False)
        elif held := sorted(node.store.messages() - node.deleted.keys()):
            message = self.random.choice(held)
            node.revise(("del", message), True)

    def correct(self):
        """With all known to all one corrects, another undoes; then all show it."""
        slots = sorted({slot for node in self.living() for slot in node.store.slots() if is_revised(slot)})
        for slot in slots:
            text = self.new_number() if slot[0] == "title" else False
            self.random.choice(self.living()).revise(slot, text)
            self.gossip()
            self.checks.corrected(slot, text)

    def gossip(self):
        for rounds in range(1, MAX_ROUNDS + 1):
            pairs = [(one, other) for one in self.living() for other in self.living() if one is not other]
            self.random.shuffle(pairs)
            for one, other in pairs:
                # Peeking is for speed: nothing may need it.
                Sync(self, one, other, may_be_cut=False, peeks=False).run()
                self.checks.step()
            if self.checks.agreed():
                break
        else:
            self.stats["not converged"] += 1
        self.stats["rounds, at most"] = rounds

    # The faults, but for "cut". Each befalls a random living node.

    def rot(self, node):
        if node.store.rows():
            row = self.random.choice(node.store.rows())
            node.store.rot(row)
            self.stats["rot"] += 1
            self.checks.destroyed([row])
            node.settle()

    def restore(self, node):
        if node in self.backups:
            before = node.store.rows()
            store, node.key = self.backups[node]
            node.store, node.segments = store.copy(), {}
            self.stats["restore"] += 1
            self.checks.destroyed(before)
            self.store_replaced(node)

    def clone(self, node):
        if len(self.nodes) < 7:
            twin = Node(self, node.store.copy(), node.key)
            self.nodes.append(twin)
            self.stats["clone"] += 1
            self.store_replaced(twin)

    def store_replaced(self, node):
        self.checks.store_replaced(node)
        if self.random.random() < 0.5:         # the guard beside the store notices every second time
            node.start_afresh()
            node.settle()

    def die(self, node):
        if len(self.living()) > 2:
            node.alive = False
            self.stats["die"] += 1
            self.checks.destroyed(node.store.rows())

    def huge(self, node):
        """A bad device: revisions beyond the gap and at the limit, marks at the end of time."""
        self.bad = self.bad or node
        if node is not self.bad:
            return
        self.stats["huge"] += 1
        slots = [("title",), *(("del", message) for message in sorted(node.store.messages())[-1:])]
        for slot in slots:
            held = (node.store.shown().get(slot) or (0,))[0]
            revision = self.random.choice([LIMIT, LIMIT - 1, held + 2 * GAP, held + 40 * GAP])
            text = self.new_number() if slot[0] == "title" else True
            node.write(REGISTER, slot, (min(revision, LIMIT), text))
        conversation = self.random.randrange(CONVERSATIONS)
        real = [message for message in node.store.messages() if message % CONVERSATIONS == conversation]
        named = self.random.choice([*sorted(real)[:1], END_OF_TIME - 4 + conversation])
        node.write(REGISTER, ("read", conversation), (self.random.choice([END_OF_TIME, END_OF_TIME - 1]), named))
        node.settle()

    def clock(self, node):
        self.stats["clock"] += 1
        node.store.wall += 100 * GRACE

    def grind(self, node):
        """A bad device shows two others different rows whose hashes have the same sum, and is gone."""
        others = [one for one in self.living() if one is not node]
        if len(others) < 2:
            return
        self.stats["grind"] += 1
        seq = 1 + max(one.store.lanes.get(node.key, Lane()).highest() for one in self.living())
        self.die(node)
        for one, shift in zip(self.random.sample(others, 2), (0, 1)):
            lane = one.store.lane(node.key)
            for number, hash in ((seq, 1000 + shift), (seq + 1, 2000 - shift)):
                record = Record(node.key, number, hash, IMMUTABLE, ("fact",), 0)
                self.checks.written.append(record)
                one.store.put(record)
            lane.head = lane.target = seq + 1

    def fresh(self, node):
        self.stats["fresh"] += 1
        node.start_afresh()
        node.settle()


def run(rule, faults, seeds):
    """The totals, the failed checks, and of the first failing history its seed and those that it failed."""
    global BROKEN
    BROKEN = rule
    totals, failed, first = Counter(), Counter(), None
    for seed in seeds:
        history = History(seed, faults)
        failures = history.play()
        rounds = max(totals["rounds, at most"], history.stats.pop("rounds, at most", 0))
        totals.update(history.stats)
        totals["rounds, at most"] = rounds
        failed.update(failures)
        if failures and not first:
            first = seed, failures
            if rule:
                break
    return totals, failed, first


def main():
    parser = argparse.ArgumentParser(description="Reference model of the reconciliation rules.")
    parser.add_argument("runs", type=int)
    parser.add_argument("--faults", default="all", help="all, none, or some of " + ",".join(FAULTS))
    parser.add_argument("--seed", type=int, default=0, help="of the first history; the others follow")
    parser.add_argument("--break", dest="rule", choices=RULES)
    parser.add_argument("--table", action="store_true", help="the first failing seed of each rule")
    options = parser.parse_args()
    named = {"all": FAULTS, "none": ()}
    faults = named[options.faults] if options.faults in named else options.faults.split(",")
    if not set(faults) <= set(FAULTS):
        parser.error("--faults takes all, none, or some of " + ",".join(FAULTS))
    seeds = range(options.seed, options.seed + options.runs)
    if options.table:
        unseen = 0
        for rule in RULES:
            _, _, first = run(rule, faults, seeds)
            unseen += not first
            print(f"    {rule:24}{first[0]:>5}  {', '.join(first[1])}" if first else f"    {rule:24} none", flush=True)
        return 1 if unseen else 0
    totals, failed, first = run(options.rule, faults, seeds)
    print(f"{options.runs} histories, faults: {options.faults}, broken: {BROKEN or 'nothing'}")
    for name, count in sorted(totals.items()):
        print(f"  {name:28}{count:>9}")
    for name, count in failed.items():
        print(f"FAILED: {name} in {count} histories")
    if first:
        print(f"first failing seed {first[0]}, run {first[0] - options.seed + 1}: {', '.join(first[1])}")
    return 1 if first else 0


if __name__ == "__main__":
    sys.exit(main())
