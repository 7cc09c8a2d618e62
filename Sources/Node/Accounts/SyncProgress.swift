import Chat
package import Gossip
package import NodeCore
package import SyncState

/// How far an account's restore is. Records travel first, so that all that is to come is known from the start.
package struct SyncProgress {
    package let held: BlobSum
    package let wanted: BlobSum
    package let bytesPerSecond: Double
    package let messagesPerSecond: Double
    /// The times that blobs are still wanted of, in seconds: all that is newer is here.
    let wantedTimes: ClosedRange<Int64>?
    /// The newest message known of, in seconds; 0 where there is none.
    package let newest: Int64
    /// Records are still coming, so that more will be wanted than is known of.
    let isCounting: Bool

    package var isComplete: Bool { wanted.blobs == 0 }

    /// 0 to 100, by bytes: what is here of all that is known to exist. Nil while nothing is known: there is nothing, or
    /// the records that tell what is missing are still coming and none has told of any.
    package var percent: Int64? {
        let all = held.bytes + wanted.bytes
        guard all > 0, wanted.blobs > 0 || !isCounting else { return nil }
        return Int64(Double(held.bytes) / Double(all) * 100)
    }

    /// Nil while nothing comes, or while it is not known how much there is.
    package var secondsLeft: Double? { bytesPerSecond > 0 && !isCounting ? Double(wanted.bytes) / bytesPerSecond : nil }

    /// Days from the newest message back to where history is without a gap, and to the oldest that is still to come.
    package var days: (here: Int64, all: Int64)? {
        guard let wantedTimes, newest > 0 else { return nil }
        let day: Int64 = 86_400
        func back(_ time: Int64) -> Int64 { max(0, (newest - time) / day) }
        return (back(wantedTimes.upperBound), max(back(wantedTimes.lowerBound), 1))
    }

    package var json: JSONValue {
        .object([
            "messagesHere": .number(held.messages), "messagesWanted": .number(wanted.messages),
            "bytesHere": .number(held.bytes), "bytesWanted": .number(wanted.bytes),
            "blobsWanted": .number(wanted.blobs), "bytesPerSecond": .int(Int64(bytesPerSecond)),
            "messagesPerSecond": .int(Int64(messagesPerSecond)),
            "secondsLeft": .optional(secondsLeft.map { Int64(min($0, 1e12).rounded(.up)) }),
            "daysHere": .optional(days?.here), "daysKnown": .optional(days?.all),
            "completeFrom": .optional(wantedTimes.map { $0.upperBound }), "percent": .optional(percent),
            "counting": .bool(isCounting),
        ])
    }
}

extension SyncProgress {
    package init(_ account: NodeAccount, _ served: ServedZone?, now: MonotonicTime) throws {
        let total = account.zone.store.total
        held = total.held
        wanted = total.wanted
        wantedTimes = try account.zone.store.wantedTimes()
        newest = total.newest
        isCounting = served?.sync.isFetchingRecords ?? false
        let rate = served?.meter.perSecond(account.zone.store.fetched, now: now)
        (bytesPerSecond, messagesPerSecond) = rate ?? (0, 0)
    }
}
