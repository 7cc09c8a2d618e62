#!/usr/bin/env python3
"""Reference model of the ledger: who belongs to an account or a group, who is out, and who gets which root.

    ledger.py RUNS [--seed S] [--break RULE | --all | --export]

Plays RUNS random histories from seed S and prints those that break a property; exit status 1 if one does. `State` is a
pure function of the set of control records (and rows): no arrival, no clock, no claimed date. A person (a phrase's key)
signs Removes and endorses lanes; a lane (a device's key in this zone) signs all else. An account is the ledger of one
person's devices, its owner being the identity; a group has an owner and members by tickets.

Four kinds of histories: seed % 4 is 0 or 1: a thief has all secrets of one lane, in an account, in a group; the history
is played with and without it. 2: devices apart, asleep, copied, that remove each other (seed % 8 is 2: an account).
3: members of a group that do what they like, with their persons' keys; the owner acts against one.

THE RULES, by the sections of State, which name the numbers that these have in the design (N, R)
1   A lane is (key, member, device or replica). It is a tree: an Enter, and by `prev` what the same key signed, ledger
    records and rows apart. What hangs in the air is as if not held.
    A Remove, by the person, names lanes (all that the device wrote, fresh starts too), heads, children (Enters), and in
    an account rows. It is for ever. Several: all that they name. Of one member the first REMOVES by hash.
    A lane is rooted if it is not removed and one of its Enters is endorsed by the person, or is a group member's first
    lane, or is endorsed by a rooted lane (DEPTH steps), or by a removed one that names this Enter among its children.
    The endorsement covers lane, member, kind, and what the lane succeeds.
    A record is kept if its lane is rooted; of a removed lane if a Remove names it: behind its heads, or an account's
    row by list. A lane that is neither removed nor rooted has lapsed: it may be entered again.
2   Places: of a member the lanes by (named by a Word's head, endorsed by the person, first lane, steps, key), the
    owner's OWNER_LANES, others' MEMBER_LANES. A lane that a rooted one says to succeed, endorsed by it, takes no place;
    one line of such comes with each placed lane. Removed lanes keep theirs for what is named. Of a dismissed member the
    lanes that Words name. Of a lane the first RECORDS by (depth, hash), of those kept and open (below).
3   Of groups. Close (owner): what is not the owner's and not behind its heads is void, but for the successor's founder.
    Word (owner): role of a member; role 0 dismisses for ever; the highest (revision, hash) else. A device's own Word
    (revision 1) by a ticket of the owner's stands with the invitation. Open: of a dismissed member what Words name,
    after a close what it names. Ticket: one member, the lowest hash; a ticket in a Word is used. An admin's invitations
    count while it is admin, below admin, ADMIN_TICKETS together; its Revoke says who stays; the owner's, that nobody
    does.
4   A row needs a member, an act an admin, now; or a Word with this `keep` names it. Suspensions last while their author
    is admin; the owner's until the owner lifts it. End (account) ends a replica. The lowest Close with a group says the
    successor; who is named by its founder's Offers follows.
5   Rotate (owner's lanes): tips, number = highest tip's + 1, covers = hashes of the Removes, Words 0 and Ends that
    count. What a counting Rotate goes on from counts, whoever made it. Newest: the highest number held, then the lowest
    hash.
    A root is sealed to standing lanes, and to the identity, and is taken, only by who sees all that it covers as gone;
    it is taken only if the tips sealed in it open and fit. A Seal by an owner's lane or by oneself serves, no other's;
    nor does one that its recipient says does not open (Unopened; a device writes UNOPENED): the others seal, once each.
    What no standing lane of the owner made, sealed or goes on from is sealed to these by any member who holds it; what
    only some did, to those others that none of these sealed it to, if GIVERS members have not yet, of each lane RETURNS
    such; also what only a removed lane of the owner's made, or one that came by such in DEPTH steps: of each member's
    lane RETURNS such, with what is behind them and how their lanes came (RECORDS for each), are stored and taken,
    though they do not count, so that the owner goes on from them. With each comes what it covers that is not gone:
    Removes, and Words 0 of the owner's, of COVERS at most, each with what is behind it but not in the way, if BEHIND.
    Due: the newest does not cover all that is gone, or a root that was taken may not be sealed any more.
6   Stored: what has a place and may count; Enters by which members stand; ways to the heads of Words and Closes, to
    invitations that Words need, of Rotates and rows; of each of these lanes its way of endorsers, one Enter a lane, and
    what shows that it succeeds or is succeeded; Removes of all members of these. The rest changes nothing.

THE PROPERTIES
Q1 any order of arrival gives the same. Q2 after a Remove honest devices show what they show had the thief never been,
and nothing handed in later changes it. Q3 nothing new counts of who is out. Q4 nobody honest is displaced. Q5 who
stands holds the newest root and all that were in use, from the ledger alone (with all lost, from the words); who is out
does not. Q6 who met shows the same. Q7 bounds, and what is dropped does not matter. Q8 the removed lane's tickets admit
nobody. E3 rotations are bounded. P2 what was taken stays taken. P3 who is not the owner voids nothing of honest
members. P4 as many members as tickets. P6 the close and who follows. P9 who removes, dismisses or demotes voids nothing
it shows.

PLANTED BUGS: the first seed, of some 30, that shows it; d: a small case (`cases`) shows it too, or alone

    admin-tickets-unbounded d; admins-lift-owners d; admins-make-admins 3 d; any-lane-claims d; any-seal-serves d;
    anybody-offers d; anybody-removes 0; anybodys-voucher d; bound-before-heads 33 d; bound-before-words d; chains-mixed
    d; children-by-key 4 d; children-fall d; claim-falls 29 d; claim-unnamed d; claims-dropped d; closed-lanes-grow d;
    confirms-unbounded d; covers-lanes 0 d; dismissal-by-revision d; dismissed-lanes-grow d; dismissed-opens-lanes d;
    due-by-tips 9; end-any d; end-ignored d; end-needs-no-root 24 d; endorsement-unchecked 13 d; ends-of-anything d;
    founder-displaces-claim d; game-by-revision d; given-by-all d; given-if-all-forgot d; given-unbounded d;
    heads-give-no-place d; identity-unsealed 0; issuer-widens-revoke d; junk-again d; junk-serves d; junk-unsaid d;
    junk-without-end d; keep-ignored d; kind-not-covered d; lanes-unbounded d; leave-ignored d; lifts-own-suspension d;
    line-forgotten d; needs-reason 5 d; newest-unheld 4; no-rescue d; no-revoke 25; no-rotation 0 d; no-tips 5 d;
    not-given-back d; number-free d; offer-to-all d; outsiders-removes-stored 0; outsiders-rotate 0 d; owner-not-exempt
    d; person-ranks-low d; prev-across-lanes 7; proof-unchecked d; removal-frees-ticket d; remove-ignored 0 d;
    remove-keeps-all 0 d; remove-keeps-words 5 d; removed-endorses 0 d; removed-unheard d; removes-intersected d;
    removes-of-named-dropped d; removes-unbounded d; replica-writes d; returns-again d; returns-by-refused d;
    returns-cover-unknown d; returns-if-known d; returns-unbounded d; revoke-ignored 25 d; revoke-names-keys-only d;
    revoke-names-void d; rival-displaces-confirmed 23 d; rotate-covers-little 1; seal-blind d; seal-newest-only 6 d;
    seal-to-all 0; stays-ignored 0; succeeded-falls 1 d; succeeded-takes-place d; succeeded-unbounded d;
    succeeds-not-covered 13; succeeds-unendorsed d; succession-dropped d; taken-blindly 54 d; ticket-endorses-any 5 d;
    ticket-for-many d; tip-falls d; tips-unchecked d; unsealable-tips 5 d; unsigned 0; viewer-posts 3;
    void-covers-anything d; void-covers-too-long d; void-covers-unbounded d; void-if-unheld 5 d; void-not-given-back 126
    d; void-of-removed-alone d; void-on-anything d; void-way-without-covers d; void-way-without-enters d;
    vouchers-dropped d; ways-of-placed-alone d; ways-to-heads-dropped d; word-launders d; words-hold-others d

Seed 3101 of the first joined model: a Word kept an honest post behind a head that a later Remove did not name; once
that head was dropped, the way to the post was lost with it. Now ways to heads are stored ("ways-to-heads-dropped").

Simplified: a hash stands for a label, not for contents; signatures are names; Seals open or not by a flag; no time: the
waits before a rotation (rank, once a day in groups), before following a successor, and adoption of rows are left out;
replicas only in accounts; the rows are told by lanes.py. Prices: until the Remove a thief's lanes displace siblings
that the same lane entered, and its records its own lane's later ones; a Remove without heads retracts the person's own
posts; of a member dismissed or demoted while a thief's Word did so, posts that the honest Word did not see to count are
void for ever; a lane that was entered since by the removed one lapses, though it be honest.
"""
import argparse
import json
import random
import re
import sys
import traceback
from hashlib import blake2b

NONE, VIEWER, MEMBER, ADMIN, OWNER = range(5)
# Small, so that histories reach them. The protocol's: 64, 16, 64 (in groups 256, the owner's 8,192), 64, 64, 32, 256,
# 4, 256, 32, 3, 16 of 32 Seals each.
OWNER_LANES, MEMBER_LANES, RECORDS, TICKETS, ADMIN_TICKETS, DEPTH, REMOVES = 12, 6, 40, 3, 6, 8, 12
RETURNS, COVERS, BEHIND = 2, 5, 4
GIVERS, UNOPENED = 2, 3
NEEDS = {"post": MEMBER, "game": ADMIN, "suspend": ADMIN, "unsuspend": ADMIN, "invite": ADMIN, "revoke": ADMIN,
         "leave": VIEWER, "seal": VIEWER, "unopened": VIEWER, "offer": VIEWER, "enter": VIEWER}
ROWS = "post", "game"
KEPT = "post", "game", "unsuspend"                 # a Word can keep these
OWNERS = "word", "title", "rotate", "close", "end"         # only the owner's mean something
ACCOUNTS = "enter", "rotate", "seal", "unopened", "leave", "end", "post"
REPLICAS = "enter", "leave"
FIRST = 0                                          # the name of the first root
BROKEN = None                                      # the rule that --break switches off


def broken(rule):
    return rule == BROKEN


def digest(*parts):
    return int.from_bytes(blake2b("/".join(map(str, parts)).encode(), digest_size=6).digest(), "big")


def rank(ticket, member):
    """The order of those who claim one ticket: BLAKE2b-256 of "invite/index/person/first", the invite in hex."""
    return blake2b(f"{ticket[0]:012x}/{ticket[1]}/{member[0]}/{member[1]}".encode(), digest_size=32).digest()


# ---------------------------------------------------------------------------------------------------------- types
class Record:
    """A ledger record or a row. `key` is whose signature it claims, `signer` who made it. A member is (person, first
    lane key), a lane (lane key, member, is a replica).

    The hash stands for the label and not for the contents, so that an honest record is the same with and without a
    thief; a forger takes labels of its own.
    """
    member = target = endorser = endorsed = succeeds = ticket = proof = group = founder = None
    prev = role = keep = revision = number = 0
    account = replica = False
    good = True            # of a Seal: it opens; of a Rotate: its sealed tips open and fit their commitments
    heads = children = lanes = stays = covers = tips = names = to = frozenset()
    bad = frozenset()      # of a Seal that is good: to whom it does not open nevertheless
    keys = ()

    def __init__(self, key, kind, label, signer=None, **fields):
        self.__dict__.update(fields, key=key, kind=kind, label=label, signer=signer or key)
        self.hash = digest(key, kind, label, self.signer)

    def __hash__(self):
        return self.hash

    def __eq__(self, other):
        return self.hash == other.hash

    def __repr__(self):
        return f"{self.kind} {self.label} of {self.key}"


def endorsement(endorser, lane, member, replica=False, succeeds=None):
    return endorser, (lane, member, replica, succeeds)


def is_row(record):
    return record.kind in ROWS


