/* The ledger of a zone, for Spin: three nodes, every order of records and syncs (docs/TESTING.md, "The models").
 *
 * Rules and words are those of docs/PROTOCOL.md, section 5.1, and of docs/models/ledger.py, which has all of them; here
 * are those by which a stolen device leaves no trace. A person has the lanes a, b (entered by a), t (entered by a, and
 * stolen one day), d (honest, entered by t before), f and g (by t after; g succeeds t). m is another member. A record is a
 * bit. Nodes 0 and 1 are those of a and b, which remove t by the words; node 2 is anybody.
 *
 * A node holds what it stores: that is a function of what it held and what came. Records come one by one, in any order,
 * from a node or from the author; what was refused comes again.
 *
 * Left out: bounds, places, tickets, admins, Rotates and Seals, rows.
 *
 * Checked in every reachable state in which nothing that was written would change what anybody holds:
 *   converged   what they hold says the same as all that was ever written: what was dropped does not matter
 *   no trace    once t is removed, all is as if the thief had written nothing since the theft
 *   honest      what a Remove names stays: t's records from before, and d
 *   for ever    who was dismissed by the owner stays so; who is removed does not stand
 *   again       a lane that lapsed stands once a lane that stands has let it in
 *
 * -DGROUP: Words and a member, in place of entering again and of two Removes. -DBREAK_RULE leaves one rule out. `spin.py` runs all of these.
 */
#define NODES 3

#define ENTER_A 1            /* by the person */
#define ENTER_B 2            /* endorsed by a */
#define ENTER_T 4            /* endorsed by a */
#define ENTER_D 8            /* endorsed by t, before the theft */
#define AGAIN_D 16           /* d again, endorsed by a */
#define TITLE_T 32           /* a record of t before the theft */
#define WORD 64              /* by a: m is a member; revision 1 */
#define ENTER_M 128          /* m's first lane */
#define OFFER_M 256          /* a record of m */
#define DISMISSED 512        /* Word by a: role 0; revision 2 */
#define REINSTATED 1024      /* Word by a, concurrently: m is a member; revision 3 */
#define ENTER_F 2048         /* by the thief: endorsed by t */
#define ENTER_G 4096         /* by the thief: endorsed by t, which it succeeds */
#define OFFER_F 8192         /* a record of f */
#define WORD_T 16384         /* by the thief: a Word of t that dismisses m */
#define REMOVE 32768         /* of t, by a's user */
#define REMOVE_B 65536       /* of t, by b's user */
#define REMOVE_T 131072      /* of b, signed by the thief's lane and not by the person */
#define THIEF (ENTER_F | ENTER_G | OFFER_F | WORD_T | REMOVE_T)
#define OF_T (ENTER_T | TITLE_T | WORD_T)

/* Lanes, as bits. */
#define A 1
#define B 2
#define T 4
#define D 8
#define F 16
#define G 32
#define M 64

int held[NODES];
int created;
bit isStolen;
int before[2];               /* what a's and b's node held when t was last in its user's hand */
int heads[2];                /* of each Remove: what stays of t, with all behind it */
int children[2];             /* of each Remove: the Enters by which t let others in that stay */
byte lanes[2];               /* of each Remove: t, with what it succeeded or was succeeded by */

/* Registers of the d_step in progress. They hold 0 between steps. */
int set, kept, named, counts, visible, other, stored, record;
byte removed, rooted, standing, stood, round;
bit isDismissed, isQuiet;

/* An Enter by t: t is rooted, or removed with this Enter among its children. */
#ifdef BREAK_removed_endorses
#define ENDORSES(enter) (rooted & T || removed & T)
#elif defined(BREAK_children_fall)
#define ENDORSES(enter) (rooted & T)
#else
#define ENDORSES(enter) (rooted & T || (removed & T && named & (enter)))
#endif

