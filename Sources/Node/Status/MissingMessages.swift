package import Chat
import Gossip
import NodeCore
package import NodeModel
package import SyncState

/// Messages whose records are here but whose segments are missing: their number, their days, and the devices that may
/// have them.
package struct MissingMessages {
    package let sum: BlobSum
    /// Sender's times of the first and last message, in seconds; nil if the records give none.
    package let times: ClosedRange<Int64>?
    /// The devices that have shown that they hold them, likeliest first, except connected ones that have shown since
    /// that they lack them.
    package let holders: [DeviceReport]

    /// `100 messages (12 kB) of 2006-02-24 to 2006-02-28 are missing here; phone or old-tablet may have them`
    package var sentence: String {
        let days = times.map { " of \(Self.days($0))" } ?? ""
        let isOne = (sum.messages > 0 ? sum.messages : sum.blobs) == 1
        let what = "\(Wording.messages(sum))\(days) \(isOne ? "is" : "are") missing here"
        guard !holders.isEmpty else { return "\(what); no device is known to have \(isOne ? "it" : "them")" }
        return "\(what); \(names) may have \(isOne ? "it" : "them")"
    }

    package var remedy: String { remedy(isBusy: false) }

    /// - Parameter isBusy: whether all devices in reach take nothing now.
    func remedy(isBusy: Bool) -> String {
        if holders.isEmpty {
            return "turn on your other devices (what they have arrives automatically), or import an archive"
        }
        return (isBusy ? "make room on \(names) if its storage is full, or turn it on" : "turn on \(names)")
            + "; what it has arrives automatically"
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
    /// Whether it has shown that it holds a segment: it wrote it, or it held everything here after the record came.
    func hasShown(_ segment: MissingSegment) -> Bool {
        guard !isThis, !isLacking else { return false }
        return lane == segment.lane || hasHeld(segment)
    }

    private func hasHeld(_ segment: MissingSegment) -> Bool {
        holdsUpTo.map { $0 >= segment.arrivedAt ?? WallTime(milliseconds: 0) } ?? false
    }

    /// Connected ones come first, then those that were seen with it, by when they were last seen, then the writer, of
    /// which nothing else is known.
    fileprivate func likelihood(of segments: some Sequence<MissingSegment>) -> (Int, Int64) {
        (isConnected ? 2 : segments.contains(where: hasHeld) ? 1 : 0, seen?.milliseconds ?? 0)
    }
}

extension [DeviceReport] {
    /// The devices that have shown that they hold any of these segments, likeliest first.
    func holders(of segments: some Collection<MissingSegment>) -> [DeviceReport] {
        let ranked = filter { segments.contains(where: $0.hasShown) }.map { ($0, $0.likelihood(of: segments)) }
        return ranked.sorted { $0.1 != $1.1 ? $0.1 > $1.1 : $0.0.lane < $1.0.lane }.map(\.0)
    }
}

extension MissingMessages {
    /// Combines several segments; nil if there are none.
    package init?(_ segments: some Collection<MissingSegment>, among devices: [DeviceReport]) {
        guard let first = segments.map(\.times.lowerBound).min(), let last = segments.map(\.times.upperBound).max()
        else { return nil }
        sum = segments.reduce(BlobSum()) { $0 + $1.sum }
        times = Int64(clamping: first)...Int64(clamping: last)
        holders = devices.holders(of: segments)
    }

    /// The missing messages, grouped by the devices that have shown that they hold them; the largest group first.
    package static func parts(_ segments: [MissingSegment], among devices: [DeviceReport]) -> [MissingMessages] {
        let apart = Dictionary(grouping: segments) { segment in
            devices.filter { $0.hasShown(segment) }.map(\.lane)
        }
        return apart.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .compactMap { MissingMessages($0.value, among: devices) }
            .sorted { $0.sum.messages > $1.sum.messages }
    }
}

/// Everything missing here: in total, and grouped by the devices that have shown that they hold it.
package struct MissingHere {
    package let all: MissingMessages
    /// The largest first.
    package let parts: [MissingMessages]
}

extension ZoneReporter {
    /// The messages missing here; nil if there are none. Those beyond the examined segments, or in no segment, are one
    /// group.
    package func missing() throws -> MissingHere? {
        let store = account.zone.store
        let sum = store.total.wanted
        guard sum.blobs > 0 else { return nil }
        let devices = try devices()
        let listed = try account.zone.archive.missingSegments(limit: Limits.missingSegments)
        let parts = MissingMessages.parts(listed, among: devices)
        let rest = sum - parts.reduce(BlobSum()) { $0 + $1.sum }
        let known = devices.holders(of: listed)
        let writers =
            rest.blobs == 0
            ? []
            : devices.filter { device in
                device.wanted.blobs > 0 && !device.isThis && !device.isLacking
                    && !known.contains { $0.lane == device.lane }
            }
        let all = MissingMessages(sum: sum, times: try store.wantedTimes(), holders: known + writers)
        guard rest.blobs > 0 else { return MissingHere(all: all, parts: parts) }
        return MissingHere(
            all: all, parts: parts + [MissingMessages(sum: rest, times: nil, holders: all.holders)])
    }
}

extension MissingMessages {
    /// The times of the first and the last one, since 1970; nil if unknown.
    fileprivate var milliseconds: (from: Int?, to: Int?) {
        (times.map { Int($0.lowerBound) * 1_000 }, times.map { Int($0.upperBound) * 1_000 })
    }
}

extension Gap {
    /// A place in a list at which messages are missing.
    package init(_ missing: MissingMessages) {
        self.init()
        messages = missing.sum.messages
        (from, to) = missing.milliseconds
        sentence = missing.sentence
        holders = missing.holders.map(Holder.init)
    }
}

extension Gap.Holder {
    fileprivate init(_ device: DeviceReport) {
        self.init()
        deviceId = device.lane.hex
        name = device.name
        connected = device.isConnected
        seenAt = device.seen.map { Int($0.milliseconds) }
    }
}

extension MissingPart {
    init(_ missing: MissingMessages) {
        self.init()
        messages = missing.sum.messages
        (from, to) = missing.milliseconds
        devices = missing.holders.map(Gap.Holder.init)
    }

    /// Messages known only by their ids, which no device has shown.
    init(placeholders: Int) {
        self.init()
        messages = placeholders
    }
}