# ---------------------------------------------------------------------------------------------------------- rules
class State:
    """A function of the set of records: no arrival, no clock, no claimed date."""

    def __init__(self, records):
        self.rec = {r.hash: r for r in records if r.signer == r.key or broken("unsigned")}
        genesis = next(r for r in self.rec.values() if r.kind == "genesis")
        self.account, self.owner = genesis.account, genesis.member
        self.grow_trees()
        self.judge_removes()
        self.find_rooted()
        self.places, self.good = set(), set()      # lanes that have a place, and their ledger records within the bound
        self.words, self.dismissed, self.used = {}, set(), set()
        self.standing, self.open, self.admins = {self.owner: OWNER}, {}, set()
        self.vouchers, self.claims = set(), set()  # invitations with which a Word stands; Enters by which a member does
        self.last = self.successor = None
        self.place(self.owner, OWNER_LANES)
        self.owners = {}
        for name in self.good:
            if not self.node[name][2]:
                self.owners.setdefault(self.rec[name].kind, []).append(self.rec[name])
        self.closes = [] if self.account else self.says("close")
        self.last = self.behind(n for c in self.closes for n in c.heads) if self.closes and not broken(
            "close-is-open") else None
        self.successor = min((c for c in self.closes if c.group), key=lambda c: c.hash, default=None)
        if not self.account:
            self.judge_words()
            self.judge_tickets()
        self.find_members()
        self.judge_rotates()

    # 1. Trees, Removes, who is rooted: without membership (N8, N9, N29, N31; R1). ------------------------------------
    def grow_trees(self):
        """A lane is a tree of what its key signed, from its Enters on; rows and ledger records are two chains."""
        self.node, self.depth, self.tree, self.enters, self.lanes_of, below, work = {}, {}, {}, {}, {}, {}, []
        for r in self.rec.values():
            if r.kind == "enter":
                if not self.account or r.member == self.owner:
                    self.node[r.hash], self.depth[r.hash] = (r.key, r.member, r.replica), 0
                    self.enters.setdefault(self.node[r.hash], []).append(r)
                    work.append(r)
            elif r.kind not in ("genesis", "remove"):
                below.setdefault(r.prev, []).append(r)
        while work:
            r = work.pop()
            lane = self.node[r.hash]
            if lane not in self.tree:
                self.lanes_of.setdefault(lane[1], []).append(lane)
            self.tree.setdefault(lane, []).append(r)
            for c in below.get(r.hash, ()):
                if (c.key == r.key or broken("prev-across-lanes")) and (
                        r.kind == "enter" or is_row(r) == is_row(c) or broken("chains-mixed")):
                    self.node[c.hash], self.depth[c.hash] = lane, self.depth[r.hash] + 1
                    work.append(c)

    def behind(self, heads, member=None):
        seen = set()
        for name in heads:
            while name in self.node and name not in seen and member in (None, self.node[name][1]):
                seen.add(name)
                name = self.rec[name].prev
        return seen

    def is_endorsed(self, enter):
        by = enter.endorser or enter.member[0]
        want = endorsement(by, enter.key, enter.member, enter.replica, enter.succeeds)
        if broken("succeeds-not-covered"):
            return enter.endorsed is not None and enter.endorsed[0] == by and enter.endorsed[1][:3] == want[1][:3]
        if broken("kind-not-covered"):
            return enter.endorsed is not None and enter.endorsed[0] == by and (
                enter.endorsed[1][:2] + enter.endorsed[1][3:] == want[1][:2] + want[1][3:])
        return enter.endorsed == want or broken("endorsement-unchecked")

    def judge_removes(self):
        """For ever, by the person only, the lanes that it names."""
        self.earlier, self.later = {}, {}          # lane: {lane before or after it: the lowest Enter that says so}
        for lane, enters in self.enters.items():
            for e in sorted(enters, key=lambda e: e.hash):
                if e.succeeds and (e.endorser == e.succeeds or broken("succeeds-unendorsed")) and self.is_endorsed(e):
                    old = (e.succeeds, lane[1], lane[2])
                    self.earlier.setdefault(lane, {}).setdefault(old, e)
                    self.later.setdefault(old, {}).setdefault(lane, e)
        self.removed, self.heads, self.children, self.stays, self.cuts = set(), {}, {}, {}, {}
        signed = {}
        for r in self.rec.values():
            if r.kind == "remove" and (r.key == r.member[0] or broken("anybody-removes")):
                signed.setdefault(r.member, []).append(r)
        self.removes = [r for many in signed.values() for r in sorted(many, key=lambda r: r.hash)[
            :None if broken("removes-unbounded") else REMOVES]]
        for r in self.removes:
            for lane in ((key, r.member, kind) for key in r.lanes for kind in (False, True)):
                for into, new in ((self.heads, r.heads), (self.children, r.children), (self.stays, r.stays)):
                    if lane in into and broken("removes-intersected"):
                        into[lane] &= new
                    else:
                        into[lane] = into.get(lane, frozenset()) | new
                if not broken("remove-ignored"):
                    self.removed.add(lane)

    def line(self, key, member):
        """Of a device: the lanes that it wrote before and after in fresh starts; what its Remove names."""
        work, seen = [(key, member, False), (key, member, True)], set()
        while work:
            lane = work.pop()
            if lane not in seen:
                seen.add(lane)
                work += [*self.earlier.get(lane, ()), *self.later.get(lane, ())] if not broken("line-forgotten") else ()
        return {lane[0] for lane in seen}

    def find_rooted(self):
        """The least fixed point. rooted: lane -> (0 by the person, 1 first lane, 2 by a lane; steps from there)."""
        self.rooted, self.reason, level, waiting = {}, {}, 0, set(self.enters) - self.removed
        while level <= DEPTH:
            new = {}
            for lane in waiting:
                for e in sorted(self.enters[lane], key=lambda e: e.hash):
                    up = (e.endorser, lane[1], False)
                    if e.endorser is None and e.endorsed and self.is_endorsed(e):
                        found = (0, 0)
                    elif not self.account and (lane[0] == lane[1][1] or e.ticket and broken("ticket-endorses-any")):
                        found = (1, 0)
                    elif e.endorser and self.is_endorsed(e) and (up in self.rooted or up in self.removed and (
                            e.hash in self.children[up] and not broken("children-fall") or broken("removed-endorses")
                            or broken("children-by-key") and e.key in {
                                self.rec[n].key for n in self.children[up] if n in self.rec})):
                        found = (2, level)
                    else:
                        continue
                    if lane not in new or found < new[lane]:
                        new[lane], self.reason[lane] = found, e
            if not new:
                break
            self.rooted.update(new)
            waiting -= set(new)
            level += 1

    def cut(self, lane):
        if lane not in self.cuts:
            self.cuts[lane] = {n for n in self.behind(self.heads[lane]) if self.node[n] == lane}
        return self.cuts[lane]

    def is_kept(self, r):
        """Its lane is rooted, or a Remove names it: in an account a row by list, all else by heads."""
        lane = self.node[r.hash]
        if lane not in self.removed:
            return lane in self.rooted
        if self.account and is_row(r):
            return r.hash in self.stays[lane] and not broken("stays-ignored")
        return r.hash in self.cut(lane) or broken("remove-keeps-all") or (
            broken("remove-keeps-words") and r.kind == "word")

    # 2. Places (N12; R7). --------------------------------------------------------------------------------------------
    def first(self, lane, with_offers=True):
        """The first ledger records of a lane by (depth, hash), of those that are kept and, after a close, live."""
        records = [r for r in self.tree[lane] if not is_row(r) and (self.is_open(r) or broken("bound-before-words"))
                   and (with_offers or self.is_live(r))]
        early = broken("bound-before-heads")
        records = records if early else filter(self.is_kept, records)
        records = sorted(records, key=lambda r: (self.depth[r.hash], r.hash))
        return [r for r in records[:RECORDS] if not early or self.is_kept(r)]

    def successors(self, lane):
        return [e for new, e in self.later.get(lane, {}).items() if new in self.rooted]

    def choose(self, member, limit):
        words = self.words.get(member, ())
        mine = [x for x in self.lanes_of.get(member, ()) if x in self.rooted or x in self.removed and self.cut(x)]
        live = [x for x in mine if x not in self.removed]
        old = {x for x in live if self.successors(x)}
        said = {self.node[n] for w in words for n in w.heads if n in self.node}
        if member in self.dismissed and not broken("dismissed-opens-lanes"):
            return [x for x in mine if x in said]
        free = sorted((x for x in live if x not in old or broken("succeeded-takes-place")), key=lambda x: (
            x not in said or broken("heads-give-no-place"), self.rooted[x] if not broken("person-ranks-low") else 0, x))
        free = free[:limit] if not broken("lanes-unbounded") else free
        for x in list(free):                       # one line of predecessors
            for _ in range(DEPTH):
                x = min(self.earlier.get(x, {}).items(), key=lambda item: item[1].hash, default=(None,))[0]
                if x is None or x not in old or x in free or broken("succeeded-falls"):
                    break
                free.append(x)
        if broken("succeeded-unbounded"):
            free += [x for x in old if x not in free]
        return [x for x in mine if x in self.removed] + free

    def place(self, member, limit=MEMBER_LANES):
        if self.standing.get(member) or member in self.dismissed:
            chosen = self.choose(member, limit)
            self.places.update(chosen)
            self.good |= {r.hash for lane in chosen for r in self.first(lane)}

    def says(self, kind):
        return self.owners.get(kind, [])

    # 3. Groups: the close, the owner's Words, tickets of the owner, admins, their tickets (N7, N29; R2-R6, R11). -----
    def is_live(self, r):
        return self.last is None or r.hash in self.last or self.node[r.hash][1] == self.owner

    def is_open(self, r):
        """Of a dismissed member only what Words name; after a close what it names, but its founder still offers."""
        member = self.node[r.hash][1]
        if member in self.dismissed and r.hash not in self.spared[member] and not broken("dismissed-lanes-grow"):
            return False
        return self.is_live(r) or self.successor is not None and member == self.successor.founder

    def judge_words(self):
        for w in self.says("word"):
            if w.member == self.owner and not broken("owner-not-exempt"):
                continue
            if w.revision == 1 and w.ticket and w.ticket[0] == self.owner and not broken("word-launders"):
                invite = self.rec.get(w.ticket[1])         # a device's own Word stands with the owner's invitation only
                if invite is None or invite.hash not in self.node or not self.is_kept(invite) or (
                        self.node[invite.hash][1] != self.owner and not broken("anybodys-voucher")):
                    continue
                self.vouchers.add(invite.hash)
            self.words.setdefault(w.member, []).append(w)
        for member, words in self.words.items():
            newest = max(words, key=lambda w: (w.revision, w.hash))
            if newest.role == NONE if broken("dismissal-by-revision") else any(w.role == NONE for w in words):
                self.dismissed.add(member)
            self.standing[member] = NONE if member in self.dismissed else min(ADMIN, newest.role)
        self.spared = {m: self.behind((n for w in self.words[m] for n in w.heads), m) for m in self.dismissed}
        self.used = {w.ticket[1:] for ws in self.words.values() for w in ws if w.ticket and not (
            broken("removal-frees-ticket") and w.member in self.dismissed)}

    def proves(self, e):
        invite = self.rec.get(e.ticket[0])
        return invite is not None and invite.kind == "invite" and e.ticket[1] < len(invite.keys) <= TICKETS and (
            e.proof == (invite.keys[e.ticket[1]], invite.hash, e.member) or broken("proof-unchecked"))

    def contest(self, invites):
        """One ticket, one member. A lane claims by what is kept of it; when removed, by what a Remove names."""
        rivals = {}
        for lane, enters in self.enters.items():
            m = lane[1]
            if m == self.owner or m in self.words and not broken("rival-displaces-confirmed") or (
                    lane[0] != m[1] and not broken("any-lane-claims")):
                continue
            live = [r for r in self.first(lane, broken("founder-displaces-claim")) if self.is_live(r)]
            for e in live if not broken("claim-unnamed") else enters:
                if e.kind != "enter" or not e.ticket or e.ticket[0] not in invites or not self.proves(e):
                    continue
                if e.ticket in self.used and not broken("rival-displaces-confirmed") or (
                        broken("claim-falls") and lane in self.removed):
                    continue
                stay = invites[e.ticket[0]]
                if stay is None or (e.ticket[1], m) in stay or broken("revoke-names-keys-only") and any(
                        m == other for _, other in stay):
                    rivals.setdefault(e.ticket, {}).setdefault(m, set()).add(e.hash)
        for ticket, members in rivals.items():
            winner = min(members, key=lambda m: rank(ticket, m))
            if broken("rival-displaces-confirmed"):
                for m in members.keys() - {winner}:
                    self.standing[m] = NONE
            for m in members if broken("ticket-for-many") else [winner]:
                self.standing[m] = max(self.standing.get(m, NONE), self.rec[ticket[0]].role)
                self.claims.add(min(members[m]))

    def judge_tickets(self):
        revoked = {r.target for r in self.says("revoke") if not broken("revoke-ignored")}
        self.open = {i.hash: None for i in self.says("invite") if i.hash not in revoked
                     and VIEWER <= i.role <= ADMIN and 0 < len(i.keys) <= TICKETS}
        self.contest(self.open)
        self.admins = {m for m, role in self.standing.items() if role == ADMIN}
        given = {}
        for m in self.admins:
            self.place(m)
            mine = [r for lane in self.lanes_of.get(m, ()) if lane in self.places and not lane[2]
                    for r in self.first(lane) if self.is_live(r)]
            stays = {}
            for r in mine:
                if r.kind == "revoke":
                    stays.setdefault(r.target, set()).update(r.names if not broken("revoke-names-void") else ())
            total = 0
            for i in sorted((r for r in mine if r.kind == "invite"), key=lambda r: (self.depth[r.hash], r.hash)):
                names = stays.get(i.hash)
                size = len(i.keys) if names is None else len({n for n, _ in names})
                fits = VIEWER <= i.role <= (ADMIN if broken("admins-make-admins") else MEMBER)
                if fits and 0 < len(i.keys) <= TICKETS and (
                        i.hash not in revoked or broken("issuer-widens-revoke") and names is not None) and (
                        total + size <= ADMIN_TICKETS or broken("admin-tickets-unbounded")):
                    total += size
                    given[i.hash] = names
        self.open.update(given)
        self.contest(given)
        for m in self.lanes_of.keys() - self.admins - {self.owner}:
            self.place(m)

    # 4. What counts (N30, N28; R8-R10, R12, R16). --------------------------------------------------------------------
    def keeps(self, member, need):
        return self.behind((n for w in self.words.get(member, ()) if w.keep >= need or broken("keep-ignored")
                            for n in w.heads), member)

    def counts(self, r):
        if r.kind == "genesis":
            return True
        if r.kind == "remove":
            return r in self.removes
        lane = self.node.get(r.hash)
        if lane is None or lane not in self.places or not self.is_kept(r) or not is_row(r) and r.hash not in self.good:
            return r.kind == "rotate" and r.hash in self.rotates
        m, kind = lane[1], r.kind
        if lane[2] and kind not in REPLICAS and not broken("replica-writes"):
            return False
        if kind == "rotate":
            return r.hash in self.rotates
        if self.account:
            return kind in ACCOUNTS
        if m == self.owner:
            return not is_row(r) or self.last is None or r.hash in self.last
        if kind not in NEEDS:
            return False
        if kind == "offer" and self.successor and m == self.successor.founder:
            return self.standing.get(m, NONE) >= VIEWER
        if not self.is_live(r):
            return False
        if kind == "invite":
            return r.hash in self.open
        if self.standing.get(m, NONE) >= (VIEWER if broken("viewer-posts") else NEEDS[kind]):
            return True
        return kind in KEPT and r.hash in self.keeps(m, NEEDS[kind])

    def find_members(self):
        self.rotates = {}
        by_kind = {}
        for name in self.good:
            r = self.rec[name]
            if r.kind != "rotate" and self.counts(r):
                by_kind.setdefault(r.kind, []).append(r)
        left = {self.node[r.hash] for r in by_kind.get("leave", ())}
        if self.account:                           # the lane ends; it stays an endorser
            self.left, self.left_lanes = set(), left
        else:
            self.left, self.left_lanes = {x[1] for x in left} - {self.owner}, set()
        if broken("leave-ignored"):
            self.left, self.left_lanes = set(), set()
        self.ended = {}
        for r in by_kind.get("end", ()) if self.account else ():
            lane = (r.target, self.owner, True)
            if broken("end-any"):
                lane = (r.target, self.owner, False)
            if not broken("end-ignored"):
                self.ended.setdefault(lane, []).append(r)
        lifts = {}
        for r in by_kind.get("unsuspend", ()):
            lifts.setdefault(r.target, set()).add(self.node[r.hash][1])
        self.suspended = {}                        # member: by whom
        for r in by_kind.get("suspend", ()):
            by, lifters = self.node[r.hash][1], lifts.get(r.hash, set())
            lifted = lifters - ({r.member} if not broken("lifts-own-suspension") else set())
            if by == self.owner and not broken("admins-lift-owners"):
                lifted &= {self.owner}
            if not lifted and r.member != self.owner:
                self.suspended.setdefault(r.member, set()).add(by)
        self.members = {m: role for m, role in self.standing.items() if role and m not in self.left}
        self.title = None if self.account else max(self.says("title"), key=lambda r: (r.revision, r.hash), default=None)
        self.lanes = {x for x in self.places if x in self.rooted and x[1] in self.members and x not in self.left_lanes
                      and x not in self.ended and not self.successors(x)}
        self.followers = set()
        if self.successor:
            for r in by_kind.get("offer", ()):
                if r.group == self.successor.group and (
                        self.node[r.hash][1] == self.successor.founder or broken("anybody-offers")):
                    self.followers |= set(r.names) & self.members.keys() if not broken("offer-to-all") else set(r.names)

    def games(self):
        games = {}
        for r in sorted((r for r in self.rec.values() if r.kind == "game" and self.counts(r)), key=lambda r: (
                self.node[r.hash][1] == self.owner and not broken("game-by-revision"), r.revision, r.hash)):
            games[r.target] = r
        return games

    # 5. Roots (N10, N11; R13, R14). ----------------------------------------------------------------------------------
    def judge_rotates(self):
        self.gone = {r.hash for r in self.removes if r.member in self.members or broken("outsiders-rotate")}
        self.gone |= {w.hash for m in self.dismissed for w in self.words[m] if w.role == NONE}
        if not broken("end-needs-no-root"):
            self.gone |= {r.hash for ends in self.ended.values() for r in ends}
        if broken("covers-lanes"):
            self.gone = {(key, r.member) for r in self.removes for key in r.lanes} | {("", m) for m in self.dismissed}
        self.sound = {FIRST: (0, frozenset())}     # name: its number, what it covers with all below it
        mine = [r for r in self.rec.values() if r.kind == "rotate" and r.hash in self.node
                and self.node[r.hash][1] == self.owner and not self.node[r.hash][2]]
        for r in sorted(mine, key=lambda r: (r.number, r.hash)):
            if not r.tips or not all(t in self.sound for t in r.tips):
                continue
            if r.number != 1 + max(self.sound[t][0] for t in r.tips) and not broken("number-free"):
                continue
            below = frozenset().union(*(self.sound[t][1] for t in r.tips))
            if broken("void-if-unheld") and not r.covers <= self.gone:
                continue
            if broken("needs-reason") and len(r.tips) == 1 and not (r.covers & self.gone) - below:
                continue
            self.sound[r.hash] = (r.number, (r.covers & self.gone) | below)
        work = [FIRST, *(r.hash for r in self.says("rotate") if r.hash in self.sound)]
        self.rotates = dict.fromkeys(work)         # those that count: what one that counts goes on from counts too
        while work:
            r = self.rec.get(work.pop())
            for t in r.tips if r and not broken("tip-falls") else ():
                if t not in self.rotates:
                    self.rotates[t] = None
                    work.append(t)

        self.judge_returns()

    def find_fallen(self):
        """The owner's removed lanes, and those that came by one in DEPTH steps at most, each with its Enter."""
        self.fallen = {x: None for x in self.removed if x[1] == self.owner}
        for _ in range(DEPTH if not broken("void-of-removed-alone") else 0):
            new = {}
            for lane in self.enters.keys() - self.fallen.keys():
                by = [e for e in self.enters[lane] if (e.endorser, self.owner, False) in self.fallen
                      and lane[1] == self.owner and self.is_endorsed(e)]
                if by:
                    new[lane] = min(by, key=lambda e: e.hash)
            self.fallen |= new

    def judge_returns(self):
        """Void roots of the owner's removed lanes, and of those that came by such, and all below them, that members
        seal back to those that stand."""
        self.find_fallen()
        self.void = {}                             # those whose tips all count or are void, with their void tips
        for t in sorted(self.sound.keys() - self.rotates.keys(), key=lambda t: (self.sound[t][0], t)):
            tips = [n for n in self.rec[t].tips if n not in self.rotates]
            if self.node[t] in self.fallen and (all(n in self.void for n in tips) or broken("void-on-anything")):
                self.void[t] = tips
        per, counting = {}, {FIRST, *(r.hash for r in self.says("rotate"))}
        seals = [r for r in self.rec.values() if r.kind == "seal" and self.counts(r) and r.target not in counting
                 and self.node[r.hash][1] != self.owner]
        for r in sorted(seals, key=lambda r: (self.depth[r.hash], r.hash)):
            if r.target in self.rotates and broken("returns-again") or (
                    r.target not in self.sound and broken("returns-if-known")):
                continue
            mine = per.setdefault(self.node[r.hash], set())
            if len(mine) < RETURNS or broken("returns-unbounded"):
                mine.add(r.target)
        given = {t for mine in per.values() for t in mine if self.is_void(t)}
        self.ways_back = {n for t in given for n in self.way_and_covered(t)}
        chains = self.below(given)
        held = self.rec.keys()
        if given and not broken("returns-by-refused"):
            held = {r.hash for r in self.stored(with_ways_of_rows=False)}
        self.returned = {t for t in chains if all(n in self.rotates or n in self.void and (
            self.rec[n].covers <= held or broken("returns-cover-unknown")) for n in self.below([t]))}

    def is_void(self, tip):
        """A sound Rotate of a lane of the owner's that was removed, or came by such a one, which none that counts goes
        on from; if it goes on from such and counting ones alone, and its way is no longer than a lane can be."""
        return tip in self.void and (len(self.way(tip)) <= RECORDS or broken("returns-unbounded"))

    def way(self, root):
        void = {t for t in self.below([root]) if t in self.void}
        way, work = self.behind(void), [self.node[t] for t in void]
        while work and not broken("void-way-without-enters"):
            if e := self.fallen[work.pop()]:
                way.add(e.hash)
                work.append((e.endorser, self.owner, False))
        return way

    def way_and_covered(self, root):
        """Its way, and what shows whom it shuts out, though that never counted or does no more: else those who did not
        know of that would wait for it for ever."""
        way = found = self.way(root)
        named = {n for t in self.below([root]) if t in self.void for n in self.rec[t].covers} - self.gone
        if broken("void-way-without-covers"):
            named = ()
        for n in sorted(named)[:COVERS if not broken("void-covers-unbounded") else None]:
            r = self.rec.get(n)
            if r and (r.kind == "remove" or r.kind == "word" and r.role == NONE and n in self.node
                      and self.node[n][1] == self.owner or broken("void-covers-anything")):
                more = ({n} | self.behind([n])) - way
                if len(more) <= BEHIND or broken("void-covers-too-long"):
                    found = found | more
        return found

    def below(self, roots):
        """These roots and all that they go on from."""
        found, work = set(), list(roots)
        while work:
            t = work.pop()
            if t not in found:
                found.add(t)
                work += self.rec[t].tips if t in self.sound and t else ()
        return found

    def tips(self, held):
        """Of the roots held those that none held goes on from; also of such as were held and no longer count."""
        held = {n for n in held if n in self.rotates or n in self.sound and not broken("no-rescue")}
        below = {t for n in held if n for t in self.rec[n].tips}
        return held - below

    def newest(self, held):
        among = self.rotates if broken("newest-unheld") else [n for n in held if n in self.rotates]
        return max(among, key=lambda n: (self.sound[n][0], -n))

    def may_seal(self, tip):
        """Who holds it sees all that it covers as gone: else it might be sealed to whom it shuts out."""
        return tip == FIRST or tip in self.rotates and (self.rec[tip].covers <= self.gone or broken("seal-blind"))

    def due(self, held):
        tips = self.tips(held)
        if broken("due-by-tips") and len(tips) > 1:
            return True
        if not all(map(self.may_seal, tips)) and not broken("unsealable-tips"):
            return True
        return not self.gone <= self.sound[self.newest(held)][1]

    def forgotten(self, tip):
        """No standing lane of the owner made or sealed it, or one that goes on from it."""
        return tip not in self.below(
            r.hash if r.kind == "rotate" else r.target for r in self.rec.values()
            if r.kind in ("rotate", "seal") and self.node.get(r.hash) in self.lanes
            and self.node[r.hash][1] == self.owner)

    def lacks(self, tip, lane):
        """A lane of the owner did not make or seal it, nor one that goes on from it; no other that stands sealed such
        to it; and not enough members have sealed it, of whom some may have sealed something else."""
        known = self.below(
            r.hash if r.kind == "rotate" else r.target for r in self.rec.values()
            if r.kind in ("rotate", "seal") and (by := self.node.get(r.hash)) in self.lanes and by[1] == self.owner
            and (by == lane or r.kind == "seal" and lane in r.to and not self.is_unopened(r, lane)))
        givers = {by[1] for by in self.sealers(tip, lane) if by[1] != self.owner}
        return tip not in known and (len(givers) < GIVERS or broken("given-by-all"))

    def sealers(self, tip, lane, me=None):
        if not hasattr(self, "seals"):
            self.seals = {}
            for r in self.rec.values():
                if r.kind == "seal" and self.counts(r):
                    for x in r.to:
                        by = self.node[r.hash]
                        self.seals.setdefault((r.target, x), {})[by] = self.is_unopened(r, x)
        return [by for by, is_junk in self.seals.get((tip, lane), {}).items() if not is_junk or by == me]

    def is_unopened(self, seal, lane):
        """A lane says that a Seal does not open to it."""
        if not hasattr(self, "unopened"):
            self.unopened = {(n, self.node[r.hash]) for r in self.rec.values() if r.kind == "unopened"
                             and self.counts(r) for n in r.names}
        return (seal.hash, lane) in self.unopened and not broken("junk-serves")

    def served(self, tip, lane, me):
        """A Seal by oneself or by an owner's lane that stands; no other's: it may not open."""
        return any(by == me or broken("any-seal-serves") or by[1] == self.owner and by in self.lanes
                   for by in self.sealers(tip, lane, me if not broken("junk-again") else None))

    # 6. What is shown, what is stored (N12; R7). ---------------------------------------------------------------------
    def shown(self, honest=lambda label: True):
        ok = honest
        return {
            "closed": bool(self.closes), "title": self.title and self.title.label,
            "successor": self.successor and self.successor.label,
            "members": {m: role for m, role in self.members.items() if ok(m[1])},
            "suspended": {m for m, by in self.suspended.items() if ok(m[1]) and any(ok(x[1]) for x in by)},
            "dismissed": {m for m in self.dismissed if ok(m[1])}, "left": {m for m in self.left if ok(m[1])},
            "lanes": {x for x in self.lanes if ok(x[0])},
            "removed": {x for x in self.removed & self.places if ok(x[0])},
            "followers": {m for m in self.followers if ok(m[1])},
            "records": {repr(r) for r in self.rec.values() if ok(r.label) and r.kind in (
                *ROWS, "invite", "suspend", "unsuspend", "word", "title", "close", "end", "leave") and self.counts(r)}}

    def stored(self, with_ways_of_rows=True):
        """What a node keeps; the rest is refused, and looked at again when the ledger has changed. Here a row hangs on
        an Enter, which the node's rows do not."""
        out = set()
        for r in self.rec.values():
            lane = self.node.get(r.hash)
            if r.kind == "genesis":
                out.add(r)
            elif lane in self.places and (self.is_open(r) or broken("closed-lanes-grow")):
                if r.hash in self.good or is_row(r) and self.is_kept(r):
                    out.add(r)
        if not broken("claims-dropped"):
            out |= {self.rec[n] for n in self.claims}
        vouchers = self.vouchers if not broken("vouchers-dropped") else ()
        heads = [n for m, ws in self.words.items() for w in ws for n in w.heads if n in self.node and (
            self.node[n][1] == m or broken("words-hold-others"))]
        heads += [n for r in self.closes for n in r.heads]
        heads += [n for lane in self.removed & self.places for n in self.heads[lane] if self.node.get(n) == lane]
        ways = [*(heads if not broken("ways-to-heads-dropped") else ()), *vouchers, *filter(None, self.rotates), *(
            r.hash for r in out if is_row(r) and with_ways_of_rows)]
        out |= {self.rec[n] for n in self.behind(ways) | self.ways_back}
        work, seen = [*self.places, *(self.node[r.hash] for r in out if r.hash in self.node)], set()
        while work:                                # of each lane how it is rooted, what it succeeds, what succeeds it
            lane = work.pop()
            if lane in seen:
                continue
            seen.add(lane)
            why = []
            if e := self.reason.get(lane) if lane in self.places or not broken("ways-of-placed-alone") else None:
                why += [e, *sorted(self.earlier.get(lane, {}).values(), key=lambda e: e.hash)[:1]]
                work.append((e.endorser, e.member, False))
            if not broken("succession-dropped"):
                why += sorted(self.successors(lane), key=lambda e: e.hash)[:1]
            out |= set(why)
            work += [self.node[e.hash] for e in why]
        here = self.dismissed | {m for m, role in self.standing.items() if role}
        if not broken("removes-of-named-dropped"):         # a Close names lanes of who is a member no longer
            here |= {self.node[r.hash][1] for r in out if r.hash in self.node}
        return out | {r for r in self.removes if r.member in here or broken("outsiders-removes-stored")}


