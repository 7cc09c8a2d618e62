import Ledger
import NodeCore

/// A device's automatic work for the others, and its turn to do it: making new roots, and sealing them to those who
/// lack them.
struct RootDuty {
    enum Step {
        case nothing
        case rotate
        case seal([RecordHash: [Seal.Recipient]])
    }

    private var duties = LedgerState.Duties()
    /// The revision of the ledger from which `duties` follow; nil if they must be found again.
    private var judged: UInt64?
    /// When it is this device's turn; nil while nothing is due.
    private var turn: MonotonicTime?
    /// Whether this device is the owner's. Any other device waits for its turn in any case, since the owner's devices
    /// may help each other.
    private var isOwners = true
    /// When this device last gave roots out by itself.
    private var sealedAt: MonotonicTime?
    /// The lanes of each member but the owner to which it did so since that time: a member could enter lanes without
    /// end.
    private var (sealed, sealedSince): ([MemberID: Set<Bytes32>], MonotonicTime) = ([:], .zero)
    private var members: [Bytes32: MemberID] = [:]
    /// The root that was the newest when the ledger was last judged, and when it came if that was after the start.
    private var (newest, newestAt): (RecordHash?, MonotonicTime?)
    /// How long a rotation, or Seals that can wait, are held back.
    private var restsUntil: MonotonicTime?

    /// Whether the ledger has changed since, or the wait is over.
    func isStale(_ revision: UInt64, now: MonotonicTime) -> Bool {
        judged != revision || restsUntil.map { $0 <= now } ?? false
    }

    /// When there is something to do.
    func deadline(_ revision: UInt64) -> MonotonicTime? {
        judged == revision ? [turn, restsUntil].compactMap(\.self).min() : .zero
    }

    /// - Parameter newest: the root under which this device writes.
    mutating func judge(
        _ state: LedgerState, _ revision: UInt64, as own: LaneKey, holding ring: RootRing, newest: RecordHash,
        now: MonotonicTime
    ) {
        if let before = self.newest, before != newest { newestAt = now }
        self.newest = newest
        restsUntil = newestAt.map { $0 + Limits.rotationPause }.flatMap { $0 > now ? $0 : nil }
        duties = state.duties(of: own, holding: ring, resting: restsUntil != nil)
        holdBack(state, as: own, now: now)
        judged = revision
        if duties.isEmpty {
            turn = nil
        } else if turn == nil {
            isOwners = own.member == state.owner
            let alike = state.standingLanes.filter { ($0.member == state.owner) == isOwners }
            let pause = Limits.dutyPause * (alike.firstIndex(of: own) ?? 0)
            turn = now + (isOwners ? min(pause, Limits.dutyPauseMost) : Limits.dutyPauseMost + pause)
        }
    }

    /// Holds back Seals to further lanes of a member if this device sealed to as many of them today as it may.
    private mutating func holdBack(_ state: LedgerState, as own: LaneKey, now: MonotonicTime) {
        if sealedSince + Limits.sealedDay <= now { (sealed, sealedSince) = ([:], now) }
        guard !duties.seals.isEmpty else { return }
        let others = state.standingLanes.lazy.filter { ![own.member, state.owner].contains($0.member) }
        members = Dictionary(others.map { ($0.lane.storage, $0.member) }) { first, _ in first }
        var count = sealed
        for (root, recipients) in duties.seals.sorted(by: { $0.key < $1.key }) {
            let due = recipients.filter { recipient in
                guard let member = members[recipient.id] else { return true }
                let isKnown = count[member]?.contains(recipient.id) ?? false
                guard isKnown || count[member]?.count ?? 0 < Limits.sealedLanes else { return false }
                count[member, default: []].insert(recipient.id)
                return true
            }
            duties.seals[root] = due.isEmpty ? nil : due
            let next = sealedSince + Limits.sealedDay
            if due.count < recipients.count { restsUntil = min(restsUntil ?? next, next) }
        }
    }

    private mutating func note(_ seals: [RecordHash: [Seal.Recipient]]) {
        for recipient in seals.values.joined() {
            if let member = members[recipient.id] { sealed[member, default: []].insert(recipient.id) }
        }
    }

    /// The work that is due now. Failed work is tried again when the ledger changes.
    ///
    /// - Parameter connected: devices with an open session, which need not wait for the others' turns.
    mutating func step(connected: [LaneID], now: MonotonicTime) -> Step {
        guard let turn else { return .nothing }
        if let next = sealedAt.map({ $0 + Limits.sealPause }), now < next, !duties.rotates {
            self.turn = max(turn, next)
            return .nothing
        }
        if turn <= now {
            (sealedAt, self.turn) = (now, nil)
            if duties.rotates { return .rotate }
            note(duties.seals)
            return .seal(duties.seals)
        }
        guard isOwners, !connected.isEmpty, !duties.rotates else { return .nothing }
        let here = Set(connected.map(\.storage))
        let due = duties.seals.filter { $0.value.contains { here.contains($0.id) } }
        guard !due.isEmpty else { return .nothing }
        sealedAt = now
        note(due)
        return .seal(due)
    }
}
