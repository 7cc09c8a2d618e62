import Chat
import NodeCore
import SyncState

/// Log lines at level debug, for tracing errors: ids, counts and times.
extension NodeNetwork {
    /// Logs each message of the account of which another copy arrives.
    func tellMerges(of zone: any NodeZone) {
        guard log.tells(.debug), let account = zone as? NodeAccount else { return }
        account.zone.chat.whenMerged = { [log] in log.line(.debug, "merged", $0.sentence) }
    }

    /// Ends the machine's turn, and logs what it made durable.
    func tellBatches(_ endTurn: () -> Void) {
        guard log.tells(.debug) else { return endTurn() }
        let start = node.clock.now()
        endTurn()
        let microseconds = (node.clock.now() - start).heldNanoseconds / 1_000
        for zone in node.zones {
            let store = zone.replicated.store
            let before = toldRecords.updateValue(store.recordCount, forKey: zone.placeID) ?? 0
            guard store.recordCount != before else { continue }
            log.line(
                .debug, "batch",
                "\(zone.name): \(Wording.count(store.recordCount - before, "record")) more, "
                    + "\(store.recordCount) in all, \(store.wantedCount) blobs wanted; committed in \(microseconds) us")
        }
    }
}

extension MessageMerge {
    /// Which copies met, and which is shown.
    package var sentence: String {
        "txid \(txid.hex): here \(Self.words(held)); came \(Self.words(given)); "
            + "\(isSameContent ? "the same" : "another") content; shown is what \(isGivenShown ? "came" : "was here")"
    }

    private static func words(_ side: Side) -> String {
        let score = side.acceptingDaaScore.map { "\($0)" } ?? "none"
        let time = side.blockTime.map { "\($0)" } ?? "none"
        return "\(side.bodyBytes) bytes, \(side.attachments) attachments, \(side.status), score \(score), block \(time)"
    }
}