/* `LedgerState`: a function of the set. */
inline judge(those) {
    set = those;
    /* Removes: for ever, by the person; what several name is united. */
    removed = 0; kept = 0; named = 0;
    if :: set & REMOVE -> removed = removed | lanes[0]; kept = kept | heads[0]; named = named | children[0] :: else fi;
    if
    :: set & REMOVE_B ->
        removed = removed | lanes[1];
#ifdef BREAK_removes_intersected
        if :: set & REMOVE -> kept = kept & heads[1]; named = named & children[1]
        :: else -> kept = heads[1]; named = children[1] fi
#else
        kept = kept | heads[1]; named = named | children[1]
#endif
    :: else
    fi;
#ifdef BREAK_anybody_removes
    if :: set & REMOVE_T -> removed = removed | B :: else fi;
#endif
    /* Who is rooted: the least fixed point. */
    rooted = 0;
    round = 0;
    do
    :: round < 3 ->
        if :: set & ENTER_A -> rooted = rooted | A :: else fi;
        if :: (set & ENTER_B) && (rooted & A) && !(removed & B) -> rooted = rooted | B :: else fi;
        if :: (set & ENTER_T) && (rooted & A) && !(removed & T) -> rooted = rooted | T :: else fi;
        if :: (set & ENTER_D) && ENDORSES(ENTER_D) -> rooted = rooted | D :: else fi;
#ifndef BREAK_lapsed_for_ever
        if :: (set & AGAIN_D) && (rooted & A) -> rooted = rooted | D :: else fi;
#endif
        if :: (set & ENTER_F) && ENDORSES(ENTER_F) -> rooted = rooted | F :: else fi;
        if :: (set & ENTER_G) && ENDORSES(ENTER_G) && !(removed & G) -> rooted = rooted | G :: else fi;
        round++
    :: else -> break
    od;
    round = 0;
    /* A record is kept if its lane is rooted; of a removed lane if it is behind a head. */
    counts = 0;
    if :: rooted & A -> counts = counts | (set & (ENTER_A | WORD | DISMISSED | REINSTATED)) :: else fi;
    if :: rooted & B -> counts = counts | (set & ENTER_B) :: else fi;
    if :: rooted & T -> counts = counts | (set & OF_T) :: else fi;
#ifdef BREAK_remove_keeps_all
    if :: removed & T -> counts = counts | (set & OF_T) :: else fi;
#else
    if :: removed & T -> counts = counts | (set & OF_T & kept) :: else fi;
#endif
#ifdef BREAK_remove_keeps_words
    if :: removed & T -> counts = counts | (set & WORD_T) :: else fi;
#endif
    if :: !(set & ENTER_T) -> counts = counts & ~OF_T :: else fi;         /* what hangs in the air is as if not held */
    if :: rooted & D -> counts = counts | (set & (ENTER_D | AGAIN_D)) :: else fi;
    if :: rooted & F -> counts = counts | (set & (ENTER_F | OFFER_F)) :: else fi;
    if :: rooted & G -> counts = counts | (set & ENTER_G) :: else fi;
    /* Words: role 0 dismisses for ever; else the highest revision. */
#ifdef BREAK_dismissal_by_revision
    isDismissed = (counts & (DISMISSED | WORD_T)) && !(counts & REINSTATED);
#else
    isDismissed = (counts & (DISMISSED | WORD_T)) != 0;
#endif
    standing = rooted & ~(rooted & G && (set & ENTER_G) -> T : 0);         /* whom a rooted lane succeeds does not stand */
    if
    :: (counts & (WORD | REINSTATED)) && !isDismissed && (set & ENTER_M) ->
        standing = standing | M;
        counts = counts | (set & (ENTER_M | OFFER_M))
    :: else
    fi;
    visible = counts;
    /* What is stored: what may count, the ways to it, the Removes. The rest is refused, and may be taken later. */
    stored = counts | (set & (REMOVE | REMOVE_B));
#ifdef BREAK_anybody_removes
    stored = stored | (set & REMOVE_T);
#endif
#ifdef BREAK_ways_dropped
    if :: removed & T -> stored = stored & ~ENTER_T :: else fi;
#endif
    set = 0; kept = 0; named = 0; counts = 0; rooted = 0; isDismissed = 0
}