# -------------------------------------------------------------------------------------------------------- devices
IDENTITY = "identity"                              # whom an account's Seals serve besides its lanes


class Device:
    """Honest: it writes what it is asked to; its view decides only on what a device does by itself."""

    def __init__(self, world, key, member, held=(), endorser=None, by_person=False, succeeds=None, ticket=None,
                 replica=False):
        self.w, self.held, self.mark, self.number, self.autos = world, {}, 0, 0, 0
        self.member = member or ("~P" + key if key.startswith("~") else "P" + key, key)
        self.lane, self.key, self.roots = (key, self.member, replica), key, {FIRST}
        self.opened, self.asleep, self.by_words = set(), False, False      # opened: the lanes that it let in
        self.done = made = None
        if endorser or by_person:
            made = endorsement(endorser or self.member[0], key, self.member, replica, succeeds)
        proof = ticket and (world.rec[ticket[0]].keys[ticket[1]], ticket[0], self.member)
        self.take(held)
        self.enter = self.tip = self.rows = world.add(Record(
            key, "enter", key, member=self.member, endorser=endorser, endorsed=made, succeeds=succeeds, ticket=ticket,
            proof=proof, replica=replica))
        self.take([world.rec[self.enter]])

    @property
    def view(self):
        name = len(self.held), self.mark
        if name not in self.w.states:
            self.w.states[name] = State(self.held.values())
        return self.w.states[name]

    def take(self, records):
        for r in records:
            if r.hash not in self.held:
                self.held[r.hash] = r
                self.mark ^= r.hash

    def stands(self):
        return self.lane in self.view.lanes

    def write(self, kind, label=None, key=None, **fields):
        self.number += not label
        row = kind in ROWS
        prev = 0 if key else (self.enter if self.w.account else self.rows) if row else self.tip
        r = Record(key or self.key, kind, label or f"{self.key}:{self.w.clock}:{self.number}", prev=prev, **fields)
        self.w.add(r)
        if row and not key:
            self.rows = r.hash
        elif not key:
            self.tip = r.hash
        self.take([r])
        return r

    def auto(self):
        self.autos += 1
        return f"auto {self.key}:{self.autos}"

    def ends(self, keys, held=None):
        node = self.view.node.keys() if held else {r.hash for r in self.view.stored()} & self.view.node.keys()
        if broken("ends-of-anything"):
            node = self.held
        mine = [r for r in (held or self.held).values() if r.key in keys and r.signer == r.key and r.hash in node]
        inner = {r.prev for r in mine}
        return frozenset(r.hash for r in mine if r.hash not in inner)

    def word(self, member, role, label):
        """By hand: it names what is held of the member, and keeps what counts of it by its role as seen here."""
        keys = {x[0] for x in self.view.enters if x[1] == member}
        before = [w.revision for w in self.view.words.get(member, ()) if w.revision < 1 << 40]
        return self.write("word", label, member=member, role=role, revision=1 + max([1, *before]),
                          keep=self.view.standing.get(member, NONE), heads=self.ends(keys))

    def remove(self, target, label, snap=None, mine=()):
        """The person's signer is here. What had arrived at `snap` stays; in a group what the line invited is cut off.
        `mine`: lanes after the removed one that are honest, since this was copied."""
        snap = dict(snap or self.held)
        keys = self.view.line(target, self.member) - {self.key, *mine}
        children = {r.hash for r in self.held.values() if r.kind == "enter" and r.endorser in keys and r.key not in keys
                    and (r.hash in snap or r.key == self.key or r.key in mine)}
        rows = frozenset(r.hash for r in snap.values() if is_row(r) and r.key in keys)
        self.write("remove", label, key=self.member[0], member=self.member, lanes=frozenset(keys), stays=rows,
                   children=frozenset(children), heads=self.ends(keys, snap))
        if not self.w.account and not broken("no-revoke"):
            for i in [r for r in snap.values() if r.kind == "invite" and r.key in keys]:
                stay = {(e.ticket[1], e.member) for e in snap.values() if e.kind == "enter" and e.ticket
                        and e.ticket[0] == i.hash}
                self.write("revoke", f"{label} {i.label}", target=i.hash, names=frozenset(stay))
        self.react()

    def enter_by_words(self):
        roots, opened = self.roots, self.opened
        self.__init__(self.w, self.w.name("g"), self.member, self.held.values(), by_person=True)
        self.roots, self.opened, self.by_words = roots, opened, True

    def holds(self, root):
        """A root is taken when all that its Rotate covers is seen as gone, and if the tips sealed in it open and fit.
        Who goes on from what it does not understand would seal it, inside its own root, to whom it shuts out."""
        return root == FIRST or (self.view.may_seal(root) or broken("taken-blindly")) and (
            self.view.rec[root].good or broken("tips-unchecked"))

    def is_given_back(self, root):
        """Taken though it is void, so that the owner goes on from it; if it is known whom it shut out."""
        return root in self.view.returned and self.view.rec[root].good

    def may_take(self, root):
        return root in self.view.rotates and self.holds(root) or self.is_given_back(root)

    def opens(self, seal):
        return seal.good and self.lane not in seal.bad

    def junk(self):
        """The Seals to this lane of roots that it lacks which do not open to it, and of which it has not said so."""
        v = self.view
        return frozenset(r.hash for r in v.rec.values() if r.kind == "seal" and self.lane in r.to and v.counts(r)
                         and not self.opens(r) and r.target not in self.roots and self.may_take(r.target)
                         and not v.is_unopened(r, self.lane))

    def learn(self, all_lost=False):
        v, size = self.view, -1
        while size != len(self.roots):
            size = len(self.roots)
            for r in v.rec.values():
                if r.kind == "seal" and (self.lane in r.to or all_lost and IDENTITY in r.to) and v.counts(r) and (
                        self.opens(r) and self.may_take(r.target)):
                    self.roots.add(r.target)
                if r.kind == "rotate" and r.hash in self.roots & v.sound.keys() and r.good and not broken("no-tips"):
                    self.roots |= r.tips

    def react(self, settled=True):
        """What a device does by itself. Before a session is through (not settled) it only seals."""
        if self.done == (self.lane, len(self.held), self.mark, len(self.roots)):
            return
        self.act_by_itself(settled)
        if settled:
            self.done = (self.lane, len(self.held), self.mark, len(self.roots))

    def act_by_itself(self, settled):
        self.learn()
        v = self.view
        if self.lane not in v.lanes or self.lane[2]:
            return
        said = sum(r.kind == "unopened" and v.node.get(r.hash) == self.lane for r in v.rec.values())
        if (junk := self.junk()) and (
                said < UNOPENED or broken("junk-without-end")) and not broken("junk-unsaid"):
            self.write("unopened", self.auto(), names=junk)
        if self.member == v.owner and not v.account and self.w.confirms and settled:
            for m in sorted(v.members.keys() - v.words.keys() - {v.owner}):
                e = next((e for e in v.enters.get((m[1], m, False), ()) if e.ticket and e.ticket[0] in v.open
                          and v.proves(e)), None)
                issuer = e and v.node[e.ticket[0]][1]
                given = {w.ticket for ws in self.view.words.values() for w in ws if w.ticket and w.ticket[0] == issuer}
                if e and (issuer == v.owner or len(given) < ADMIN_TICKETS or broken("confirms-unbounded")):
                    self.write("word", f"auto {self.key} {m[1]} {e.ticket}", member=m, role=v.rec[e.ticket[0]].role,
                               revision=1, ticket=(issuer, *e.ticket))
        v = self.view
        if self.member == v.owner and settled and v.due(self.roots) and not broken("no-rotation"):
            tips = v.tips(self.roots)
            covers = v.gone if not broken("rotate-covers-little") else frozenset(sorted(v.gone, key=str)[:1])
            r = self.write("rotate", self.auto(), number=1 + max(v.sound[t][0] for t in tips), covers=frozenset(covers),
                           tips=frozenset(tips))
            self.roots.add(r.hash)
        v = self.view
        self.w.used.setdefault(self.key, set()).add(v.newest(self.roots))
        if v.account or self.member == v.owner:
            who = set(v.lanes if not broken("seal-to-all") else v.enters)
            who |= {IDENTITY} if v.account and not broken("identity-unsealed") else set()
        else:
            who = self.opened & v.lanes
        owners = set() if v.account or self.member == v.owner or v.closes or broken("not-given-back") else {
            x for x in v.lanes if x[1] == v.owner}
        given = {r.target for r in v.rec.values() if r.kind == "seal" and v.node.get(r.hash) == self.lane
                 and any(x[1] == v.owner for x in r.to if x != IDENTITY)} if owners else set()
        for t in sorted(v.tips(self.roots) if not broken("seal-newest-only") else {v.newest(self.roots)}):
            back = owners if t and owners and v.forgotten(t) else set()
            if t and owners and not back and not broken("given-if-all-forgot") and (
                    len(given) < RETURNS or broken("given-unbounded")):
                back = {x for x in owners if v.lacks(t, x)}
                given |= {t} if back and v.may_seal(t) else set()
            void = v.is_void(t) and not broken("void-not-given-back")
            to = frozenset(x for x in ((who | back) if not void else back) if x != self.lane
                           and not v.served(t, x, self.lane))
            if t and to and (v.may_seal(t) or void):
                self.write("seal", self.auto(), target=t, to=to)

    def hand_over(self, other):
        """In a session: tips that may be sealed, to whoever stands."""
        v = self.view
        if self.lane in v.lanes and other.lane in v.lanes and not self.lane[2]:
            other.roots |= {t for t in v.tips(self.roots) if t in other.view.sound and v.may_seal(t) and other.holds(t)}


