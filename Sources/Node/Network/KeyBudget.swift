import Gossip
import NodeCore
import Transport

/// Bounds what strangers cost: each key that a first message is tried with takes some hashes, and a node of many
/// accounts has 17 for each of them. Where many connections come to nothing, only the zones' present keys are tried,
/// and no other versions of the protocol. Who slept through a rotation comes in later then; all others notice nothing.
struct KeyBudget {
    private var bucket: TokenBucket

    init(now: MonotonicTime) {
        bucket = TokenBucket(burst: Limits.triedKeys, perSecond: Limits.triedKeysPerSecond, now: now)
    }

    /// What a connection that comes in may be opened with, each by its place among the doors, and what that takes from
    /// the budget.
    package mutating func candidates(_ doors: [SessionDoor], now: MonotonicTime) -> (
        list: [SessionCandidate], cost: Int
    ) {
        let isAmple = bucket.take(doors.count, now: now)
        let list = doors.enumerated().filter { isAmple || $0.element.isCurrent }.map { index, door in
            SessionCandidate(
                id: index, psk: door.psk, staticKey: door.staticKey, isCurrent: door.isCurrent && isAmple)
        }
        return (list, isAmple ? doors.count : 0)
    }

    /// It was no stranger.
    mutating func giveBack(_ cost: Int) { bucket.give(cost) }
}