inline check() {
    isQuiet = held[0] == held[1] && held[1] == held[2];
    record = 1;
    do
    :: isQuiet && record <= created ->
        if
        :: created & record & ~held[0] -> judge(held[0] | record); isQuiet = (stored == held[0])
        :: else
        fi;
        record = record << 1
    :: else -> break
    od;
    if
    :: isQuiet ->
        /* no trace; also where t was not removed yet, of what the thief did not write */
        judge(created & ~THIEF);
        other = visible;
        stood = standing;
        judge(created);
        assert(!(created & (REMOVE | REMOVE_B)) || (visible == other && standing == stood));
        /* converged */
        other = visible;
        judge(held[0]);
        assert(visible == other);
        /* for ever */
        assert(!(created & DISMISSED) || !(standing & M));
        assert(!(created & (REMOVE | REMOVE_B)) || !(standing & T));
        /* honest */
        other = (created & REMOVE -> heads[0] | children[0] : 0) | (created & REMOVE_B -> heads[1] | children[1] : 0);
        assert((visible & other & ~THIEF) == (other & ~THIEF));
        assert(!(created & ENTER_B) || (standing & B));
        /* again */
        assert(!(created & AGAIN_D) || (standing & D))
    :: else
    fi;
    visible = 0; other = 0; stored = 0; removed = 0; standing = 0; stood = 0; round = 0; record = 0; isQuiet = 0
}

inline come(n, those) {
    judge(held[n] | (those));
    held[n] = stored;
    check()
}
inline write(n, those) {
    created = created | (those);
    come(n, those)
}
/* `since`: what had come before the theft stays, with those that t let in until then. */
inline remove(n, those) {
#ifdef BREAK_since_keeps_late_records
    heads[n] = held[n] & OF_T;
    children[n] = held[n] & (ENTER_D | ENTER_F | ENTER_G);
#else
    heads[n] = before[n] & OF_T;
    children[n] = before[n] & ENTER_D;
#endif
    lanes[n] = T | (held[n] & ENTER_G -> G : 0);
    write(n, those)
}

/* A record that is written where all that it needs is held; by the thief; that comes to a node. */
#define WRITES(n, those, needs) d_step { !(created & (those)) && (held[n] & (needs)) == (needs) -> write(n, those) }
#define STEALS(n, those, needs) d_step { isStolen && !(created & (those)) && (created & (needs)) == (needs) -> write(n, those) }
#define COMES(those) d_step { created & (those) & ~held[0] -> come(0, those) } \
    :: d_step { created & (those) & ~held[1] -> come(1, those) } \
    :: d_step { created & (those) & ~held[2] -> come(2, those) }

active proctype world() {
    d_step {
        created = ENTER_A | ENTER_B | ENTER_T;
        held[0] = created; held[1] = created; held[2] = created
    };
    do
    :: d_step { !isStolen -> isStolen = 1; before[0] = held[0]; before[1] = held[1] }
    :: d_step { !isStolen && !(created & TITLE_T) -> write(2, TITLE_T) }
    :: STEALS(2, ENTER_G, 0)
#ifdef GROUP
    :: STEALS(1, WORD_T, 0)
    :: WRITES(0, WORD, 0)
    :: WRITES(0, DISMISSED, WORD)
    :: WRITES(1, REINSTATED, WORD)
    :: d_step { !(created & ENTER_M) -> write(2, ENTER_M) }
    :: d_step { created & ENTER_M && !(created & OFFER_M) -> write(2, OFFER_M) }
    :: COMES(WORD)
    :: COMES(DISMISSED)
    :: COMES(REINSTATED)
    :: COMES(ENTER_M)
    :: COMES(OFFER_M)
    :: COMES(WORD_T)
#else
    :: d_step { !isStolen && !(created & ENTER_D) -> write(2, ENTER_D) }
    :: STEALS(2, ENTER_F, 0)
    :: STEALS(1, OFFER_F, ENTER_F)
    :: STEALS(1, REMOVE_T, 0)
    :: WRITES(0, AGAIN_D, REMOVE)
    :: COMES(AGAIN_D)
    :: COMES(REMOVE_T)
    :: COMES(ENTER_D)
    :: COMES(ENTER_F)
    :: COMES(OFFER_F)
    :: d_step { isStolen && !(created & REMOVE_B) -> remove(1, REMOVE_B) }
    :: COMES(REMOVE_B)
#endif
    :: d_step { isStolen && !(created & REMOVE) -> remove(0, REMOVE) }
    :: COMES(ENTER_T)
    :: COMES(TITLE_T)
    :: COMES(ENTER_G)
    :: COMES(REMOVE)
    od
}
