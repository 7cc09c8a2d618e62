import Chat
import ChatTestKit
import Ledger
import Node
import NodeCore
import SyncState

/// Lets further devices into a home's account, with records of theirs, so that its zone has several lanes.
enum LanesWorker {
    /// - Parameter phraseFile: holds the words of the account.
    static func run(_ options: BenchOptions, phraseFile: String) throws {
        let signer = try AccountSigner(phraseFile: phraseFile)
        try OfflineHome.use(try options.folder) { zone in
            for device in 1..<UInt8(options.lanes) {
                let other = try AccountZone(
                    database: try Database(path: ":memory:"), keys: zone.keys,
                    deviceSecret: Secret(bytes: [UInt8](repeating: device, count: 32)), entrance: .words(signer),
                    random: SystemRandom(), now: .zero)
                try BlobFill(records: options.records, seed: UInt64(device)).fill(other)
                let entered = other.membership.records.records.map(\.encoded)
                try zone.store.begin()
                _ = try zone.membership.records.take(entered)
                for record in try other.store.records(of: other.lane) {
                    guard case .added(let row) = try zone.store.put(record) else { continue }
                    guard let name = record.blob?.hash.shortPrefix,
                        let blob = try other.store.blob(of: other.lane, seq: record.seq, hashPrefix: name)
                    else { continue }
                    let wanted = WantedBlob(row: row, record: record, priority: 0)
                    _ = try zone.store.put(blob: blob, for: wanted)
                }
                try zone.store.advance(other.lane, head: other.store.own.head)
            }
        }
    }
}
