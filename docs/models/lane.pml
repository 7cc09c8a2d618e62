/* The reconciliation of one lane, for Spin: three nodes, every order of messages (docs/TESTING.md, "The models").
 *
 * Rules and words are those of docs/PROTOCOL.md, sections 5, 8, 9 and 10, and of Sources/Gossip/Sync. Node 0 is the
 * lane's author. A row is a bit: seq and fork; `registers` says which rows replace the lower ones of the one slot that
 * there is. A fingerprint is the set of rows itself. A turn is atomic: take one message, commit, publish, look at each
 * peer. Channels keep the order and may break at any moment, with all that is in them.
 *
 * Left out: refused records, blobs, several lanes, what is aside, the patience with peers that answer late.
 *
 * Checked in every reachable state:
 *   agreed      where nothing is on its way and all that live are connected, all hold the same rows and heads
 *   owed        and every row that was committed, was not replaced and is not lost with its last holder
 *   head        a head claims no gap: what its author wrote up to there is held or was replaced (while there was no fork)
 *   alarm       both ends have all up to the same head and differ only after rot or a restored copy
 *   fork        its author writes no row where it knows another one to be
 *   restless    (`spin -run -a`) messages come to an end
 *
 * -DSEQS rows the author writes at most; -DPEERS=2 a line in place of a triangle; -DBREAKS, -DROTS, -DRESTORES, -DDEATHS
 * faults; -DBREAK_RULE leaves one rule out. `check-models.py` runs all of these.
 */
#ifndef SEQS
#define SEQS 3
#endif
#ifndef PEERS
#define PEERS 3
#endif
#ifndef BREAKS
#define BREAKS 0
#endif
#ifndef ROTS
#define ROTS 0
#endif
#ifndef RESTORES
#define RESTORES 0
#endif
#ifndef DEATHS
#define DEATHS 0
#endif
#ifndef PEEK_ABOVE
#define PEEK_ABOVE 1
#endif
#define NODES 3
#define PAGE_ROWS 1

/* Row (seq, fork): seqs from 1 on, the rows of one seq beside each other, so that bits ascend by (seq, fork). */
#define ROW(seq, fork) (1 << (2 * ((seq) - 1) + (fork)))
#define AT(seq) (3 << (2 * ((seq) - 1)))                /* the rows at a seq */
#define THROUGH(seq) ((1 << (2 * (seq))) - 1)           /* the rows up to a seq */

/* Between nodes n and p: n's side. */
#define AT_PEER(n, p) (2 * (n) + ((p) > (n) -> (p) - 1 : (p)))
#define LINK(n, p) ((n) + (p) - 1)                      /* 0-1: 0, 0-2: 1, 1-2: 2 */
#define IS_LINKED(n, p) ((n) != (p) && (PEERS == 3 || (n) == 1 || (p) == 1))

#define IS_ANY(x, y) (len(wire[AT_PEER(x, y)]) > 0)     /* something is on its way from x to y */

mtype = { VECTOR, PULL, PAGE, PEEK, ROWS, HAVE, RANGES, KEYS, FETCH };
/* Kind; head, through or since; target; rows, a fingerprint or keys; whether the vector is whole, the page the last. */
chan wire[6] = [8] of { mtype, byte, byte, byte, bit };

/* Durable. */
typedef Store { byte rows; byte reached; byte target };
Store store[NODES];
byte registers;                     /* of all rows written: those that replace */
byte written;                       /* rows that were committed */
byte lost;                          /* rows whose last copy a fault destroyed, or that replaced such */
bit isAfresh;                       /* the author has gone on in another lane */
bit isForked, isDamaged, isDead;    /* a copy was restored; rows were lost; the author is gone for ever */
Store backup;
bit hasBackup;

/* Of one session. */
typedef Peer {
    bit hasView, isStale, isPulling, isPeeking, hasPeeked, isTold, hasPair, isDue;
    byte head, target, rows;                            /* the view of the peer: its entry */
    byte toldHead, toldTarget, toldRows;
    byte pairOwn, pairOther;                            /* the fingerprints that were compared last */
    byte claimed, unbacked                              /* the head that was pulled for; one without a row here */
};
Peer peer[6];
bit isUp[3];
byte breaks = BREAKS, rots = ROTS, restores = RESTORES, deaths = DEATHS;

