package import Chat
import Gossip
package import NodeCore
package import NodeModel
package import SyncState

/// Messages whose records are here but whose segments are missing: their number, their days, and the devices that may
/// have them.
package struct MissingMessages {
    package let sum: BlobSum
    /// Sender's times of the first and last message, in seconds; nil if the records give none.
    package let times: ClosedRange<Int64>?
    /// Devices that may have them, likeliest first. Excludes connected ones that have shown that they lack them.
    package let holders: [DeviceReport]

    /// `100 messages (12 kB) of 2006-02-24 to 2006-02-28 are missing here; phone or old-tablet may have them`
    package var sentence: String {
        let days = times.map { " of \(Self.days($0))" } ?? ""
        let isOne = (sum.messages > 0 ? sum.messages : sum.blobs) == 1
        let what = "\(Wording.messages(sum))\(days) \(isOne ? "is" : "are") missing here"
        guard !holders.isEmpty else { return "\(what); no device is known to have \(isOne ? "it" : "them")" }
        return "\(what); \(names) may have \(isOne ? "it" : "them")"
    }

    package var remedy: String {
        holders.isEmpty
            ? "turn on your other devices (what they have arrives automatically), or import an archive"
            : "turn on \(names); what it has arrives automatically"
    }

    /// `phone, laptop or old-tablet`
    package var names: String {
        let named = holders.prefix(Limits.namedDevices).map(\.shownName)
        let more = holders.count - named.count
        let all = named + (more > 0 ? ["\(more) more"] : [])
        guard let last = all.last, all.count > 1 else { return all.first ?? "a device that has them" }
        return all.dropLast().joined(separator: ", ") + " or " + last
    }

    /// `2006-02-24`, `2006-02-24 to 2006-02-28`
    private static func days(_ times: ClosedRange<Int64>) -> String {
        let (first, last) = (CivilTime.day(times.lowerBound), CivilTime.day(times.upperBound))
        return first == last ? first : "\(first) to \(last)"
    }
}

extension DeviceReport {
    /// Ranks devices by how likely they have content that a device of `lanes` wrote up to `newest` (seconds); nil if
    /// nothing suggests it. Connected ones come first, then those that held everything since then, by when they were
    /// last seen, then the writer itself, about which nothing else is known.
    func likelihood(of lanes: Set<LaneID>, upTo newest: Int64) -> (Int, Int64)? {
        guard !isThis, !isLacking else { return nil }
        let seen = seen?.milliseconds ?? 0
        let hasHeld = holdsUpTo.map { $0.milliseconds / 1_000 >= newest } ?? false
        guard hasHeld || lanes.contains(lane) else { return nil }
        return (isConnected ? 2 : hasHeld ? 1 : 0, seen)
    }
}

extension [DeviceReport] {
    /// Devices that may have it, likeliest first.
    package func holders(of lanes: Set<LaneID>, upTo newest: Int64) -> [DeviceReport] {
        let ranked = compactMap { device in
            device.likelihood(of: lanes, upTo: newest).map { (device: device, rank: $0) }
        }
        return ranked.sorted { $0.rank != $1.rank ? $0.rank > $1.rank : $0.device.lane < $1.device.lane }.map(\.device)
    }
}

extension ZoneReporter {
    /// Everything missing here; nil if there is nothing.
    package func missing() throws -> MissingMessages? {
        let store = account.zone.store
        let sum = store.total.wanted
        guard sum.blobs > 0 else { return nil }
        let devices = try account.devices(network?.served(account), clock: clock)
        let times = try store.wantedTimes()
        let lanes = Set(devices.filter { $0.wanted.blobs > 0 }.map(\.lane))
        return MissingMessages(
            sum: sum, times: times, holders: devices.holders(of: lanes, upTo: times?.upperBound ?? 0))
    }
}

extension MissingMessages {
    /// Combines several segments; nil if there are none.
    package init?(_ segments: ArraySlice<MissingSegment>, among devices: [DeviceReport]) {
        guard let first = segments.map(\.times.lowerBound).min(), let last = segments.map(\.times.upperBound).max()
        else { return nil }
        sum = segments.reduce(BlobSum()) { $0 + $1.sum }
        times = Int64(clamping: first)...Int64(clamping: last)
        holders = devices.holders(of: Set(segments.map(\.lane)), upTo: Int64(clamping: last))
    }
}

extension Gap {
    /// A place in a list at which messages are missing.
    package init(_ missing: MissingMessages) {
        self.init()
        messages = missing.sum.messages
        from = missing.times.map { Int($0.lowerBound) }
        to = missing.times.map { Int($0.upperBound) }
        sentence = missing.sentence
        holders = missing.holders.map { device in
            var holder = Holder()
            holder.deviceId = device.lane.hex
            holder.name = device.name
            holder.connected = device.isConnected
            holder.seenAt = device.seen.map { Int($0.milliseconds) }
            return holder
        }
    }
}
