package import NodeCore

/// Where bytes of others come in, or bytes from a disk that may have rotted. Whatever they are, nothing may trap, and
/// what is read must be written as it was.
///
/// The fuzzer (`Fuzz`) and `DoorTests` try the same doors.
package enum Door: UInt8, CaseIterable {
    // The first four: `Fuzz/Corpus` has their numbers.
    case token
    case ledger
    case joining
    case score
    case cbor
    case record
    /// A segment's payload, behind its seal.
    case segment
    /// A compressed payload, and a zstd frame.
    case frame
    case message
    /// The bytes of a session, before and after the handshake.
    case session
    case beacon
    case pairing
    /// A request's target, through the router to its arguments.
    case target
    case body
    case json
    /// The lines of imports.
    case lines
    case settings
    /// An archive or a backup, with the hash of its list made right.
    case container
    /// A leaf of a packed index.
    case leaf
    /// Values in the tables of a home.
    case store
    /// The same of a group.
    case groupStore
    /// The small files of a home, some of which are in backups, too: its identity, its tokens, achievements.
    case home

    package init?(named name: String) {
        guard let door = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
        self = door
    }

    /// The first byte says which door takes the rest.
    ///
    /// - Parameter only: takes the rest whatever the first byte says.
    /// - Returns: what is wrong, if anything.
    package static func fault(in input: some Collection<UInt8>, only: Door? = nil) -> String? {
        guard let first = input.first, let door = only ?? Self(rawValue: first % UInt8(allCases.count)) else {
            return nil
        }
        return door.fault(in: Array(input.dropFirst()))
    }

    /// An input with one to three changes. The first byte, which names the door, stays.
    package static func mutated(_ kept: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var input = kept
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: 1..<max(2, input.count), using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where place < input.count: input[place] = UInt8.random(in: 0...255, using: &random)
            case 1 where place < input.count: input[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2: input.removeSubrange(place...)
            default: input.insert(UInt8.random(in: 0...255, using: &random), at: min(place, input.count))
            }
            if input.count < 2 { input = kept }
        }
        return input
    }

    private func fault(in bytes: [UInt8]) -> String? {
        switch self {
        case .token: Self.token(bytes)
        case .ledger: Self.ledger(bytes)
        case .joining: Self.joining(bytes)
        case .score: Self.score(bytes)
        case .cbor: Self.cbor(bytes)
        case .record: Self.record(bytes)
        case .segment: Self.segment(bytes)
        case .frame: Self.frame(bytes)
        case .message: Self.message(bytes)
        case .session: Self.session(bytes)
        case .beacon: Self.beacon(bytes)
        case .pairing: Self.pairing(bytes)
        case .target: Self.target(bytes)
        case .body: Self.body(bytes)
        case .json: Self.json(bytes)
        case .lines: Self.lines(bytes)
        case .settings: Self.settings(bytes)
        case .container: Self.container(bytes)
        case .leaf: Self.leaf(bytes)
        case .store: Self.store(bytes)
        case .groupStore: Self.groupStore(bytes)
        case .home: Self.home(bytes)
        }
    }
}