/* Registers of the d_step in progress. They hold 0 between steps, so that they make no states. */
byte m, n, p, q, e, a, b, s, f, highest, head, other, seq;
bit w, isQuiet;
mtype kind;

inline find_highest(those) {
    highest = SEQS;
    do
    :: highest > 0 && !((those) & AT(highest)) -> highest--
    :: else -> break
    od
}
inline find_head(x) {
    find_highest(store[x].rows);
    head = (store[x].reached < highest -> store[x].reached : highest)
}

/* Storing is a join: `ZoneStore.put`. A register below the held one is not stored; one above it replaces it. */
inline put(x, set) {
    seq = 0;
    do
    :: seq < 2 * SEQS ->
        if
        :: ((set) & (1 << seq)) && !(store[x].rows & (1 << seq)) ->
            if :: store[x].target < seq / 2 + 1 -> store[x].target = seq / 2 + 1 :: else fi;
            if
            :: registers & (1 << seq) ->
                if
                :: (store[x].rows & registers) >> seq -> skip
                :: else -> store[x].rows = (store[x].rows & ~registers) | (1 << seq)
                fi
            :: else -> store[x].rows = store[x].rows | (1 << seq)
            fi
        :: else
        fi;
        seq++
    :: else -> break
    od
}

/* `ZoneStore.advance`: never lowers, never above what is held, never the author's own. */
inline advance(x, to) {
    if
    :: x != 0 || isAfresh ->
        find_highest(store[x].rows);
        a = ((to) < highest -> (to) : highest);
        if :: a > store[x].reached -> store[x].reached = a :: else fi;
        if :: store[x].reached > store[x].target -> store[x].target = store[x].reached :: else fi
    :: else
    fi
}

/* `ZoneStore.settle`: the lane has two records at one seq, or a row above what was written here. */
inline settle() {
    find_highest(store[0].rows);
#ifndef BREAK_ignore_own_fork
    if
    :: highest > store[0].reached || (store[0].rows & (store[0].rows >> 1) & 21) -> isAfresh = 1
    :: else
    fi
#endif
}

inline tell(x, y, whole) {
    find_head(x);
    if
    :: whole || peer[AT_PEER(x, y)].toldHead != head || peer[AT_PEER(x, y)].toldTarget != store[x].target ||
        peer[AT_PEER(x, y)].toldRows != store[x].rows || !peer[AT_PEER(x, y)].isTold ->
        peer[AT_PEER(x, y)].toldHead = head;
        peer[AT_PEER(x, y)].toldTarget = store[x].target;
        peer[AT_PEER(x, y)].toldRows = store[x].rows;
        peer[AT_PEER(x, y)].isTold = 1;
        wire[AT_PEER(x, y)]!VECTOR(head, store[x].target, store[x].rows, whole)
    :: else
    fi
}

/* `ZoneSync.heal`: once for each pair of fingerprints; again only when neither side says anything of it. */
inline heal(x, y) {
    if
    :: peer[AT_PEER(x, y)].hasPair && peer[AT_PEER(x, y)].pairOwn == store[x].rows &&
        peer[AT_PEER(x, y)].pairOther == peer[AT_PEER(x, y)].rows -> skip
#ifdef BREAK_compare_once
    :: peer[AT_PEER(x, y)].hasPair -> skip
#endif
    :: peer[AT_PEER(x, y)].hasPair && (IS_ANY(x, y) || IS_ANY(y, x)) -> peer[AT_PEER(x, y)].isDue = 1
    :: else ->
        peer[AT_PEER(x, y)].hasPair = 1;
        peer[AT_PEER(x, y)].pairOwn = store[x].rows;
        peer[AT_PEER(x, y)].pairOther = peer[AT_PEER(x, y)].rows;
        /* alarm */
        assert(isForked || isDamaged || head != store[x].target ||
            peer[AT_PEER(x, y)].head != peer[AT_PEER(x, y)].target);
        wire[AT_PEER(x, y)]!RANGES(head, 0, store[x].rows, 0)
    fi
}

