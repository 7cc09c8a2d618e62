import NodeCore

/// The record that this device, or its member, no longer belongs to a zone, or did not for a while.
///
/// The device asks again for a time, after ten minutes, then ever less, at last once a day: if the lane that removed it
/// was stolen, and is removed by its person, the removal no longer counts.
struct ZoneEnd: Equatable {
    /// When this device learned of it.
    let since: WallTime
    /// When it last asked.
    private var asked: WallTime
    /// It belongs to the zone again, and the zone's owner has not handled that yet.
    var hasReturned = false

    init(at wall: WallTime) { (since, asked) = (wall, wall) }

    /// When it asks next; nil for never.
    ///
    /// - Parameter hasLeft: it left by itself, so nobody has to undo anything.
    func nextAsk(hasLeft: Bool) -> WallTime? {
        let first = hasLeft ? Limits.askPause : Limits.firstAskPause
        let next = asked + min(max(asked - since, first), Limits.askPause)
        return next - since <= Limits.askedFor ? next : nil
    }

    mutating func ask(at wall: WallTime) { asked = wall }

    /// `[since, asked, has returned]`
    var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.writeArray(3)
        writer.write(since.milliseconds)
        writer.write(asked.milliseconds)
        writer.write(hasReturned)
        return writer.bytes
    }

    /// Nil for empty bytes, which mean no end.
    init?(stored: [UInt8]) throws(CBORError) {
        if stored.isEmpty { return nil }
        var reader = CBORReader(stored)
        guard try reader.readArray(max: 3) == 3 else { throw .unexpectedType(at: 0) }
        since = WallTime(milliseconds: try reader.readInt())
        asked = WallTime(milliseconds: try reader.readInt())
        hasReturned = try reader.readBool()
        try reader.finish()
    }
}
