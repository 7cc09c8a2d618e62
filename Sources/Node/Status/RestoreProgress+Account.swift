import Chat
package import Gossip
package import NodeCore
package import NodeModel
import SyncState

extension RestoreProgress {
    /// The progress of an account. Records travel first, so that the total is known from the start.
    package init(_ account: NodeAccount, _ served: ServedZone?, now: MonotonicTime) throws {
        let store = account.zone.store
        let total = store.total
        self.init(
            held: total.held, wanted: total.wanted, wantedTimes: try store.wantedTimes(), newest: total.newest,
            isCounting: served?.isFetchingRecords ?? false)
        let (bytes, messages) = served?.meter.perSecond(store.fetched, now: now) ?? (0, 0)
        (bytesPerSecond, messagesPerSecond) = (Int(bytes), Int(messages))
        // Unknown while nothing arrives, or while the total is unknown.
        if bytes > 0, !counting { secondsLeft = Int(min(Double(bytesWanted) / bytes, 1e12).rounded(.up)) }
    }

    /// - Parameters:
    ///   - wantedTimes: the times of blobs still missing, in seconds: everything newer is here.
    ///   - newest: the newest known message, in seconds; 0 if there is none.
    ///   - isCounting: records are still arriving, so more will be missing than is known.
    init(held: BlobSum, wanted: BlobSum, wantedTimes: ClosedRange<Int64>?, newest: Int64, isCounting: Bool) {
        self.init()
        (messagesHere, messagesWanted) = (held.messages, wanted.messages)
        (bytesHere, bytesWanted, blobsWanted) = (held.bytes, wanted.bytes, wanted.blobs)
        completeFrom = wantedTimes.map { Int($0.upperBound) * 1_000 }
        counting = isCounting
        let all = held.bytes + wanted.bytes
        // Unknown while there is no content, or the records that list it are still arriving.
        if all > 0, wanted.blobs > 0 || !isCounting { percent = Int(Double(held.bytes) / Double(all) * 100) }
        if let wantedTimes, newest > 0 {
            func daysBack(to time: Int64) -> Int { Int(max(0, (newest - time) / 86_400)) }
            daysHere = daysBack(to: wantedTimes.upperBound)
            // The days that lack something are whole nowhere.
            daysKnown = daysBack(to: wantedTimes.lowerBound) + 1
        }
    }
}