# --------------------------------------------------------------------------------------------------------- worlds
class World:
    def __init__(self, seed, account):
        self.seed, self.rng, self.account, self.confirms = seed, random.Random(seed), account, seed % 5 != 4
        self.clock, self.rec, self.count, self.states, self.used, self.fresh = 0, {}, 0, {}, {}, {}
        self.worded = set()                        # members on which an honest device wrote a Word
        self.devices, self.gone_replicas, self.dropped, self.left, self.names = [], [], set(), set(), set()
        self.owner = ("ID", "") if account else ("Pown", self.name("o"))
        genesis = self.add(Record("ID" if account else "Pown", "genesis", "g", account=account, member=self.owner))
        self.devices.append(Device(self, self.owner[1] or self.name("o"), self.owner, [self.rec[genesis]],
                                   by_person=account))

    def name(self, letter):
        self.count += 1
        self.names.add(f"{letter}{self.count}")
        return f"{letter}{self.count}"

    def add(self, r):
        self.rec[r.hash] = r
        return r.hash

    def of(self, member):
        return [d for d in self.devices if d.member == member and not d.lane[2]]

    def pair(self, old, replica=False):
        by_person = not replica and self.rng.random() < .3
        d = Device(self, self.name("r" if replica else "d"), old.member, old.held.values(), by_person=by_person,
                   endorser=None if by_person else old.key, replica=replica)
        return self.join(old, d)

    def join(self, old, d):
        old.take(d.held.values())
        old.opened.add(d.lane)
        if old.stands():
            d.roots |= old.roots
        self.devices.append(d)
        return d

    def afresh(self, old):
        d = Device(self, self.name("f"), old.member, old.held.values(), endorser=old.key, succeeds=old.key)
        d.roots |= old.roots
        d.opened |= old.opened
        self.devices[self.devices.index(old)] = d
        self.fresh[d.key] = old.key
        return d

    def line(self, key):
        return [key] + (self.line(self.fresh[key]) if key in self.fresh else [])

    def invite(self, by, role, keys=2):
        label = f"i{self.clock}.{self.count}"
        i = by.write("invite", label, role=role, keys=tuple(f"t/{label}/{n}" for n in range(keys)))
        return self.join(by, Device(self, self.name("m"), None, by.held.values(), ticket=(i.hash, 0)))

    def found_group(self, members):
        r = self.rng
        for _ in range(members):
            self.invite(r.choice(self.of(self.owner)), r.choice([VIEWER, MEMBER, ADMIN, ADMIN]))
        for m in sorted({d.member for d in self.devices} - {self.owner}):
            for _ in range(r.randint(0, 2)):
                self.pair(r.choice(self.of(m)))

    def act(self, busy=()):
        """One step of an honest history. Nothing that is drawn looks at a view: it is the same without a thief.
        `busy` may neither leave nor be dismissed."""
        r, x = self.rng, self.rng.random()
        self.clock += 1
        d = r.choice([d for d in self.devices if not d.lane[2] and not d.asleep])
        mine = d.member == self.owner
        here = [m for m in sorted({e.member for e in self.devices}) if m not in self.dropped]
        others = [m for m in here if m not in (self.owner, d.member)]
        if x < .28:
            d.write("post")
        elif x < .38 and len(self.of(d.member)) < 4 and d.member in here:
            self.pair(d)
        elif x < .43 and d.member in here:
            self.afresh(d)
        elif x < .46 and d.member not in busy and (len(self.of(d.member)) > 2 if self.account else not mine):
            d.write("leave")
            self.sync(d, r.choice([e for e in self.devices if e.member == self.owner and e is not d]))
            gone = [d] if self.account else self.of(d.member)
            self.devices = [e for e in self.devices if e not in gone]
            self.left |= {d.key if self.account else d.member}
        elif self.account and x < .49 and self.replicas():
            e = r.choice(self.replicas())
            d.write("end", target=e.key)
            self.gone_replicas.append(e)
            self.devices.remove(e)
        elif self.account and x < .52:
            self.pair(d, replica=True)
        elif self.account or x >= .82:
            self.sync(d, r.choice(self.devices), share=r.choice([100, 100, 60]), hand=r.random() < .5)
        elif x < .56 and mine:
            d.write("title", revision=self.clock)
        elif x < .64 and mine and others:
            m = r.choice(others)
            d.word(m, r.choice([VIEWER, MEMBER, ADMIN]), f"role{self.clock}")
            self.worded.add(m)
        elif x < .68 and mine and len(others) > 1:
            m = r.choice(others)
            if m not in busy:
                d.word(m, NONE, f"drop{self.clock}")
                self.dropped.add(m)
                self.worded.add(m)
        elif x < .74 and mine and len(self.devices) < 12:
            self.invite(d, r.choice([MEMBER, ADMIN]))
        elif x < .78 and others:
            d.write("suspend", member=r.choice(others))
        elif x < .80:
            d.write("game", target=r.randint(1, 2), revision=self.clock)
        else:
            self.sync(d, r.choice(self.devices), share=r.choice([100, 100, 60]), hand=r.random() < .5)

    def replicas(self):
        return [d for d in self.devices if d.lane[2]]

    def some(self, records, share):
        """Pieces of a set; which, is the same with and without a thief."""
        if share == 100:
            return records
        return [r for r in records if digest(self.seed, self.clock, r.hash) % 100 < share]

    def sync(self, a, b, share=100, hand=True):
        if a.asleep or b.asleep or a is b:
            return
        if a.lane in b.view.removed or b.lane in a.view.removed:   # what a person signed is taken from anybody
            for x, y in ((a, b), (b, a)):
                if not broken("removed-unheard"):
                    x.take(r for r in list(y.held.values()) if r.kind == "remove")
            a.react(), b.react()
            return
        ours = [*a.held.values()]
        a.take(self.some(b.held.values(), share))
        b.take(self.some(ours, share))
        if hand and share == 100:
            a.learn(), b.learn()
            a.hand_over(b), b.hand_over(a)
        a.react(share == 100), b.react(share == 100)

    def exchange(self, devices, rounds=3, hand=True):
        for _ in range(rounds):
            before = sum(len(d.held) + len(d.roots) for d in devices)
            for n, a in enumerate(devices):
                for b in devices[:n]:
                    self.sync(a, b, hand=hand)
            if before == sum(len(d.held) + len(d.roots) for d in devices):
                break


class Forger:
    """Who writes what it likes: with lanes' keys, lanes entered by these, members by known tickets; perhaps with the
    persons' keys of some members."""

    def __init__(self, world, seed, lanes, know, persons=(), tickets=()):
        self.w, self.rng, self.persons = world, random.Random(seed), set(persons)
        self.lanes, self.know = list(lanes), dict(know)
        self.tickets, self.made, self.number, self.roots = set(tickets), [], 0, {FIRST}

    def act(self):
        e = self.rng
        self.number += 1
        label = f"~{self.number}"
        key, member, enter = e.choice(self.lanes)
        tree = [r for r in self.know.values() if r.key == key and r.kind not in ("genesis", "remove")]
        prev = e.choice(tree).hash if tree else enter
        members = sorted({r.member for r in self.know.values() if r.kind == "enter"})
        keys = sorted({r.key for r in self.know.values() if r.kind == "enter"})
        rotates = [FIRST] + [r.hash for r in self.know.values() if r.kind == "rotate"]
        known = sorted(self.know)
        kind = e.choice((
            "post game word word invite enter enter enter rotate rotate seal unopened revoke title suspend unsuspend "
            "leave close forge sybil flood claim end offer replica person").split())
        out, f = [], {}
        if kind == "word":
            f = dict(member=e.choice(members), role=e.choice([0, 0, 1, 2, 3]), revision=e.choice([1, 2, 9, 1 << 53]),
                     keep=3, heads=frozenset(e.sample(known, min(3, len(known)))))
        elif kind == "invite":
            f = dict(role=e.choice([2, 3]), keys=tuple(f"t/{label}/{n}" for n in range(3)))
        elif kind == "rotate":
            gone = frozenset(r.hash for r in self.know.values() if r.kind == "remove" or (
                r.kind == "word" and not r.role))
            tips = frozenset(e.sample(rotates, min(len(rotates), e.choice([1, 1, 2]))))
            top = max([self.know[t].number for t in tips if t] + [0])
            f = dict(number=e.choice([1 + top, 1 + top, 1 + top, 10**6]), tips=tips, covers=e.choice([
                gone, frozenset([digest("made up", self.number)]), frozenset([(key, member)])]),
                good=e.random() < .7 and tips <= self.roots)
        elif kind == "seal":
            mine = [t for t in rotates if t and t in self.roots]
            to = {self.lane_of(r) for r in self.know.values() if r.kind == "enter"} | {IDENTITY}
            f = dict(target=e.choice(mine or rotates), good=bool(mine) and e.random() < .5, to=frozenset(to),
                     bad=frozenset(x for x in sorted(to, key=str) if e.random() < .3))
        elif kind == "unopened":
            f = dict(names=frozenset(e.sample(known, min(3, len(known)))))
        elif kind in ("revoke", "unsuspend", "end"):
            what = {"revoke": "invite", "unsuspend": "suspend"}.get(kind)
            f = dict(target=e.choice([r.hash for r in self.know.values() if r.kind == what] or [0] if what else keys),
                     names=frozenset((n, e.choice(members)) for n in range(2)))
        elif kind == "title":
            f = dict(revision=1 << 53)
        elif kind == "game":
            f = dict(target=1, revision=e.choice([1, 1 << 53]))
        elif kind in ("suspend", "offer"):
            f = dict(member=e.choice(members), group=e.choice(["new", "other"]), names=frozenset(members))
        elif kind == "close":
            f = dict(heads=frozenset(e.sample(known, min(2, len(known)))), group=e.choice([None, "other"]),
                     founder=member)
        if kind in ("enter", "replica"):
            new = f"~{'r' if kind == 'replica' else 'z'}{self.number}"
            up = e.choice([x for x in self.lanes if x[1] == member])[0]
            succeeds = e.choice([None, up, e.choice(keys)])
            is_replica = kind == "replica" and e.random() < .5
            r = Record(new, "enter", label, member=member, endorser=up, succeeds=succeeds, replica=is_replica,
                       endorsed=endorsement(up, new, member, is_replica, succeeds))
            if kind == "replica":                  # a replica's key is entered as a device
                old = e.choice([x for x in self.know.values() if x.kind == "enter" and x.replica] or [r])
                r = Record(old.key, "enter", label, member=old.member, endorser=up,
                           endorsed=e.choice([old.endorsed, endorsement(up, old.key, old.member)]))
            elif e.random() < .3:                  # a pairing that was honest is said to be a succession
                old = self.know.get(enter)
                r = Record(key, "enter", label, member=member, endorser=old.endorser, endorsed=old.endorsed,
                           succeeds=old.endorser, ticket=old.ticket, proof=old.proof)
            else:
                self.lanes.append((new, member, r.hash))
            out = [r]
        elif kind == "person" and self.persons:
            person = e.choice(sorted(m for m in self.persons if m in members) or [member])
            new = f"~p{self.number}"
            if e.random() < .5:
                out = [Record(new, "enter", label, member=person, endorsed=endorsement(None or person[0], new, person))]
                self.lanes.append((new, person, out[0].hash))
            else:
                out = [Record(person[0], "remove", label, member=person, lanes=frozenset(e.sample(keys, 1)),
                              heads=frozenset(e.sample(known, min(4, len(known)))), children=frozenset(known))]
        elif kind in ("sybil", "claim"):
            mine = {x[0] for x in self.lanes}
            tickets = {(r.hash, n) for r in self.know.values() if r.kind == "invite" for n, k in enumerate(r.keys)
                       if r.key in mine or k in self.tickets}
            if tickets:
                t = e.choice(sorted(tickets))
                new = key if kind == "claim" else f"~s{self.number}"
                m = member if kind == "claim" else ("~P" + new, new)
                proof = self.know[t[0]].keys[t[1]], t[0], m
                if e.random() < .2:                # without the ticket's key
                    t = e.choice(sorted((r.hash, n) for r in self.know.values() if r.kind == "invite"
                                        for n in range(len(r.keys))))
                out = [Record(new, "enter", label, member=m, ticket=t, proof=proof)]
                if kind == "sybil":
                    self.lanes.append((new, m, out[0].hash))
        elif kind == "forge":
            victim = e.choice([r for r in self.know.values() if r.kind in ("post", "enter")])
            out = [Record(victim.key, e.choice(["post", "leave", "word"]), label, signer=key, prev=victim.hash,
                          member=e.choice(members)),
                   Record(e.choice(members)[0], "remove", label + "r", signer=key, lanes=frozenset(keys),
                          member=e.choice(members)),
                   Record(key, "remove", label + "p", lanes=frozenset(keys), member=e.choice(members)),
                   Record(key, "leave", label + "l", prev=victim.hash),
                   Record("~x" + label, "enter", label + "e", member=e.choice(members), endorser=e.choice(keys),
                          endorsed=("no", ())),
                   Record("~Pout", "remove", label + "o", member=("~Pout", "~out"), lanes=frozenset(["~out"])),
                   Record("~out", "enter", "~out", member=("~Pout", "~out"))]
        elif kind == "flood":
            old, many = self.know[enter], range(e.choice([3, RECORDS]))
            out = [Record(key, "seal", f"{label}.{n}", prev=enter) for n in many] if e.random() < .6 else [
                Record(key, "enter", f"{label}.{n}", **{k: x for k, x in vars(old).items() if k not in (
                    "key", "kind", "label", "signer", "hash")}) for n in many]
        elif kind != "person":
            out = [Record(key, kind, label, prev=prev, **f)]
        for r in out:
            self.w.add(r)
            self.know[r.hash] = r
            if r.kind == "rotate":
                self.roots.add(r.hash)
        self.made += out
        return out

    @staticmethod
    def lane_of(enter):
        return enter.key, enter.member, enter.replica

    def learn(self, view):
        """All roots that who holds these keys can derive from the ledger."""
        mine, size = {x[0] for x in self.lanes}, -1
        while size != len(self.roots):
            size = len(self.roots)
            for r in [*self.know.values(), *view.rec.values()]:
                if r.kind == "seal" and r.good and any(x[0] in mine for x in r.to if x != IDENTITY):
                    self.roots.add(r.target)
                if r.kind == "rotate" and r.hash in self.roots and r.good:
                    self.roots |= r.tips


class Theft(World):
    """One history, played with and without a thief who has all secrets of one lane: of an account, or in a group of a
    member, an admin, the owner. Perhaps the lane was copied and its honest device goes on in a fresh start."""

    def __init__(self, seed, thief):
        super().__init__(seed, seed % 2 == 0)
        r, self.T = self.rng, None
        for _ in range(r.randint(1, 3)):
            self.pair(r.choice(self.of(self.owner)))
        if self.account:
            for _ in range(r.randint(0, 2)):
                self.pair(r.choice(self.of(self.owner)), replica=True)
        else:
            self.found_group(r.randint(2, 4))
        for _ in range(r.randint(3, 15)):
            self.act()
        self.exchange(self.devices)
        some = [d for d in self.devices if len(self.of(d.member)) > 1 and d.member not in self.dropped
                and not d.lane[2]]
        if not some:
            return
        T = self.T = r.choice(some)
        self.shared = None
        if not self.account and r.random() < .5:
            self.shared = self.of(self.owner)[0].write("invite", "shared", role=MEMBER, keys=(
                "t/shared/0", "t/shared/1"))
        if r.random() < .8:
            self.exchange(self.devices)
        for d in self.devices:
            d.snap = dict(d.held)
        self.thief = Forger(self, seed + 10**6, [
            (r.key, r.member, r.hash) for r in T.held.values() if r.kind == "enter" and r.key in T.view.line(
                T.key, T.member)], T.held, tickets=("t/shared/0", "t/shared/1"))
        self.thief.roots = set(T.roots)
        if r.random() < .25:
            self.afresh(T).snap = dict(T.held)
        else:
            self.devices.remove(T)
        self.worded = set()
        confirmed = {m for m in T.view.words if not self.account} | {self.owner}
        for _ in range(r.randint(2, 10)):
            self.act(busy=(T.member,))
            if thief:
                for _ in range(self.thief.rng.randint(1, 4)):
                    self.evil()
                if T.member != self.owner:
                    v = self.devices[0].view
                    for m in (confirmed - self.dropped - self.left) & {x[1] for x in v.enters}:
                        assert m in v.members or m == T.member, "Q4 an honest confirmed member was displaced"
        self.removal()

    def evil(self, late=False):
        f = self.thief
        if f.rng.random() < .5:
            f.know.update(f.rng.choice(self.devices).held)
        out = f.act()
        if not late:
            for d in self.devices:
                if f.rng.random() < .5:
                    d.take(out if f.rng.random() < .7 else f.made)
                    d.react(f.rng.random() < .7)

    def removal(self):
        r, T = self.rng, self.T
        if r.random() < .5:
            self.exchange(self.devices)
        mates = self.of(T.member)
        self.removers = []
        for n, d in enumerate(r.sample(mates, min(len(mates), r.choice([1, 1, 2])))):
            self.removers.append(dict(d.snap if hasattr(d, "snap") else self.T.held))
            d.remove(T.key, f"rm{n}", self.removers[-1], mine=self.after(T.key))
        self.exchange(self.devices)
        for d in self.devices:                     # who lost its endorser, or is removed itself, enters again
            if d.lane not in d.view.rooted and d.member == T.member and not d.lane[2]:
                d.enter_by_words()
        self.exchange(self.devices)
        if not self.account:                       # who came since by what the thief handed out: shown and dismissed
            d = next((d for d in self.of(self.owner) if d.stands()), None)
            if d:
                by = {x[0] for x in self.thief.lanes}
                for m, words in sorted(d.view.words.items()):
                    invites = {w.ticket[1] for w in words if w.ticket}
                    if m[1].startswith("~") and any(i in d.held and (d.held[i].key in by or d.held[i] is self.shared)
                                                    for i in invites):
                        d.word(m, NONE, f"auto shut {m[1]}")
        self.exchange(self.devices, 4)


    def after(self, key):
        """Lanes of honest fresh starts since the copy."""
        out = {new for new, old in self.fresh.items() if old == key}
        for new in list(out):
            out |= self.after(new)
        return out


