package import NodeCore

/// The two keys with which nodes that belong together open a session: one finds the other.
package struct DoorKeys: Sendable {
    /// `K_disc`, 32 bytes. Shows the responder in eight bytes which of its PSKs is meant.
    package let discovery: Secret
    /// 32 bytes.
    package let psk: Secret

    package init(discovery: Secret, psk: Secret) {
        (self.discovery, self.psk) = (discovery, psk)
    }

    /// The answer to a challenge by an initiator that holds these keys. To others it looks random.
    package func hint(_ challenge: [UInt8]) -> UInt64 {
        Blake2b.hash16(challenge, key: discovery, domain: "kachat/door").w0
    }
}

/// The keys under which a node accepts sessions, as seen by the connections of one second: all get the same challenge,
/// so that the hints that fit it are computed once, no matter who connects and how many.
package final class Doors {
    package let challenge: [UInt8]
    private let keys: [DoorKeys]
    /// The first index for each hint. Computed for the first peer that sends one.
    private lazy var indexes = [UInt64: Int](
        keys.enumerated().map { ($0.element.hint(challenge), $0.offset) }, uniquingKeysWith: { first, _ in first })
    /// The ephemeral keys of first messages that fitted. A copy of one is refused.
    private var taken: Set<Bytes32> = []

    /// - Parameters:
    ///   - keys: in order of preference, where one pair of keys opens two places.
    ///   - challenge: `Limits.challengeBytes` random bytes.
    package init(keys: [DoorKeys], challenge: [UInt8]) {
        precondition(challenge.count == Limits.challengeBytes, "invariant: a challenge has its size")
        self.keys = keys
        self.challenge = challenge
    }

    /// The index of the keys that a peer means; nil for a stranger. One look-up, however many keys there are.
    func index(hint: UInt64) -> Int? { indexes[hint] }

    func psk(_ index: Int) -> Secret { keys[index].psk }

    /// False if that ephemeral key opened a session before, or if there were too many.
    func take(_ ephemeral: Bytes32) -> Bool {
        taken.count < Limits.openingsPerChallenge && taken.insert(ephemeral).inserted
    }
}

/// Makes new doors each second, and whenever the keys change.
package struct Doorkeeper {
    private var current: (doors: Doors, revision: UInt64, until: MonotonicTime)?

    package init() {}

    /// The doors for a connection that is accepted now.
    ///
    /// - Parameters:
    ///   - revision: changes with the keys.
    ///   - keys: asked for only if new doors are made.
    package mutating func doors(
        revision: UInt64, random: inout some RandomSource, now: MonotonicTime, keys: () -> [DoorKeys]
    ) -> Doors {
        if let current, current.revision == revision, now < current.until { return current.doors }
        let doors = Doors(keys: keys(), challenge: random.bytes(Limits.challengeBytes))
        current = (doors, revision, now + Limits.challengeLifetime)
        return doors
    }
}
