import Gossip
import NodeCore
import Transport

/// Limits the cost of strangers: each key tried on a first message takes some hashes, and a node of many accounts has
/// 17 for each of them. If many connections fail, only the zones' current keys are tried, and no other protocol
/// versions. A device that slept through a rotation then connects later; nobody else notices.
struct KeyBudget {
    private var bucket: TokenBucket

    init(now: MonotonicTime) {
        bucket = TokenBucket(burst: Limits.triedKeys, perSecond: Limits.triedKeysPerSecond, now: now)
    }

    /// The keys that may open an incoming connection, each with its index among the doors, and their cost in the
    /// budget.
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

    /// The peer was not a stranger.
    mutating func giveBack(_ cost: Int) { bucket.give(cost) }
}