/* All that the peer has up to its head came, and no row from there on: only fingerprints can tell more, until one comes. */
#ifdef BREAK_unbacked_believed
#define IS_UNBACKED(x, y) 0
#elif defined(BREAK_unbacked_for_ever)
#define IS_UNBACKED(x, y) (peer[AT_PEER(x, y)].head > 0 && peer[AT_PEER(x, y)].unbacked >= peer[AT_PEER(x, y)].head)
#else
#define IS_UNBACKED(x, y) (peer[AT_PEER(x, y)].head > 0 && peer[AT_PEER(x, y)].unbacked >= peer[AT_PEER(x, y)].head && \
    highest < peer[AT_PEER(x, y)].head)
#endif

/* `ZoneSync.look`, `isLevel`: the next step for the lane, from both entries alone. */
inline look(x, y) {
    find_head(x);
    if
    :: !peer[AT_PEER(x, y)].hasView || peer[AT_PEER(x, y)].isPeeking -> skip
    :: else ->
        if
        :: !peer[AT_PEER(x, y)].hasPeeked && peer[AT_PEER(x, y)].head > head + PEEK_ABOVE ->
            peer[AT_PEER(x, y)].isPeeking = 1;
            wire[AT_PEER(x, y)]!PEEK(0, 0, 0, 0)
        :: else ->
            if
            :: peer[AT_PEER(x, y)].head > head && !IS_UNBACKED(x, y) ->
                /* from one peer at a time */
                other = 3 - x - y;
                if
                :: peer[AT_PEER(x, y)].isPulling || peer[AT_PEER(x, other)].isPulling -> skip
                :: else ->
                    peer[AT_PEER(x, y)].isPulling = 1;
                    peer[AT_PEER(x, y)].claimed = peer[AT_PEER(x, y)].head;
                    wire[AT_PEER(x, y)]!PULL(head, 0, 0, 0)
                fi
            :: (peer[AT_PEER(x, y)].head == head || IS_UNBACKED(x, y)) && !peer[AT_PEER(x, y)].isStale &&
#ifdef BREAK_compare_only_clean
                head == store[x].target && peer[AT_PEER(x, y)].head == peer[AT_PEER(x, y)].target &&
#endif
#ifdef BREAK_union
                head > 0 &&
#endif
                peer[AT_PEER(x, y)].rows != store[x].rows -> heal(x, y)
            :: else
            fi
        fi;
        peer[AT_PEER(x, y)].hasPeeked = 1
    fi
}

/* The end of a turn: what is durable is told, then the next steps are taken. */
inline end_turn(x) {
    if :: x == 0 -> settle() :: else fi;
    q = 0;
    do
    :: q < NODES ->
        if
        :: IS_LINKED(x, q) && isUp[LINK(x, q)] && peer[AT_PEER(x, q)].isTold -> tell(x, q, 0)
        :: else
        fi;
        q++
    :: else -> break
    od;
    q = 0;
    do
    :: q < NODES ->
        if :: IS_LINKED(x, q) && isUp[LINK(x, q)] -> look(x, q) :: else fi;
        q++
    :: else -> break
    od;
    q = 0
}

inline forget(x, y) {
    d_step {
        peer[AT_PEER(x, y)].hasView = 0; peer[AT_PEER(x, y)].isStale = 0; peer[AT_PEER(x, y)].isPulling = 0;
        peer[AT_PEER(x, y)].isPeeking = 0; peer[AT_PEER(x, y)].hasPeeked = 0; peer[AT_PEER(x, y)].isTold = 0;
        peer[AT_PEER(x, y)].hasPair = 0; peer[AT_PEER(x, y)].isDue = 0;
        peer[AT_PEER(x, y)].head = 0; peer[AT_PEER(x, y)].target = 0; peer[AT_PEER(x, y)].rows = 0;
        peer[AT_PEER(x, y)].toldHead = 0; peer[AT_PEER(x, y)].toldTarget = 0; peer[AT_PEER(x, y)].toldRows = 0;
        peer[AT_PEER(x, y)].pairOwn = 0; peer[AT_PEER(x, y)].pairOther = 0;
        peer[AT_PEER(x, y)].claimed = 0; peer[AT_PEER(x, y)].unbacked = 0;
        do :: IS_ANY(x, y) -> wire[AT_PEER(x, y)]?kind,a,b,s,w :: else -> break od
    }
}
inline break_link(x, y) {
    isUp[LINK(x, y)] = 0;
    forget(x, y);
    forget(y, x)
}
/* What was asked of a peer that left is asked of the others. */
inline left(x) {
#ifdef BREAK_asks_nobody_else
    skip
#else
    end_turn(x)
#endif
}
/* The author's process ends: it keeps what it committed, and no session. */
inline crash() {
    if :: IS_LINKED(0, 1) && isUp[LINK(0, 1)] -> break_link(0, 1); left(1) :: else fi;
    if :: IS_LINKED(0, 2) && isUp[LINK(0, 2)] -> break_link(0, 2); left(2) :: else fi
}