class Apart(World):
    """Devices that meet seldom, in pieces, or sleep; Removes of each other, copies, Ends, dismissals. No thief."""

    def __init__(self, seed):
        super().__init__(seed, seed % 8 == 2)
        r = self.rng
        self.promised, self.out = [], []
        for _ in range(r.randint(2, 5)):
            self.pair(r.choice(self.of(self.owner)))
        if self.account:
            self.pair(r.choice(self.of(self.owner)), replica=True)
        else:
            self.found_group(r.randint(1, 3))
        self.exchange(self.devices)
        removals, sleepy = r.randint(1, 6), r.random() < .4
        for n in range(r.randint(8, 30)):
            live = [d for d in self.devices if not d.lane[2] and not d.asleep]
            if sleepy and n == 2 and len(self.of(self.owner)) > 2:
                r.choice(self.of(self.owner)).asleep = True
            elif r.random() < .3 and removals:
                d = r.choice(live)
                mates = [e for e in self.of(d.member) if e is not d and not e.asleep]
                if mates and d.member not in self.dropped:
                    self.clock += 1
                    removals -= 1
                    other = r.choice(mates)
                    self.remove(d, other)
                    if r.random() < .4:
                        self.remove(other, d)
                    for e in r.sample(live, min(2, len(live))):
                        self.sync(d, e, share=70)
            elif r.random() < .1:
                self.copied(r.choice(live))
            else:
                self.promise(self.act)
        for d in self.devices:
            d.asleep = False
        self.settle()
        if not [d for d in self.of(self.owner) if d.stands()]:     # all shut each other out: the words are left
            held = [r for d in self.devices for r in d.held.values()]
            d = Device(self, self.name("w"), self.owner, held, by_person=True)
            d.by_words = True
            d.learn(all_lost=True)
            self.devices.append(d)
            self.settle()

    def settle(self):
        for n in range(12):
            before = sum(len(d.held) + len(d.roots) for d in self.devices)
            self.exchange(self.devices, 1, hand=n > 1 or self.rng.random() < .5)
            self.rng.shuffle(self.devices)
            if n > 2 and before == sum(len(d.held) + len(d.roots) for d in self.devices):
                break

    def remove(self, d, other):
        if not d.stands():
            return
        rows = [r for r in d.held.values() if r.key == other.key and is_row(r) and d.view.counts(r)]
        d.remove(other.key, f"rm{self.clock} {d.key}")
        assert all(map(d.view.is_kept, rows)), "P9 a Remove voids what it names"
        self.promised += [("remove", r) for r in rows]

    def promise(self, act):
        """A Word must not void the posts that its writer shows."""
        shown = {d: d.view for d in self.of(self.owner)}
        act()
        for d, view in shown.items():
            for w in d.held.values():
                if not self.account and w.hash not in view.rec and w.kind == "word" and w.key == d.key and w.heads:
                    rows = [r for r in view.rec.values() if r.kind == "post" and view.counts(r)
                            and view.node[r.hash][1] == w.member]
                    assert all(map(d.view.counts, rows)), "P9 a Word voids what it names"
                    self.promised += [("word", r) for r in rows]

    def copied(self, d):
        """A backup is restored elsewhere: one lane twice, which forks; both start afresh when they meet."""
        if d.lane[2] or not d.stands():
            return
        copy = Device.__new__(Device)
        copy.__dict__.update(d.__dict__, held=dict(d.held), roots=set(d.roots), opened=set(d.opened))
        copy.number, copy.autos = 100 + d.number, 100 + d.autos
        for e in (d, copy):
            for _ in range(self.rng.randint(0, 2)):
                self.clock += 1
                e.write("post")
            if self.rng.random() < .5:
                e.write("seal", e.auto())
        self.devices.append(copy)
        self.afresh(d), self.afresh(copy)


class Foes(World):
    """A group some of whose members, with their persons' keys, do what they like; the owner acts against one."""

    def __init__(self, seed):
        super().__init__(seed, False)
        r = self.rng
        self.pair(self.devices[0])
        self.found_group(r.randint(2, 4))
        for _ in range(r.randint(5, 20)):
            self.act()
        self.exchange(self.devices)
        members = sorted({d.member for d in self.devices} - {self.owner} - self.dropped)
        self.foes = {m for m in members if r.random() < .5} or set(members[:1])
        self.honest = [d for d in self.devices if d.member not in self.foes]
        bad = [d for d in self.devices if d.member in self.foes]
        self.forger = None
        if bad and self.of(self.owner):
            know = {r.hash: r for d in self.devices for r in d.held.values()}
            self.forger = Forger(self, seed, [(d.key, d.member, d.enter) for d in bad], know, persons=self.foes,
                                 tickets={k for d in bad for r in d.held.values() if r.kind == "invite"
                                          and r.key in {e.key for e in bad} for k in r.keys})
            self.forger.roots = set().union(*(d.roots for d in bad))

    def show(self, records):
        """Each honest device is shown what the foes like, in pieces; then these agree."""
        for d in self.honest:
            d.take(r for r in records if self.forger.rng.random() < .6)
            d.react()
        for d in self.honest:
            d.take(records)
        self.exchange(self.honest, 6, hand=False)


# ----------------------------------------------------------------------------------------------------- properties
def differ(one, two):
    """In words, what two views show differently; empty if nothing."""
    out = []
    for name in one:
        p, q = one[name], two[name]
        if p != q:
            if isinstance(p, dict):
                p, q = set(p.items()), set(q.items())
            out.append(f"{name}: {sorted(map(str, p ^ q))[:3] if isinstance(p, set) else (p, q)}")
    return "; ".join(out)


def is_honest(label):
    return not label.startswith(("~", "auto"))


def check_order(records, view, seed):
    """Q1: any order, and any merge of parts, shows the same."""
    r = random.Random(seed)
    mixed = sorted(records, key=lambda x: x.hash)
    r.shuffle(mixed)
    again = State(mixed)
    assert not (d := differ(again.shown(), view.shown())), f"Q1 order: {d}"
    assert again.rotates.keys() == view.rotates.keys() and again.gone == view.gone, "Q1 order: roots"


def check_agree(devices):
    """Q6: whoever talked to each other shows the same."""
    first = devices[0].view
    for d in devices[1:]:
        assert d.view is first or not (x := differ(first.shown(), d.view.shown())), f"Q6 {d.key} differs: {x}"


def check_roots(w, devices, view, outside):
    """Q5: who stands holds the newest root and all that were in use, from the ledger alone; who is out does not."""
    standing = [d for d in devices if d.lane in view.lanes]
    news = set()
    for d in standing:
        d.learn()
        if not d.lane[2]:
            news.add(view.newest(d.roots))
            assert not view.due(d.roots) or d.member != view.owner, "Q5 a rotation is still due"
    assert len(news) <= 1, "Q5 standing lanes hold different newest roots"
    if not news:
        return
    newest = news.pop()
    assert view.gone <= view.sound[newest][1] or not w.of(w.owner), "Q5 the newest root does not cover all"
    for d in standing:
        used = set().union(set(), *(w.used.get(e.key, set()) for e in standing)) | {newest}
        assert used <= view.rotates.keys(), "Q5 a root that was in use is void"
        assert d.lane[2] or used <= d.roots, "Q5 a root that was in use is lost to a standing lane"
        alone = Device.__new__(Device)
        alone.__dict__.update(d.__dict__, roots={FIRST, *(
            r.hash for r in d.held.values() if r.kind == "rotate" and r.key in w.line(d.key))})
        alone.learn(all_lost=d.by_words)
        if d.by_words and not w.account:           # all the owner's other devices may be gone: a session with a member
            continue
        assert used <= alone.roots, f"Q5 {d.key} cannot derive a root in use from the ledger alone"
    if w.account and standing:                     # all lost: the words and any copy of the ledger
        alone.lane, alone.roots = ("lost", w.owner, False), {FIRST}
        alone.learn(all_lost=True)
        assert used <= alone.roots, "Q5 the words do not open a root in use"
    assert newest not in outside or not view.gone, "Q5 who is out derives the newest root"
    for n in view.rotates:
        assert view.sound[n][0] <= len(view.sound), "Q5 a number of any height"


def outsiders(devices, view):
    """All roots that removed, ended and dismissed devices derive together."""
    out = [d for d in devices if d.lane in view.removed or d.lane in view.ended or d.member in view.dismissed]
    for d in out:
        d.take(view.rec.values())
    known, size = set().union(set(), *(d.roots for d in out)), -1
    while size != len(known):
        size = len(known)
        for d in out:
            d.roots |= known
            for r in view.rec.values():
                if r.kind == "seal" and d.lane in r.to and r.good and not r.label.startswith("~"):
                    d.roots.add(r.target)
                if r.kind == "rotate" and r.hash in d.roots:
                    d.roots |= r.tips
            known |= d.roots
    return known


def check_storing(view):
    """Q7: bounds, and that what is dropped changes nothing, also for nodes that drop as they go."""
    for m in {x[1] for x in view.places}:
        free = [x for x in view.places if x[1] == m and x not in view.removed]
        limit = OWNER_LANES if m == view.owner else MEMBER_LANES
        assert len(free) <= limit * (DEPTH + 1), "Q7 lanes"
        if m not in view.dismissed:
            assert len([x for x in view.lanes if x[1] == m]) <= limit, "Q7 standing lanes"
    per = {}
    for name in view.good:
        per[view.node[name]] = per.get(view.node[name], 0) + 1
    assert all(n <= RECORDS for n in per.values()), "Q7 records of a lane"
    stored = view.stored()
    removes = {}
    for r in stored:
        if r.kind == "remove":
            removes[r.member] = removes.get(r.member, 0) + 1
            assert r.member[0] != "~Pout", "Q7 an outsider's Remove is stored"
    assert all(n <= REMOVES for n in removes.values()), "Q7 Removes of a member"
    enters, begun = {}, view.behind(n for r in stored for n in ([r.hash] if r.kind != "enter" else []) + [*r.heads])
    for r in stored:
        if r.kind == "enter" and r.hash not in begun:
            lane = view.node[r.hash]
            enters[lane] = enters.get(lane, 0) + 1
    assert all(n <= RECORDS + 3 for n in enters.values()), "Q7 Enters of a lane"
    again = State(stored)
    assert not (d := differ(again.shown(), view.shown())), f"Q7 what was dropped matters: {d}"
    assert (again.rotates.keys(), again.gone) == (view.rotates.keys(), view.gone), "Q7 what was dropped matters: roots"
    for m in view.dismissed:
        said = {view.node[n] for x in view.words[m] for n in x.heads if n in view.node}
        assert view.closes or {view.node[r.hash] for r in stored if r.kind != "enter" and view.node.get(
            r.hash, (0, 0))[1] == m} <= said, (
            "Q7 a dismissed member opens lanes")


