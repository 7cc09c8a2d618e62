import Chat
import NodeCore
import SyncState

/// Opaque records with incompressible blobs of 4 to 16 KiB.
struct BlobFill {
    static let sizes = 4_096...16_384
    let records: Int
    let seed: UInt64

    func fill(_ zone: AccountZone, from first: Int = 0) throws {
        var random = SeededRandom(seed: seed &+ UInt64(first))
        for number in first..<first + records {
            let size = Int(random.next() % UInt64(Self.sizes.count)) + Self.sizes.lowerBound
            try zone.opaque.add(name: "bench.\(seed).\(number)", random.bytes(size))
            if number % 128 == 127 { try zone.commitUntold() }
        }
        try zone.commitUntold()
    }
}

extension AccountZone {
    /// Commits; there is nobody to announce the records to.
    func commitUntold() throws {
        try commit()
        _ = store.takeWritten()
    }
}