inline take(x, y) {                 /* x takes what y sent */
    wire[AT_PEER(y, x)]?kind,a,b,s,w;
    if
    :: kind == VECTOR ->
        peer[AT_PEER(x, y)].head = a;
        peer[AT_PEER(x, y)].target = b;
        peer[AT_PEER(x, y)].rows = s;
        peer[AT_PEER(x, y)].isStale = 0;
        if :: w -> peer[AT_PEER(x, y)].hasView = 1 :: else fi;
        if :: w && !peer[AT_PEER(x, y)].isTold -> tell(x, y, 1) :: else fi
    :: kind == PULL ->
        /* Rows above the head were peeked at: a page with them would claim the gap below them. */
        find_head(x);
#ifdef BREAK_page_beyond_head
        head = (head < highest -> highest : head);
#endif
        e = a;
        s = 0;
        m = 0;
        do                          /* a page does not split the rows of one seq */
        :: e < head && (m == 0 || !(store[x].rows & AT(e + 1))) ->
            e++;
            if
            :: store[x].rows & AT(e) ->
                m = 1;
#ifdef BREAK_page_splits_seq
                s = s | (store[x].rows & (ROW(e, 0)
                    | ((store[x].rows & ROW(e, 0)) -> 0 : ROW(e, 1))))
#else
                s = s | (store[x].rows & AT(e))
#endif
            :: else
            fi
        :: else -> break
        od;
        wire[AT_PEER(x, y)]!PAGE(e, store[x].target, s, e >= head)
    :: kind == PAGE ->
        find_head(x);
        m = head;
        e = a;
        put(x, s);
        if :: e >= m -> advance(x, e) :: else fi;
        peer[AT_PEER(x, y)].isPulling = 0;
        find_head(x);
        if
        :: w && e < peer[AT_PEER(x, y)].claimed -> break_link(x, y); left(y)    /* a head without the rows below it */
        :: w && e >= peer[AT_PEER(x, y)].claimed && head < peer[AT_PEER(x, y)].claimed ->
            peer[AT_PEER(x, y)].unbacked = peer[AT_PEER(x, y)].claimed
        :: else
        fi;
        peer[AT_PEER(x, y)].claimed = 0
    :: kind == PEEK ->
        find_highest(store[x].rows);
        s = (highest > 0 -> store[x].rows & AT(highest) : 0);
        wire[AT_PEER(x, y)]!ROWS(0, 0, s, 0)
    :: kind == ROWS ->
        peer[AT_PEER(x, y)].isPeeking = 0;
        put(x, s)
    :: kind == HAVE ->
        /* It stands for the entry; which rows the peer holds is not known then. */
        find_highest(s);
        m = highest;
#ifndef BREAK_have_stands_for_nothing
        if
        :: m > peer[AT_PEER(x, y)].head ->
            peer[AT_PEER(x, y)].head = m;
            if :: m > peer[AT_PEER(x, y)].target -> peer[AT_PEER(x, y)].target = m :: else fi;
#ifndef BREAK_have_keeps_fingerprint
            peer[AT_PEER(x, y)].isStale = 1
#endif
        :: else
        fi;
#endif
        e = a;
        put(x, s);
        find_head(x);
        if
#ifndef BREAK_have_without_since
        :: head >= e -> advance(x, m)
#else
        :: 1 -> advance(x, m)
#endif
        :: else
        fi
    :: kind == RANGES ->
        if
        /* One comparison at a time: the end that opened the session, the lower one, goes on with its own. */
        :: x < y && peer[AT_PEER(x, y)].hasPair && peer[AT_PEER(x, y)].pairOther == s -> skip
        :: else ->
            if
            :: peer[AT_PEER(x, y)].rows == s ->
                peer[AT_PEER(x, y)].hasPair = 1;
                peer[AT_PEER(x, y)].pairOwn = store[x].rows;
                peer[AT_PEER(x, y)].pairOther = s
            :: else
            fi;
            if
            :: s != store[x].rows -> wire[AT_PEER(x, y)]!KEYS(a, 0, store[x].rows, 0)
            :: else
            fi
        fi
    :: kind == KEYS ->
        m = store[x].rows;
#ifdef BREAK_range_ends_at_heads
        find_head(x);
        m = m & THROUGH(head);
        s = s & THROUGH(head);
#endif
        if :: s & ~m -> wire[AT_PEER(x, y)]!FETCH(0, 0, s & ~m, 0) :: else fi;
        if :: m & ~s -> wire[AT_PEER(x, y)]!ROWS(0, 0, m & ~s, 0) :: else fi
    :: kind == FETCH ->
        if :: s & store[x].rows -> wire[AT_PEER(x, y)]!ROWS(0, 0, s & store[x].rows, 0) :: else fi
    fi;
    end_turn(x)
}