def check_dropping(records, seed):
    """Q7: nodes that drop as they go end with the same."""
    r = random.Random(seed)
    genesis = [x for x in records if x.kind == "genesis"]
    parts = [genesis + r.sample(records, len(records) // 2) for _ in range(2)]
    goal = {x.hash for x in State([*parts[0], *parts[1]]).stored()}
    nodes = [State(part).stored() for part in parts]
    for _ in range(8):
        nodes = [State({*node, *(x for part in parts for x in part)}).stored() for node in nodes]
    assert all({x.hash for x in node} == goal for node in nodes), "Q7 nodes that drop as they go end unequal"


def check_alone(records, seed):
    """Q7: what is stored says the same without the rest, with whatever part of the records, and with narrow bounds."""
    global OWNER_LANES, MEMBER_LANES, RECORDS, DEPTH, REMOVES
    usual, r = (OWNER_LANES, MEMBER_LANES, RECORDS, DEPTH, REMOVES), random.Random(seed)
    some = [x for x in sorted(records, key=lambda x: x.hash) if x.kind == "genesis" or r.random() < .95]
    try:
        OWNER_LANES, MEMBER_LANES, RECORDS, DEPTH, REMOVES = map(r.choice, (
            (2, 3, 5), (1, 2, 3), (2, 4, 8, 15), (2, 3, 8), (1, 2, 12)))
        view = State(some)
        again = State(view.stored())
        assert not (d := differ(again.shown(), view.shown())), f"Q7 what was dropped matters with narrow bounds: {d}"
        assert again.stored() == view.stored() and (again.rotates.keys(), again.gone) == (
            view.rotates.keys(), view.gone), "Q7 what was dropped matters with narrow bounds"
    finally:
        OWNER_LANES, MEMBER_LANES, RECORDS, DEPTH, REMOVES = usual


def judge_theft(seed):
    a, b = Theft(seed, True), Theft(seed, False)
    if a.T is None or len([d for d in a.devices if d.stands()]) == 0:
        return None
    f, live = a.thief, [d for d in a.devices]
    check_agree(live)
    v = live[0].view
    mixed = list(live[0].held.values())
    check_order(mixed, v, seed)
    lost = set()                                   # heads and `keep` are what was seen, a thief's Words among it
    if a.T.member == a.owner and not a.account:
        lost = {repr(r) for r in v.rec.values() if r.hash in v.node and v.node[r.hash][1] in a.worded}

    def shown(view):
        out = view.shown(is_honest)
        return out | {"records": out["records"] - lost}
    x, y = shown(v), shown(b.devices[0].view)
    assert not (d := differ(x, y)), f"Q2 {d}"
    for d in live:                                 # Q4: nobody honest falls
        if d.member in v.members and len(a.of(d.member)) <= 4:
            assert d.lane in v.lanes or d.lane[2], f"Q4 the honest lane {d.key} does not stand"
    begin = State(a.removers[0].values()) if a.removers else v
    for r in begin.rec.values():
        if r.kind == "post" and r.key in a.names and begin.counts(r):
            m = begin.node[r.hash][1]
            if v.standing.get(m, NONE) >= MEMBER:
                assert v.counts(r), f"Q4 an honest row from before the theft is void: {r}"
    before = set(f.made)
    for _ in range(25):                            # what is handed in later
        a.evil(late=True)
    for m in sorted(a.dropped & v.dismissed):
        for e in [r for r in mixed if r.kind == "enter" and r.member == m]:
            for k in ("post", "invite", "leave", "suspend"):
                f.made.append(Record(e.key, k, f"~late{k}{e.key}", prev=e.hash, keys=("k",), role=2, member=a.owner))
    late = State([*mixed, *f.made])
    assert not (d := differ(shown(late), x)), f"Q2 late: {d}"
    for r in set(f.made) - before:
        if late.counts(r) and r.hash in late.node and r.hash not in v.rec:
            lane = late.node[r.hash]
            assert lane not in late.removed and (a.account or lane[1] not in late.dismissed), (
                f"Q3 something new counts of a removed lane or member: {r}")
    line = {x[0] for x in late.removed}
    for m in late.members.keys() - v.members.keys():
        tickets = [e.ticket for e in late.enters[m[1], m, False] if e.ticket]
        assert not any(i in late.open and late.rec[i].key in line for i, _ in tickets), (
            "Q8 a ticket of the removed lane still admits")
    f.know.update({r.hash: r for r in [*mixed, *f.made]})
    if not [x for x in f.lanes if (x[0], x[1], False) in v.lanes]:
        f.learn(late)
        out = outsiders([*(d for d in live if d.member in a.dropped), *a.gone_replicas], late)
        f.roots |= out
        f.learn(late)
        check_roots(a, live, v, f.roots)
    else:
        check_roots(a, live, v, set())
    for d in live:
        if d.lane in v.lanes and d.member == a.owner and not d.lane[2]:
            assert not late.due(d.roots), "Q5 what is signed later makes a rotation due"
    check_storing(late)
    if seed % 16 < 2:
        check_dropping([*mixed, *f.made], seed)
    return a, [*mixed, *f.made]


def judge_apart(seed):
    w = Apart(seed)
    standing = [d for d in w.devices if d.stands()]
    if not standing:
        return None
    check_agree([d for d in w.devices if d.lane not in standing[0].view.removed])
    v = standing[0].view
    check_order(v.rec.values(), v, seed)
    for reason, r in w.promised:
        lane = v.node.get(r.hash)
        if lane is None:
            continue                               # who promised it was removed before it passed it on
        if reason == "remove":
            assert v.is_kept(r), "P9 a row that a Remove names is void"
        elif lane not in v.removed and lane in v.places:
            assert v.counts(r), "P9 a post that a Word names is void"
    check_roots(w, w.devices, v, outsiders([*w.devices, *w.gone_replicas], v))
    honest = [r for r in v.rotates if r]
    assert len(honest) <= 4 * len(v.gone) + 2 * len(w.devices), "E3 rotations without end"
    check_storing(v)
    return w, list(v.rec.values())


def judge_foes(seed):
    w = Foes(seed)
    f = w.forger
    if f is None:
        return None
    r, owner = w.rng, w.of(w.owner)[0]
    for _ in range(15):
        f.act()
    w.show(f.made)
    begin = owner.view
    members = {m for m in begin.members if m not in w.foes and not m[1].startswith("~")}

    def safe(m):                                   # nobody of the foes can take its ticket
        if m in begin.words or m == w.owner:
            return True
        for e in begin.enters[m[1], m, False]:
            if e.ticket and e.ticket[0] in begin.open and begin.proves(e):
                issuer = begin.node[e.ticket[0]][1]
                if (issuer == w.owner or issuer in begin.words and issuer not in w.foes) and (
                        begin.rec[e.ticket[0]].keys[e.ticket[1]] not in f.tickets):
                    return True
        return False
    members = {m for m in members if safe(m)}
    targets = sorted(w.foes & begin.members.keys() - w.dropped)
    act = r.choice(["dismiss", "demote", "revoke", "close", "suspend", "nothing"])
    target = r.choice(targets) if targets else None
    founder = r.choice([d for d in w.honest if d.member in begin.members and d.stands()] or [owner])
    if act in ("dismiss", "demote", "suspend") and target:
        if act == "suspend":
            owner.write("suspend", member=target)
        else:
            void = [x for x in begin.rec.values() if x.kind in KEPT and begin.node.get(x.hash, (0, 0))[1] == target
                    and not begin.counts(x)]
            owner.word(target, NONE if act == "dismiss" else VIEWER, "deed")
            assert not any(owner.view.counts(x) for x in void), "P2 what was void came back"
    elif act == "revoke":
        for i in [i for i in begin.open if begin.node[i][1] in w.foes]:
            owner.write("revoke", target=i)
    elif act == "close":
        founder.write("offer", group="new", names=frozenset(begin.members))
        w.exchange(w.honest, hand=False)
        owner.write("close", heads=owner.ends({x[0] for x in owner.view.enters}), group="new", founder=founder.member)
    w.exchange(w.honest, hand=False)
    middle, held = owner.view, dict(owner.held)
    f.know.update(held)
    shown = set(f.made)
    tickets = {t for t in middle.open if middle.node[t][1] in w.foes}
    for _ in range(25):
        f.act()
    if middle.successor:
        for key, member, enter in f.lanes:
            f.made.append(Record(key, "offer", f"~offer{key}", prev=enter, group="new",
                                 names=frozenset({*middle.members, *middle.dismissed, ("~Ps", "~s")})))
    made = [x for x in f.made if x not in shown]
    late = State([*held.values(), *made])
    new = {x for x in made if late.counts(x) and x.kind != "remove"}
    by = {x: late.node[x.hash][1] for x in new}
    # P2
    assert not [x for x in new if x.kind in OWNERS], "P2 an owner's act by another"
    assert late.dismissed == middle.dismissed and late.words.keys() == middle.words.keys(), "P2 words by another"
    for m in late.dismissed:
        assert m not in late.members and m not in by.values(), "P2 a dismissed member is back"
    for x in new:
        have = late.standing.get(by[x], NONE)
        assert have >= NEEDS[x.kind] or x.kind == "offer", f"P2 more than its role: {x}"
    if act == "demote" and target:
        assert late.standing[target] <= VIEWER, "P2 a demoted member rose"
    if act == "revoke":
        for m, role in late.standing.items():
            if role and m not in middle.standing and m not in late.words:
                came = {e.ticket[0] for e in late.enters[m[1], m, False] if e.ticket and late.proves(e)}
                assert came & late.open.keys() or not came & tickets, "P2 a revoked invitation admits"
    for i in late.open:
        issuer = late.node[i][1]
        assert late.standing[issuer] >= ADMIN and (issuer == w.owner or late.rec[i].role < ADMIN), (
            "P2 an invitation by no admin")
    for m, role in late.standing.items():
        if role == ADMIN and m not in late.words:
            assert any(e.ticket and late.node[e.ticket[0]][1] == w.owner for e in late.enters[m[1], m, False]
                       if e.ticket and e.ticket[0] in late.node), "P2 an admin not by the owner"
    # P3
    for m in members & middle.members.keys():
        assert late.members.get(m, NONE) >= middle.members[m], "P3 an honest member was displaced"
    for x in middle.rec.values():
        if x.kind == "post" and x.key in w.names and middle.counts(x) and middle.node[x.hash][1] in members:
            assert late.counts(x), "P3 an honest post is void"
    assert w.owner not in late.suspended and late.members[w.owner] == OWNER, "P3 the owner is touched"
    assert late.title == middle.title, "P3 the title"
    for n, game in middle.games().items():
        assert middle.node[game.hash][1] != w.owner or late.games()[n] == game, "P3 the owner's game"
    for x in held.values():
        if x.kind == "suspend" and middle.counts(x) and middle.node[x.hash][1] == w.owner and x.member != w.owner:
            assert x.member in late.suspended or any(
                u.kind == "unsuspend" and u.target == x.hash and late.node.get(u.hash, (0, 0))[1] == w.owner
                for u in held.values()), "P3 the owner's suspension was lifted"
    for m, who in late.suspended.items():
        assert all(late.standing.get(x, NONE) >= ADMIN for x in who), "P3 a suspension without an admin"
    # P4
    loose = {m for m, role in late.standing.items() if role and m not in late.words and m != w.owner}
    claims = {e.ticket for m in loose for e in late.enters[m[1], m, False] if e.ticket and e.ticket[0] in late.open
              and e.proof == (late.rec[e.ticket[0]].keys[e.ticket[1]], e.ticket[0], m)} - late.used
    assert len(loose) <= len(claims), "P4 more members than tickets"
    devices = len(w.of(w.owner))
    for m in w.foes:
        came = {t for ws in late.words.values() for x in ws if x.ticket and x.ticket[0] == m for t in [x.ticket]}
        assert len(came) <= ADMIN_TICKETS * devices, "P4 an admin's tickets without end"
        mine = [len(late.rec[i].keys) if n is None else len({k for k, _ in n}) for i, n in late.open.items()
                if late.node[i][1] == m]
        assert sum(mine) <= ADMIN_TICKETS, "P4 an admin lets in more than its tickets"
    # P6
    if middle.closes:
        assert not new, f"P6 a later record counts after the close: {sorted(map(repr, new))[:3]}"
        for m in (late.members.keys() | middle.members.keys() | late.followers | middle.followers) - w.foes:
            assert late.members.get(m) == middle.members.get(m), "P6 members after the close"
            assert (m in late.followers) == (m in middle.followers), "P6 who follows"
        assert middle.followers == begin.members.keys() & middle.members.keys(), "P6 exactly the members follow"
        for x in middle.rec.values():
            if is_row(x) and x.hash in begin.rec and begin.counts(x) and late.node[x.hash][1] not in w.foes:
                assert late.counts(x), "P6 a named post is void"
        ways = late.behind(n for x in made if x.kind == "remove" for n in x.heads)
        grown = ({x.hash for x in late.stored()} & {x.hash for x in made}) - ways
        assert all(late.rec[n].kind in ("remove", "enter") or late.node[n][1] in (w.owner, founder.member)
                   for n in grown), (
            "P6 a closed lane grows")
    check_roots(w, w.honest, middle, set())        # a foe that stands tells the roots to whom it likes
    for d in w.honest:
        if d.lane in late.lanes and d.member == w.owner:
            news = {late.rec[x].member for x in late.gone - middle.gone}
            assert all(m in w.foes or m in late.members for m in news), "P5 an outsider makes a rotation due"
    check_order([*held.values(), *made], late, seed)
    check_storing(late)
    if seed % 16 == 3:
        check_dropping([*held.values(), *made], seed)
    return w, [*held.values(), *made]


# --------------------------------------------------------------------------------------------------- small cases
class Small:
    """A few records, for what random histories reach seldom."""

    def __init__(self, account=False):
        self.owner = ("ID", "") if account else ("Po", "o")
        self.all = [Record(self.owner[0], "genesis", "g", account=account, member=self.owner)]
        self.o = self.enter("o", by="person" if account else None)

    def enter(self, key, member=None, by=None, replica=False, succeeds=None, ticket=None, label=None, **fields):
        member = member or self.owner
        made = by and endorsement(member[0] if by == "person" else by, key, member, replica, succeeds)
        proof = ticket and (ticket[0].keys[ticket[1]], ticket[0].hash, member)
        return self.put(key, "enter", **{
            "label": label, "member": member, "endorser": None if by == "person" else by, "endorsed": made,
            "replica": replica, "succeeds": succeeds, "ticket": ticket and (ticket[0].hash, ticket[1]), "proof": proof,
            **fields})

    def put(self, key, kind, prev=None, label=None, **fields):
        r = Record(key, kind, label or f"{key}{len(self.all)}", prev=prev.hash if prev else 0, **fields)
        self.all.append(r)
        return r

    def remove(self, key, member=None, heads=(), children=(), **fields):
        member = member or self.owner
        return self.put(member[0], "remove", member=member, lanes=frozenset([key]), heads=names(heads),
                        children=names(children), **fields)

    def word(self, member, role, revision=2, heads=(), prev=None, **fields):
        return self.put("o", "word", prev or self.o, member=member, role=role, revision=revision, heads=names(heads),
                        **fields)

    def member(self, key, role=MEMBER, confirmed=True):
        """By a ticket of the owner's, or at once by its Word."""
        member = ("P" + key, key)
        if confirmed:
            self.word(member, role)
            return member, self.enter(key, member)
        invite = self.put("o", "invite", self.o, role=role, keys=("k" + key,))
        return member, self.enter(key, member, ticket=(invite, 0))

    def flood(self, key, prev, number=2 * RECORDS):
        return [self.put(key, "seal", prev) for _ in range(number)]

    @property
    def view(self):
        return State(self.all)


def names(records):
    return frozenset(r.hash for r in records)


def cases():
    c = Small()                                    # a thief on t invites, the honest o confirms by itself, t is removed
    t = c.enter("t", by="o")
    i = c.put("t", "invite", t, role=ADMIN, keys=("k",))
    sybil = ("Ps", "s")
    c.enter("s", sybil, ticket=(i, 0))
    c.word(sybil, ADMIN, 1, ticket=(c.owner, i.hash, 0))
    c.remove("t", heads=[t])
    assert sybil not in c.view.members, "a sybil stays by the honest device's own Word"

    c = Small()                                    # who issued a ticket enters no lane for the member
    m, me = c.member("m", confirmed=False)
    i = next(r for r in c.all if r.kind == "invite")
    c.enter("bad", m, ticket=(i, 0))
    assert ("bad", m, False) not in c.view.lanes, "a ticket's holder enters a lane for a member"

    m2 = c.enter("m2", m, by="m")                  # the first lane is removed, the member and its next lane stay
    c.remove("m", m, heads=[me], children=[m2])
    assert ("m2", m, False) in c.view.lanes, "a member falls with its first lane"
    i = c.put("o", "invite", c.o, role=ADMIN, keys=("q0", "q1"))
    c.enter("m", m, ticket=(i, 0), label="late")   # what its thief claims afterwards is nothing
    z = c.enter("z", m, by="m", ticket=(i, 1))
    assert c.view.members[m] == MEMBER, "the thief of a removed lane claims another ticket"
    c.all.remove(z)

    c = Small()                                    # another lane than the first claims
    m, me = c.member("m", VIEWER, confirmed=False)
    i = c.put("o", "invite", c.o, role=ADMIN, keys=("q0",))
    c.enter("z", m, by="m", ticket=(i, 0))
    assert c.view.members[m] == VIEWER, "another lane than the first claims a ticket"
    c.remove("m", m, heads=[me])
    assert c.view.members[m] == VIEWER, "a lapsed lane claims a ticket for its member"
    i = c.put("o", "invite", c.o, role=MEMBER, keys=("k",))
    rivals = [c.enter(f"v{n}", (f"Pv{n}", f"v{n}"), ticket=(i, 0)) for n in range(3)]
    c.enter("w", ("Pw", "w"), ticket=(i, 0), proof=("no", i.hash, ("Pw", "w")))
    assert len(c.view.members.keys() & {e.member for e in rivals}) == 1, "one ticket, many members"
    assert ("Pw", "w") not in c.view.members, "a ticket without its key"
    winner = next(e.member for e in rivals if e.member in c.view.members)
    c.word(winner, MEMBER, 1, ticket=(c.owner, i.hash, 0))
    assert not c.view.members.keys() & {e.member for e in rivals if e.member != winner}
    c.word(winner, NONE)
    assert not c.view.members.keys() & {e.member for e in rivals}, "a dismissal frees a used ticket"

    def alone(c, why):                             # what is stored says the same without what is not
        stored = c.view.stored()
        assert State(stored).shown() == c.view.shown() and State(stored).stored() == stored, why

    c = Small()                                    # a member that the close names removes itself, and nothing stays
    m, me = c.member("m", confirmed=False)
    c.put("o", "close", c.o, heads=names([me]))
    c.remove("m", m)
    assert m not in c.view.members
    alone(c, "who removed itself is back where its Remove was refused")

    c = Small()                                    # a Word names another member's lane, which claims too much
    m, me = c.member("m", confirmed=False)
    n, its = c.member("n")
    c.word(n, MEMBER, heads=[its, me])
    low = [r for r in (Record("m", "enter", f"low{x}", member=m) for x in range(9999)) if r.hash < me.hash]
    c.all += low[:RECORDS]
    assert m not in c.view.members and n in c.view.members
    alone(c, "a claim beyond the bound is back where a Word on another names it")

    c = Small()                                    # the successor's founder writes and writes
    m, me = c.member("m", confirmed=False)
    c.put("o", "close", c.o, heads=names([me]), group="new", founder=m)
    low = [r for r in (Record("m", "enter", f"low{x}", member=m) for x in range(9999)) if r.hash < me.hash]
    c.all += low[:RECORDS]
    assert m in c.view.members, "the founder's later records displace its claim"
    alone(c, "the founder's later records displace its claim where they are held")
    c = Small()
    m, i = ("Pm", "m"), c.put("o", "invite", c.o, role=MEMBER, keys=("k",))
    c.put("o", "close", c.o, group="new", founder=m)
    c.enter("m", m, ticket=(i, 0))
    assert m not in c.view.members, "the founder comes after the close"

    c = Small()                                    # the lane that claims has no place any more
    m, me = c.member("m", confirmed=False)
    for n in range(MEMBER_LANES):
        c.enter(f"p{n}", m, by="person")
    assert m in c.view.members and ("m", m, False) not in c.view.places
    alone(c, "who came by a ticket is out where its first lane is refused")

    for flood in False, True:                      # the lane that invited has no place any more, or wrote too much
        c = Small()
        t = c.enter("a", by="o")
        t = c.enter("t", by="a")
        i = c.put("t", "invite", c.put("t", "seal", t), role=MEMBER, keys=("k",))
        m = ("Pm", "m")
        c.enter("m", m, ticket=(i, 0))
        c.word(m, MEMBER, 1, ticket=(c.owner, i.hash, 0))
        if flood:
            c.flood("t", t)
        else:
            for n in range(OWNER_LANES - 1):
                c.enter(f"p{n}", by="person")
        assert m in c.view.members and i.hash not in c.view.good
        alone(c, "a member is out where its invitation is refused")

    c = Small()                                    # a lane is here for its Rotate alone, and is succeeded
    c.enter("d", by="person")
    f = c.enter("f", by="d", succeeds="d")
    root = c.put("f", "rotate", f, number=1, tips=frozenset([FIRST]))
    c.put("o", "rotate", c.o, number=2, tips=frozenset([root.hash]))
    c.enter("g", by="f", succeeds="f")
    for n in range(OWNER_LANES - 1):
        c.enter(f"a{n}", by="person")
    assert root.hash in c.view.rotates and not {("f", c.owner, False), ("g", c.owner, False)} & c.view.places
    alone(c, "how a lane came that has no place is stored by who holds more")

    c = Small()                                    # a Word names an invitation that is another member's
    m, me = c.member("m")
    i = c.put("m", "invite", me, role=MEMBER, keys=("k",))
    c.word(("Pn", "n"), MEMBER, 1, ticket=(c.owner, i.hash, 0))
    assert ("Pn", "n") not in c.view.words, "a Word stands with another's invitation as if the owner's"

    c = Small()                                    # a dismissal is for ever
    m, me = c.member("m")
    c.word(m, NONE, 3)
    c.word(m, MEMBER, 4)
    assert m not in c.view.members, "a dismissed member is back"
    c.enter("n", m, by="person")
    assert ("n", m, False) not in c.view.places, "a dismissed member opens lanes"

    c = Small()                                    # floods of lanes, of such as were succeeded, by a member's lane
    m, me = c.member("m")
    zz = c.enter("zz", m, by="m")
    post = c.put("zz", "post", zz)
    c.word(m, MEMBER, 3, [post])
    many = [c.enter(f"f{n}", m, by="m") for n in range(40)]
    for e in many[:20]:
        c.enter(f"x{e.key}", m, by=e.key, succeeds=e.key)
    view = c.view
    assert len([x for x in view.places if x[1] == m]) <= 2 * MEMBER_LANES, "lanes of a member"
    assert len([x for x in view.lanes if x[1] == m]) <= MEMBER_LANES, "standing lanes of a member"
    assert view.counts(post), "a post that a Word names loses its place"
    c.enter("zw", m, by="person")
    assert ("zw", m, False) in c.view.lanes, "who enters by the words has no place"

    c = Small()                                    # one lane after another, and a lane that many say to succeed
    m, me = c.member("m")
    last = "m"
    for n in range(DEPTH):
        c.enter(f"s{n}", m, by=last, succeeds=last)
        last = f"s{n}"
    for n in range(MEMBER_LANES - 1):
        c.enter(f"t{n}", m, by="person")
    assert (last, m, False) in c.view.places, "succeeded lanes take places"
    post = c.put("m", "post", me)
    assert c.view.counts(post), "what a device wrote before its fresh start is void"

    c = Small()                                    # a lane of the way is succeeded by one that has no place
    m, me = c.member("m")
    c.enter("a", m, by="m")
    c.enter("zb", m, by="a", succeeds="a")
    for n in range(MEMBER_LANES):
        c.enter(f"x{n}", m, by="a")
    assert State(c.view.stored()).lanes == c.view.lanes, "what shows that a lane is succeeded is dropped"

    c = Small()                                    # two Removes, each names what the other does not know
    m, me = c.member("m")
    p, q = c.put("m", "post", me), c.put("m", "post", me)
    c.remove("m", m, heads=[p])
    c.remove("m", m, heads=[q])
    assert c.view.counts(p) and c.view.counts(q), "of two Removes each names"

    c = Small(account=True)                        # z says to come after zz, who did not say so
    t = c.enter("t", by="o")
    c.enter("zz", by="o")
    c.enter("z", by="t", succeeds="zz")
    assert ("zz", c.owner, False) in c.view.lanes, "a lane falls that another says to have succeeded"
    kid, flood = c.enter("kid", by="t"), [c.enter(f"a{n}", by="t") for n in range(20)]
    c.remove("t", heads=[t], children=[kid])
    assert ("kid", c.owner, False) in c.view.lanes, "a sibling stays out after the Remove"
    assert not any((e.key, c.owner, False) in c.view.lanes for e in flood), "hidden children stand"

    c = Small(account=True)                        # an endorsement for a replica makes no device; End ends no device
    r = c.enter("r", by="o", replica=True)
    c.enter("r", endorser="o", endorsed=r.endorsed, label="again")
    assert ("r", c.owner, False) not in c.view.lanes, "a replica is a device"
    row = c.put("r", "post", r)
    end = c.put("r", "end", r, target="o")
    assert not c.view.counts(row) and not c.view.counts(end), "a replica writes"
    d = c.enter("d", by="o")
    c.put("d", "end", d, target="o")
    assert ("o", c.owner, False) in c.view.lanes, "a device is ended"
    c.put("o", "end", c.o, target="r")
    assert ("r", c.owner, True) not in c.view.lanes, "an ended replica stands"
    assert c.view.due({FIRST}), "an ended replica knows the newest root"
    c.put("d", "leave", d)
    e = c.enter("e", by="d")
    assert ("d", c.owner, False) not in c.view.lanes and (e.key, c.owner, False) in c.view.lanes, "a lane that left"

    c = Small(account=True)                        # a child is an Enter, not a key
    t = c.enter("t", by="o")
    r = c.enter("r", by="t", replica=True)
    c.enter("r", by="t", label="as a device")
    c.remove("t", heads=[t], children=[r])
    stand = {x for x in c.view.lanes if x[0] == "r"}
    assert stand == {("r", c.owner, True)}, "another Enter than the named one is a child"

    c = Small()                                    # bounds of a removed lane, of a dismissed member, after a close
    t = c.enter("t", by="o")
    i = c.put("t", "invite", t, role=MEMBER, keys=("k",))
    j = c.put("t", "title", i, revision=1)
    c.flood("t", t)
    c.remove("t", heads=[j])
    assert c.view.counts(j), "a flood pushes out what the Remove names"
    m, me = c.member("m", ADMIN)
    s = c.put("o", "suspend", c.o, member=("Px", "x"))
    u = c.put("m", "unsuspend", me, target=s.hash)
    v = c.put("m", "unsuspend", u, target=s.hash)
    flood = c.flood("m", me)
    c.word(m, NONE, 5, [v], keep=ADMIN)
    view = c.view
    assert view.counts(v), "a flood pushes out what the Word names"
    assert not names(flood) & names(view.stored()), "a dismissed member's lane grows"

    c = Small()                                    # keep
    m, me = c.member("m")
    p = c.put("m", "post", me)
    c.word(m, VIEWER, 3, [p], keep=MEMBER)
    q = c.put("m", "post", p)
    c.word(m, NONE, 4, [q], keep=VIEWER)
    assert c.view.counts(p) and not c.view.counts(q), "a demoted member's later posts are kept"
    assert c.view.used == set() and c.view.standing[m] == NONE, "a dismissed member"

    c = Small()                                    # seed 3101: a Word's head is a post that the Remove did not name
    m, me = c.member("m")
    d = c.enter("d", m, by="m")
    p = c.put("d", "post", d)
    evil = c.put("d", "post", p)
    c.word(m, VIEWER, 3, [evil], keep=MEMBER)
    c.remove("d", m, heads=[p])
    assert c.view.counts(p) and State(c.view.stored()).counts(p), "an honest post falls with the way of a Word's head"

    c = Small()                                    # two chains
    m, me = c.member("m")
    post = c.put("m", "post", c.put("m", "seal", me))
    assert not c.view.counts(post), "a row hangs on a ledger record"

    c = Small()                                    # an admin's tickets, revocations
    m, me = c.member("m", ADMIN)
    prev, many = me, []
    for n in range(3):
        prev = c.put("m", "invite", prev, role=MEMBER, keys=tuple(f"k{n}{k}" for k in range(TICKETS)))
        many.append(prev)
    c.put("m", "invite", me, role=ADMIN, keys=("ka",))
    assert len(c.view.open) == 2, "an admin's tickets have no end"
    assert not any(c.view.rec[i].role == ADMIN for i in c.view.open), "an admin makes admins"
    one, two = ("P1", "1"), ("P2", "2")
    c.enter("1", one, ticket=(many[0], 0))
    c.enter("2", two, ticket=(many[0], 1))
    r = c.put("m", "revoke", prev, target=many[0].hash, names=frozenset([(0, one), (1, one)]))
    assert one in c.view.members and two not in c.view.members, "an issuer's Revoke"
    assert many[2].hash not in c.view.open, "a revoked invitation frees more tickets than it should"
    other = c.put("o", "revoke", c.o, target=many[0].hash)
    assert one not in c.view.members, "the issuer widens the owner's Revoke"
    c.all.remove(other)
    c.all.remove(r)
    c.put("m", "revoke", prev, target=many[0].hash, names=frozenset([(0, one), (1, two)]))
    for n in range(8):
        c.enter(f"v{n}", (f"Pv{n}", f"v{n}"), ticket=(many[0], 0))
    c.enter("1", one, ticket=(many[0], 1))
    c.enter("2", two, ticket=(many[0], 0))
    assert {one, two} <= c.view.members.keys(), "a rival takes a ticket whose holder was named"

    c = Small()                                    # a member that the limit of one issuer's tickets shuts out of Words
    w = World(1, False)
    o = w.devices[0]
    admin = w.invite(o, ADMIN)
    o.react()
    made, prev = [], w.rec[admin.enter]
    for turn in range(3):
        key = "mnq"[turn] + "x"
        e = Record(key, "enter", key, member=admin.member, endorsed=endorsement(admin.member[0], key, admin.member))
        made += [e] + [Record(admin.member[0], "remove", f"r{turn}", member=admin.member, lanes=frozenset(
            ["mx", "nx", admin.key][:turn] + [admin.key]))]
        for n in range(2):
            i = Record(key, "invite", f"i{turn}{n}", prev=e.hash, role=MEMBER, keys=("k0", "k1", "k2"))
            made.append(i)
            for k in range(3):
                who = (f"Ps{turn}{n}{k}", f"s{turn}{n}{k}")
                made.append(Record(who[1], "enter", who[1], member=who, ticket=(i.hash, k),
                                   proof=(f"k{k}", i.hash, who)))
        o.take(made)
        o.react()
    given = {x.ticket for words in o.view.words.values() for x in words if x.ticket and x.ticket[0] == admin.member}
    assert len(given) <= ADMIN_TICKETS, "an admin has ever more members confirmed"

    c = Small()                                    # games, suspensions
    m, me = c.member("m", ADMIN)
    n, ne = c.member("n", ADMIN)
    g = c.put("o", "game", c.o, target=1, revision=1)
    c.put("m", "game", me, target=1, revision=9)
    assert c.view.games()[1] == g, "an admin changes the owner's game"
    s = c.put("m", "suspend", me, member=n)
    c.put("n", "unsuspend", ne, target=s.hash)
    assert n in c.view.suspended, "lifted its own suspension"
    s = c.put("o", "suspend", c.o, member=m)
    c.put("n", "unsuspend", ne, target=s.hash)
    assert m in c.view.suspended, "the owner's suspension was lifted"

    c = Small()                                    # the close, the successor, leaving
    m, me = c.member("m")
    n, ne = c.member("n", confirmed=False)
    i = c.put("o", "invite", c.o, role=MEMBER, keys=("late",))
    post = c.put("n", "post", ne)
    c.put("n", "offer", ne, group="new", names=frozenset([("Px", "x"), m, n]))
    k, ke = c.member("k")
    offer = c.put("m", "offer", me, group="new", names=frozenset([m, k]))
    close = c.put("o", "close", c.o, group="new", founder=n, heads=names([post, offer, ke]))
    late, more = c.enter("late", ("Pl", "late"), ticket=(i, 0)), c.put("n", "post", post)
    grown = c.put("m", "post", me)
    view = c.view
    assert view.counts(post) and not view.counts(more), "after the close"
    assert ("Pl", "late") not in view.members and late not in view.stored(), "members after the close"
    assert view.followers == {m, n}, "who follows"
    assert grown not in view.stored(), "a closed lane grows"
    c.put("o", "close", c.o, group="new", founder=n, heads=names([more]))
    assert c.view.counts(post) and c.view.counts(more), "of two Closes each names"
    c.put("n", "offer", more, group="new", names=frozenset([m]))
    c = Small()
    m, me = c.member("m")
    post = c.put("m", "post", me)
    c.put("m", "leave", me)
    assert m not in c.view.members and c.view.counts(post), "who leaves"
    c.put("o", "leave", c.o)
    c.word(c.owner, NONE)
    assert c.view.members[c.owner] == OWNER, "the owner is touched"

    c = Small(account=True)                        # roots
    ro = c.put("o", "rotate", c.o, number=9, tips=frozenset([FIRST]))
    assert ro.hash not in c.view.rotates, "a number of any height"
    c = Small()
    m, me = c.member("m")
    r = c.put("o", "rotate", c.o, number=1, tips=frozenset([FIRST]))
    c.put("m", "seal", me, target=r.hash, to=frozenset([("o", c.owner, False)]))
    assert not c.view.served(r.hash, ("o", c.owner, False), None), "a member's Seal, which may not open, serves"
    cover = c.put("o", "rotate", c.o, number=1, tips=frozenset([FIRST]), covers=frozenset([1234]))
    view = c.view
    assert not view.may_seal(cover.hash) and view.due({FIRST, cover.hash}), "it covers what is not held"
    c.all.append(Record("~Pout", "remove", "out", member=("~Pout", "~out"), lanes=frozenset(["~out"])))
    assert not c.view.due({FIRST, r.hash}), "an outsider makes a rotation due"
    for n in range(2 * REMOVES):
        c.remove(f"no{n}", m)
    assert len(c.view.stored()) < len(c.all) - REMOVES + 1, "Removes without end"

    w = World(0, True)                             # a fresh start's old lane is removed with it
    a, b = w.devices[0], w.pair(w.devices[0])
    f = w.afresh(b)
    w.exchange(w.devices)
    a.remove(f.key, "rm")
    assert (b.key, w.owner, False) not in a.view.lanes | a.view.rooted.keys(), "the lane before a fresh start stays"
    w = World(0, True)                             # rescue of a root that only b had of the thief
    a = w.devices[0]
    b, t = w.pair(a), w.pair(a)
    w.exchange(w.devices)
    root = t.write("rotate", "auto", number=1, tips=frozenset([FIRST]))
    t.write("seal", "auto", target=root.hash, to=frozenset([b.lane]))
    b.take(t.held.values())
    b.learn()
    a.remove(t.key, "rm")
    assert root.hash not in a.view.rotates and root.hash in b.roots
    b.take(a.held.values())
    b.react()
    a.take(b.held.values())
    assert root.hash in a.view.rotates, "a root that was in use is void"
    a.react()
    assert root.hash in a.roots and not a.view.due(a.roots) | b.view.due(b.roots), "a root that was in use is lost"

    w = World(0, True)                             # a Rotate and its Seal come without the Remove that they cover
    a, b = w.devices[0], w.pair(w.devices[0])
    x = w.pair(a)
    w.exchange(w.devices)
    a.remove(x.key, "rm")
    b.take(r for r in a.held.values() if r.kind != "remove")
    b.react()
    x.take(b.held.values())
    x.learn()
    assert x.roots == b.roots == {FIRST}, "a root is sealed on to whom it shuts out"
    b.remove(a.key, "rm2")                         # what the person signed is taken from whom it removed
    w.sync(a, b)
    assert x.lane in b.view.removed, "a Remove does not leave the device that is removed"

    w = World(0, True)                             # a thief joins two roots, and its join does not open to them
    a, b = w.devices[0], w.pair(w.devices[0])
    t = w.pair(a)
    w.exchange(w.devices)
    tips = frozenset(d.write("rotate", "auto", number=1, tips=frozenset([FIRST])).hash for d in (a, b))
    t.take([*a.held.values(), *b.held.values()])
    join = t.write("rotate", "auto", number=2, tips=tips, good=False)
    t.write("seal", "auto", target=join.hash, to=frozenset([a.lane, b.lane]))
    a.roots |= tips
    a.take(t.held.values())
    a.react()
    d = w.pair(b)
    d.roots = {FIRST}
    d.take(a.held.values())
    a.take(d.held.values())
    a.react()
    d.take(a.held.values())
    d.learn()
    assert tips <= d.roots, "a root is lost to who enters later"

    w = World(0, True)                             # a thief seals a root rightly to one device, and junk to another
    a, b = w.devices[0], w.pair(w.devices[0])
    t = w.pair(a)
    w.exchange(w.devices)
    root = t.write("rotate", "auto", number=1, tips=frozenset([FIRST]))
    t.write("seal", "auto", target=root.hash, to=frozenset([a.lane, b.lane]), bad=frozenset([b.lane]))
    for _ in range(3):
        a.take([*t.held.values(), *b.held.values()])
        a.react()
        b.take(a.held.values())
        b.react()
    assert root.hash in a.roots & b.roots, "who is sealed junk cannot read what the others write"
    for n in range(2 * UNOPENED):                  # nobody writes without end, and nobody is made to
        root = t.write("rotate", f"auto{n}", number=root.number + 1, tips=frozenset([root.hash]))
        t.write("seal", f"auto{n}", target=root.hash, to=frozenset([b.lane]), good=False)
        b.take(t.held.values())
        b.react()
    assert sum(r.kind == "unopened" for r in b.held.values()) <= UNOPENED, "what does not open is said without end"
    for _ in range(3):
        t.write("unopened", names=frozenset(r.hash for r in a.held.values() if r.kind == "seal"))
        a.take(t.held.values())
        a.react()
    seals = [(r.target, x) for r in a.held.values() if r.kind == "seal" and r.key == a.key for x in r.to]
    assert len(seals) == len(set(seals)), "a device seals to one again and again"

    w = World(1, False)                            # the owner's only device comes back from an old copy
    o, m = w.devices[0], w.invite(w.devices[0], MEMBER)
    root = o.write("rotate", "auto", number=1, tips=frozenset([FIRST]))
    o.roots.add(root.hash)
    m.take(o.held.values())
    o.take(m.held.values())
    o.react()
    m.take(o.held.values())
    m.react()
    assert root.hash in m.roots and len(m.held) == len(o.held), "who made a root is given it"
    n = w.afresh(o)
    n.roots = {FIRST}
    for _ in range(2):
        m.take(n.held.values())
        m.react()
        n.take(m.held.values())
        n.react()
    assert root.hash in n.roots, "a root that the owner's devices forgot is lost to them"
    assert len(m.held) == len(n.held), "it is given back again"
    assert not m.view.forgotten(root.hash) | n.view.forgotten(root.hash), "the owner's device has it"

    w = World(1, False)                            # who has a root is gone, and the owner's other device forgot it
    o = w.devices[0]
    p, ms = w.pair(o), [w.invite(o, MEMBER) for _ in range(GIVERS + 2)]
    made = []
    for _ in range(RETURNS + 1):
        made.append(p.write("rotate", number=1, tips=frozenset([FIRST])))
        p.write("seal", target=made[-1].hash, to=frozenset(m.lane for m in ms))
        for m in ms:
            m.take(p.held.values())
            m.learn()
    o.roots = {FIRST}
    for m in ms:
        for _ in range(2):
            m.take(o.held.values())
            m.react()
            o.take(m.held.values())
            o.learn()
    assert len(o.roots) > RETURNS, "a root that one of the owner's devices lacks is lost with the other"
    seals = [r for r in o.held.values() if r.kind == "seal" and r.signer in {m.key for m in ms}]
    for t in made:
        assert sum(r.target == t.hash for r in seals) <= GIVERS, "all members give back what one of them gave"
    for m in ms:
        assert sum(r.signer == m.key for r in seals) <= RETURNS, "roots are given back without end"

    w = World(1, False)                            # a root of a removed device that only a member had of it
    o = w.devices[0]
    t, m = w.pair(o), w.invite(o, MEMBER)
    t.roots = {FIRST}
    w.exchange(w.devices)
    root = t.write("rotate", "auto", number=1, tips=frozenset([FIRST]))
    t.write("seal", "auto", target=root.hash, to=frozenset([m.lane]))
    m.take(t.held.values())
    m.learn()
    o.remove(t.key, "rm")
    assert root.hash in m.roots and root.hash not in o.view.rotates
    w.exchange([o, m], hand=False)
    assert root.hash in o.roots & o.view.rotates.keys(), "a void root under which members wrote is lost to the owner"
    assert not o.view.due(o.roots) and o.view.newest(o.roots) in m.roots

    c = Small()                                    # a member gives back what a thief on t made, without end
    m, me = c.member("m")
    t = c.enter("t", by="o")
    made = [c.put("t", "rotate", t, number=1, tips=frozenset([FIRST])) for _ in range(RETURNS + 3)]
    c.remove("t", heads=[t])
    for r in made:
        c.put("m", "seal", me, target=r.hash, to=frozenset([("o", c.owner, False)]))
    assert len(c.view.returned - {FIRST}) == RETURNS, "roots are given back without end"
    c = Small()
    m, me = c.member("m")
    t = c.enter("t", by="o")
    root = c.put("t", "rotate", t, number=1, tips=frozenset([FIRST]), covers=frozenset([1234]))
    c.remove("t", heads=[t])
    c.put("m", "seal", me, target=root.hash, to=frozenset([("o", c.owner, False)]))
    assert root in c.view.stored() and root.hash not in c.view.returned, "a root comes back before who is shut out"
    c = Small()
    m, me = c.member("m")
    t = last = c.enter("t", by="o")
    for _ in range(RECORDS + 1):
        last = c.put("t", "seal", last)
    late = c.put("t", "rotate", last, number=1, tips=frozenset([FIRST]))
    c.remove("t", heads=[t])
    c.put("m", "seal", me, target=late.hash, to=frozenset([("o", c.owner, False)]))
    assert late.hash not in c.view.returned and late not in c.view.stored(), "a removed lane grows without end"

    w = World(1, False)                            # and of one that came by a removed device, as its fresh start
    o = w.devices[0]
    t, m = w.pair(o), w.invite(o, MEMBER)
    t.roots = {FIRST}
    w.exchange(w.devices)
    f = w.afresh(t)
    root = f.write("rotate", "auto", number=1, tips=frozenset([FIRST]))
    f.write("seal", "auto", target=root.hash, to=frozenset([m.lane]))
    m.take(f.held.values())
    m.learn()
    o.remove(t.key, "rm")
    assert root.hash in m.roots and root.hash not in o.view.rotates
    w.exchange([o, m], hand=False)
    assert root.hash in o.roots & o.view.rotates.keys(), "a root of who came by a removed device is lost to the owner"
    assert not o.view.due(o.roots) and o.view.newest(o.roots) in m.roots

    c = Small()                                    # it came by the second lane from the removed one
    m, me = c.member("m")
    t, q = c.enter("t", by="o"), c.enter("q", by="t")
    q2, p = c.enter("q", by="t", label="again"), c.enter("p", by="q")
    root = c.put("p", "rotate", p, number=1, tips=frozenset([FIRST]))
    c.remove("t", heads=[t])
    c.put("m", "seal", me, target=root.hash, to=frozenset([("o", c.owner, False)]))
    assert c.view.returned == {FIRST, root.hash}, "a root of who came by a removed device stays away"
    assert {q, q2} & c.view.stored() == {min(q, q2, key=lambda r: r.hash)}, "how it came is not stored, or twice"
    assert State(c.view.stored()).stored() == c.view.stored()
    c = Small()                                    # a lane of nobody's made the root below a void one
    m, me = c.member("m")
    t = c.enter("t", by="o")
    q = c.enter("q", by="x")
    low = c.put("q", "rotate", q, number=1, tips=frozenset([FIRST]))
    high = c.put("t", "rotate", t, number=2, tips=frozenset([low.hash]))
    c.remove("t", heads=[t])
    for r in low, high:
        me = c.put("m", "seal", me, target=r.hash, to=frozenset([("o", c.owner, False)]))
    assert low not in c.view.stored() and low.hash not in c.view.returned, "a root of nobody's comes back"
    assert State(c.view.stored()).stored() == c.view.stored(), "what is stored depends on what is refused"
    c = Small()                                    # one is gone on from, and the member gives the next back
    m, me = c.member("m")
    t = c.enter("t", by="o")
    made = [c.put("t", "rotate", t, number=1, tips=frozenset([FIRST])) for _ in range(RETURNS + 1)]
    c.remove("t", heads=[t])
    last = c.enter("p", by="o")
    for r in made:
        me = c.put("m", "seal", me, target=r.hash, to=frozenset([("o", c.owner, False)]))
        if r.hash in c.view.returned:
            last = c.put("p", "rotate", last, number=2, tips=frozenset([r.hash]))
    assert made[0].hash in c.view.rotates and made[-1].hash not in c.view.rotates, "one member asks for endless roots"
    c = Small()                                    # a root covers what is refused, or nobody has
    m, me = c.member("m")
    t = c.enter("t", by="o")
    x = c.put("x", "enter", member=("Px", "x"))
    root = c.put("t", "rotate", t, number=1, tips=frozenset([FIRST]), covers=frozenset([x.hash]))
    c.remove("t", heads=[t])
    for target in (*range(RETURNS), root.hash):
        me = c.put("m", "seal", me, target=target + 4321 * (target < RETURNS), to=frozenset([("o", c.owner, False)]))
    assert root not in c.view.stored(), "it matters who knows what a member gives back"
    n, me = c.member("n")
    c.put("n", "seal", me, target=root.hash, to=frozenset([("o", c.owner, False)]))
    assert x not in c.view.stored() and root in c.view.stored()
    assert root.hash not in c.view.returned, "what is refused decides whether a root comes back"

    def shuts_out(long=0, many=0):                 # a root covers a thief's dismissal beside its way, and a stranger's
        c = Small()
        (m, me), (n, _) = c.member("m"), c.member("n")
        t = last = c.enter("t", by="o")
        for _ in range(long):
            last = c.put("t", "seal", last)
        x = c.put("t", "word", last, member=n, role=NONE, revision=9, heads=frozenset())
        out = Record("~Pout", "remove", "out", member=("~Pout", "~out"), lanes=frozenset(["~out"]))
        c.all.append(out)
        covers = [x, out, *(c.put("t", "word", t, member=n, role=NONE, revision=8, heads=frozenset())
                            for _ in range(many))]
        root = c.put("t", "rotate", t, number=1, tips=frozenset([FIRST]), covers=names(covers))
        c.remove("t", heads=[t])
        c.put("m", "seal", me, target=root.hash, to=frozenset([("o", c.owner, False)]))
        assert root in c.view.stored() and n in c.view.members
        assert State(c.view.stored()).stored() == c.view.stored(), "what is stored depends on what is refused"
        return root.hash in c.view.returned, len(c.view.stored() & set(covers))
    assert shuts_out() == (True, 2), "a root stays away with what its maker alone said"
    assert shuts_out(long=BEHIND - 1) == (True, 2), "what a root covers comes without what is behind it"
    assert shuts_out(long=BEHIND) == (False, 1), "what a root covers grows without end"
    assert shuts_out(many=COVERS) == (False, COVERS), "a root covers things without end"

    w = World(1, False)                            # a foe hides the end of a chain below what hangs in the air
    o, m = w.devices[0], w.invite(w.devices[0], MEMBER)
    p = m.write("post")
    o.take([*m.held.values(), Record(m.key, "seal", "hang", prev=p.hash)])
    o.word(m.member, NONE, "w")
    assert o.view.counts(p), "a dismissal voids what it should name"


def what(error):
    """What an assertion says, or where it stands if it says nothing."""
    return str(error) or f"line {traceback.extract_tb(error.__traceback__)[-1].lineno}"


def directed():
    try:
        cases()
    except AssertionError as error:
        return what(error)
    except Exception as error:
        if BROKEN is None:
            raise
        return repr(error)


def play(seed):
    judge = (judge_theft, judge_theft, judge_apart, judge_foes)[seed % 4]
    played = judge(seed)
    if played:
        check_alone(played[1], seed)
    return played


def judge(seed):
    try:
        play(seed)
    except AssertionError as error:
        return what(error)
    except Exception as error:
        if BROKEN is None:
            raise
        return repr(error)                         # a broken rule may break more than a check


# --------------------------------------------------------------------------------------------------------- export
def name_of(root):
    return "0" if root == FIRST else f"{root:012x}" if isinstance(root, int) else f"{digest(root):012x}"


def member_of(member):
    return "/".join(member)


def lane_of(lane):
    return lane if lane == IDENTITY else {"key": lane[0], "member": member_of(lane[1]), "replica": lane[2]}


def export_record(r):
    out = {"id": name_of(r.hash), "kind": r.kind, "key": r.key, "signed": r.signer == r.key}
    if r.kind not in ("genesis", "remove", "enter"):
        out["prev"] = name_of(r.prev)
    hashes = {"word": ["heads"], "close": ["heads"], "remove": ["heads", "children", "stays"],
              "rotate": ["covers", "tips"]}
    for field in hashes.get(r.kind, ()):
        out[field] = sorted(map(name_of, getattr(r, field)))
    if r.kind in ("genesis", "enter", "word", "suspend", "remove"):
        out["member"] = member_of(r.member)
    if r.kind == "genesis":
        out["account"] = r.account
    elif r.kind == "enter":
        want = endorsement(r.endorser or r.member[0], r.key, r.member, r.replica, r.succeeds)
        out |= {"replica": r.replica, "endorser": r.endorser,
                "endorsed": None if r.endorsed is None else r.endorsed == want, "succeeds": r.succeeds,
                "ticket": r.ticket and [name_of(r.ticket[0]), r.ticket[1]],
                "proof": r.proof and [r.proof[0], name_of(r.proof[1]), member_of(r.proof[2])]}
    elif r.kind == "remove":
        out["lanes"] = sorted(r.lanes)
    elif r.kind == "rotate":
        out["number"] = r.number
    elif r.kind == "seal":
        out |= {"rotate": name_of(r.target), "to": [lane_of(x) for x in sorted(r.to, key=str)]}
    elif r.kind == "unopened":
        out["seals"] = sorted(map(name_of, r.names))
    elif r.kind == "end":
        out["lane"] = r.target
    elif r.kind == "invite":
        out |= {"role": r.role, "keys": list(r.keys)}
    elif r.kind == "revoke":
        out |= {"invite": name_of(r.target), "names": [[n, member_of(m)] for n, m in sorted(r.names)]}
    elif r.kind == "word":
        out |= {"role": r.role, "revision": r.revision, "keep": r.keep,
                "ticket": r.ticket and [member_of(r.ticket[0]), name_of(r.ticket[1]), r.ticket[2]]}
    elif r.kind == "title":
        out["revision"] = r.revision
    elif r.kind == "game":
        out |= {"game": r.target, "revision": r.revision}
    elif r.kind == "unsuspend":
        out["suspension"] = name_of(r.target)
    elif r.kind == "offer":
        out |= {"group": r.group, "members": sorted(map(member_of, r.names))}
    elif r.kind == "close":
        out |= {"group": r.group, "founder": r.founder and member_of(r.founder)}
    return out


def export_state(records, rng):
    v = State(records)
    lanes = lambda some: sorted((lane_of(x) for x in some), key=str)
    members = lambda some: sorted(map(member_of, some))
    names = lambda some: sorted(map(name_of, some))
    roots = []
    for _ in range(3):
        held = {FIRST, *(n for n in v.sound if rng.random() < .6)}
        roots.append({"held": names(held), "tips": names(v.tips(held)), "newest": name_of(v.newest(held)),
                      "due": v.due(held), "maySeal": names(t for t in v.tips(held) if t and v.may_seal(t))})
    return {
        "records": names(r.hash for r in records), "standing": lanes(v.lanes), "places": lanes(v.places),
        "members": {member_of(m): role for m, role in v.members.items()}, "removed": lanes(v.removed & v.places),
        "lapsed": lanes(x for x in v.enters if x not in v.removed and x not in v.rooted),
        "leftLanes": lanes(v.left_lanes),
        "left": members(v.left), "dismissed": members(v.dismissed), "suspended": members(v.suspended),
        "ended": lanes(v.ended), "closed": bool(v.closes), "title": v.title and name_of(v.title.hash),
        "successor": v.successor and name_of(v.successor.hash), "followers": members(v.followers),
        "games": {str(n): name_of(r.hash) for n, r in sorted(v.games().items())}, "open": names(v.open),
        "counting": names(r.hash for r in v.rec.values() if v.counts(r)),
        "stored": names(r.hash for r in v.stored(with_ways_of_rows=False)),
        "gone": names(v.gone), "sound": names(v.sound), "rotates": names(v.rotates), "roots": roots,
        "returned": names(v.returned - v.rotates.keys()),
        "served": sorted(([name_of(t), lane_of(x)] for t in v.rotates if t for x in [*v.lanes, IDENTITY]
                          if v.served(t, x, None)), key=str)}


def export(count, seed):
    """A JSON line each: a history's records, and what is expected of some subsets of them."""
    while count:
        played = play(seed)
        if played:
            world, records = played
            rng = random.Random(seed)
            records = sorted({r.hash: r for r in records}.values(), key=lambda r: r.hash)
            genesis = [r for r in records if r.kind == "genesis"]
            sets = [records, State(records).stored(), *(
                genesis + [r for r in records if r.kind != "genesis" and rng.random() < share] for share in (.9, .6))]
            print(json.dumps({
                "seed": seed, "bounds": {
                    "ownerLanes": OWNER_LANES, "memberLanes": MEMBER_LANES, "records": RECORDS, "tickets": TICKETS,
                    "adminTickets": ADMIN_TICKETS, "depth": DEPTH, "removes": REMOVES, "returns": RETURNS,
                    "covers": COVERS, "behind": BEHIND},
                "records": [export_record(r) for r in records],
                "states": [export_state(sorted(some, key=lambda r: r.hash), rng) for some in sets]}, sort_keys=True))
            count -= 1
        seed += 1


def main():
    global BROKEN
    parser = argparse.ArgumentParser()
    parser.add_argument("runs", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--break", dest="broken")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--export", action="store_true")
    arguments = parser.parse_args()
    rules = sorted(set(re.findall(r'broken\("([a-z-]+)"\)', open(__file__).read())))
    if arguments.broken and arguments.broken not in rules:
        parser.error(f"no rule {arguments.broken}; there are {', '.join(rules)}")
    if arguments.export:
        return export(arguments.runs, arguments.seed)
    seeds = range(arguments.seed, arguments.seed + arguments.runs)
    if arguments.all:
        for BROKEN in rules:
            case, found = directed(), next(((s, e) for s in seeds if (e := judge(s))), None)
            seed, error = found or ("", case or "NOT FOUND")
            print(f"    {BROKEN:26} {seed:5} {'d' if case else ' '}  {error}"[:120], flush=True)
        return
    BROKEN = arguments.broken
    error = directed()
    bad = [(s, e) for s in seeds if (e := judge(s))]
    print(f"{len(seeds)} histories, {len(bad)} failed; small cases: {error or 'all hold'}")
    for seed, what in bad[:12]:
        print(f"{seed:6}  {what[:300]}")
    sys.exit(1 if bad or error else 0)


if __name__ == "__main__":
    main()
