import Chat
package import Gossip
package import NodeCore
package import NodeModel
package import SyncState

/// The progress of an account's restore. Records travel first, so that the total is known from the start.
package struct SyncProgress {
    package let held: BlobSum
    package let wanted: BlobSum
    package let bytesPerSecond: Double
    package let messagesPerSecond: Double
    /// The times of blobs still missing, in seconds: everything newer is here.
    let wantedTimes: ClosedRange<Int64>?
    /// The newest known message, in seconds; 0 if there is none.
    package let newest: Int64
    /// Records are still arriving, so more will be missing than is known.
    let isCounting: Bool

    package var isComplete: Bool { wanted.blobs == 0 }

    /// 0 to 100, by bytes: the share of the known content that is here. Nil while nothing is known: there is no
    /// content, or the records that list it are still arriving.
    package var percent: Int64? {
        let all = held.bytes + wanted.bytes
        guard all > 0, wanted.blobs > 0 || !isCounting else { return nil }
        return Int64(Double(held.bytes) / Double(all) * 100)
    }

    /// Nil while nothing arrives, or while the total is unknown.
    package var secondsLeft: Double? { bytesPerSecond > 0 && !isCounting ? Double(wanted.bytes) / bytesPerSecond : nil }

    /// Days from the newest message back to where history is complete, and to the oldest missing message.
    package var days: (here: Int64, all: Int64)? {
        guard let wantedTimes, newest > 0 else { return nil }
        let day: Int64 = 86_400
        func back(_ time: Int64) -> Int64 { max(0, (newest - time) / day) }
        // The days that lack something are whole nowhere.
        return (back(wantedTimes.upperBound), back(wantedTimes.lowerBound) + 1)
    }
}

extension RestoreProgress {
    package init(_ progress: SyncProgress) {
        self.init()
        messagesHere = progress.held.messages
        messagesWanted = progress.wanted.messages
        bytesHere = progress.held.bytes
        bytesWanted = progress.wanted.bytes
        blobsWanted = progress.wanted.blobs
        bytesPerSecond = Int(progress.bytesPerSecond)
        messagesPerSecond = Int(progress.messagesPerSecond)
        secondsLeft = progress.secondsLeft.map { Int(min($0, 1e12).rounded(.up)) }
        daysHere = progress.days.map { Int($0.here) }
        daysKnown = progress.days.map { Int($0.all) }
        completeFrom = progress.wantedTimes.map { Int($0.upperBound) * 1_000 }
        percent = progress.percent.map { Int($0) }
        counting = progress.isCounting
    }
}

extension SyncProgress {
    package init(_ account: NodeAccount, _ served: ServedZone?, now: MonotonicTime) throws {
        let total = account.zone.store.total
        held = total.held
        wanted = total.wanted
        wantedTimes = try account.zone.store.wantedTimes()
        newest = total.newest
        isCounting = served?.isFetchingRecords ?? false
        let rate = served?.meter.perSecond(account.zone.store.fetched, now: now)
        (bytesPerSecond, messagesPerSecond) = rate ?? (0, 0)
    }
}