/* `ZoneStore.write`, then HAVE to each peer whose vector is known, or, as of a commit of many records, the entry. */
inline write(isRegister, isAnnounced) {
    e = store[0].reached;
    f = (written & ROW(e + 1, 0) -> 1 : 0);
    /* fork */
    assert(!(store[0].rows & AT(e + 1)) && (store[0].rows >> (2 * e)) == 0);
    written = written | ROW(e + 1, f);
    if :: isRegister -> registers = registers | ROW(e + 1, f) :: else fi;
    store[0].reached = e + 1;
    put(0, ROW(e + 1, f));
    s = ROW(e + 1, f);
    q = 1;
    do
    :: q < NODES ->
        if
        :: isAnnounced && IS_LINKED(0, q) && isUp[LINK(0, q)] && peer[AT_PEER(0, q)].hasView ->
            wire[AT_PEER(0, q)]!HAVE(e, 0, s, 0);
            find_head(0);
            peer[AT_PEER(0, q)].isTold = 1;
            peer[AT_PEER(0, q)].toldHead = head;
            peer[AT_PEER(0, q)].toldTarget = store[0].target;
            peer[AT_PEER(0, q)].toldRows = store[0].rows
        :: else
        fi;
        q++
    :: else -> break
    od;
    end_turn(0)
}

/* A fault took these rows from one node: those that no living node holds are lost for good, and so may be what they
 * replaced elsewhere, or what replaced them. */
inline destroyed(set) {
    s = (set) & ~(store[1].rows | store[2].rows | (isDead -> 0 : store[0].rows));
    lost = lost | s
}

inline check() {
    printf("%e: rows and heads %d %d, %d %d, %d %d; %d wait\n", kind, store[0].rows, store[0].reached, store[1].rows,
        store[1].reached, store[2].rows, store[2].reached, len(wire[0]) + len(wire[1]) + len(wire[2]) + len(wire[3]) +
        len(wire[4]) + len(wire[5]));
    /* head */
    p = 0;
    do
    :: p < NODES && !isForked && !isDamaged ->
        find_head(p);
        s = written & THROUGH(head) & ~store[p].rows;
        /* What is not held was replaced before it could come: it is a register, and a higher one was written. */
        assert(!(s & ~registers));
        assert(!s || (written & registers) > s);
        p++
    :: else -> break
    od;
    /* agreed, owed */
    isQuiet = 1;
    p = 0;
    do
    :: p < 6 ->
        if :: len(wire[p]) > 0 || peer[p].isDue -> isQuiet = 0 :: else fi;
        p++
    :: else -> break
    od;
    if
    :: (!IS_LINKED(0, 1) || isUp[0] || isDead) && (!IS_LINKED(0, 2) || isUp[1] || isDead) && isUp[2] -> skip
    :: else -> isQuiet = 0
    fi;
    if
    :: isQuiet ->
        assert(store[1].rows == store[2].rows);
        assert(isDead || store[0].rows == store[1].rows);
        find_head(1);
        m = head;
        find_head(2);
        assert(m == head);
        find_head(0);
        assert(isDead || m == head);
        s = written & ~lost & ~store[1].rows;
        assert(!(s & ~registers));
        assert(!s || ((store[1].rows | lost) & registers) > s)
    :: else
    fi;
    m = 0; n = 0; p = 0; q = 0; e = 0; a = 0; b = 0; s = 0; f = 0; w = 0; highest = 0; head = 0; other = 0; seq = 0;
    isQuiet = 0; kind = 0
}

