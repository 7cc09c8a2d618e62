import NodeCore
import SyncState

/// Which of two devices in one room this is.
package enum PairingRole: UInt64, Sendable {
    /// Has what is to be handed over; is dialled, and shows its nonce first.
    case gives = 1
    /// Dials, and commits itself to a nonce before it sees the other one.
    case takes = 2

    var other: PairingRole { self == .gives ? .takes : .gives }
}

/// What is to be handed over.
package enum PairingSubject: UInt64, Sendable {
    case account = 1
    case group = 2
}

/// The keys by which devices that pair find each other. Everybody knows them: they protect nothing, but who does not
/// pair has no door with them, and answers nobody.
enum PairingKeys {
    private static let common = Secret(bytes: [UInt8](repeating: 0, count: 32))

    static let discovery = HKDF.derive(common, "pairing/discovery")
    static let session = HKDF.derive(common, "pairing/session")

    /// What a beacon shows as the digest: who gives and who takes differ, so that both speak soon.
    static func digest(_ role: PairingRole) -> ZoneDigest {
        ZoneDigest(Blake2b.hash16([UInt8(role.rawValue)], domain: "kachat pairing"))
    }
}