/* One of the directed links on which something waits; one that is down. */
#define IS_WAITING(x, y) (IS_LINKED(x, y) && IS_ANY(x, y))
#define IS_DUE(x, y) (peer[AT_PEER(x, y)].isDue && !IS_ANY(x, y) && !IS_ANY(y, x))
#define CAN_MEET(x, y) (IS_LINKED(x, y) && !isUp[LINK(x, y)] && !(isDead && x == 0))
#define CAN_WRITE (!isAfresh && !isDead && store[0].reached < SEQS && \
    !(written & ROW(store[0].reached + 1, 0) && written & ROW(store[0].reached + 1, 1)))

#define DELIVER(x, y) d_step { IS_WAITING(y, x) -> take(x, y); check() }
#define AGAIN(x, y) d_step { IS_DUE(x, y) -> peer[AT_PEER(x, y)].isDue = 0; look(x, y); check() }
/* The one who opened the session speaks first; the other answers with its vector. */
#define MEET(x, y) d_step { CAN_MEET(x, y) -> isUp[LINK(x, y)] = 1; tell(x, y, 1); check() }
#define CUT(x, y) d_step { breaks > 0 && IS_LINKED(x, y) && isUp[LINK(x, y)] -> breaks--; break_link(x, y); left(x); left(y); check() }
#define WRITE(isRegister, isAnnounced) d_step { CAN_WRITE -> write(isRegister, isAnnounced); check() }
#define ROT(x) d_step { rots > 0 && store[x].rows && !(x == 0 && isDead) -> rots--; isDamaged = 1; find_highest(store[x].rows); \
    e = (store[x].rows & ROW(highest, 1) -> ROW(highest, 1) : ROW(highest, 0)); \
    store[x].rows = store[x].rows & ~e; destroyed(e); end_turn(x); check() }
#define ROT_LOW(x) d_step { rots > 0 && store[x].rows & 3 && !(x == 0 && isDead) -> rots--; isDamaged = 1; e = store[x].rows & 3; \
    store[x].rows = store[x].rows & ~e; destroyed(e); end_turn(x); check() }

active proctype world() {
accept:
    do
    :: DELIVER(0, 1)
    :: DELIVER(1, 0)
    :: DELIVER(0, 2)
    :: DELIVER(2, 0)
    :: DELIVER(1, 2)
    :: DELIVER(2, 1)
    :: AGAIN(0, 1)
    :: AGAIN(1, 0)
    :: AGAIN(0, 2)
    :: AGAIN(2, 0)
    :: AGAIN(1, 2)
    :: AGAIN(2, 1)
    :: MEET(0, 1)
    :: MEET(0, 2)
    :: MEET(1, 2)
    :: WRITE(0, 0)
    :: WRITE(0, 1)
    :: WRITE(1, 0)
    :: WRITE(1, 1)
    :: CUT(0, 1)
    :: CUT(0, 2)
    :: CUT(1, 2)
    :: ROT(0)
    :: ROT(1)
    :: ROT_LOW(1)
    :: d_step {
        restores > 0 && !hasBackup && !isDead && written ->
        hasBackup = 1; backup.rows = store[0].rows; backup.reached = store[0].reached; backup.target = store[0].target
    }
    :: d_step {
        restores > 0 && hasBackup && !isDead && !isAfresh ->
        restores--; isForked = 1; e = store[0].rows;
        store[0].rows = backup.rows; store[0].reached = backup.reached; store[0].target = backup.target;
        destroyed(e & ~backup.rows); crash(); check()
    }
    :: d_step { deaths > 0 && !isDead -> deaths--; isDead = 1; crash(); destroyed(store[0].rows); check() }
    :: else -> break
    od
}
