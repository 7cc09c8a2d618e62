import NodeCore

/// A note that this device, or its member, no longer belongs to a zone, or did not for a while.
///
/// The device keeps asking for a time: first after ten minutes, then less and less often, in the end once a day. If the
/// lane that removed it was stolen and its person removes that lane, the removal no longer counts.
struct ZoneEnd: Equatable {
    /// When this device learned of it; never after it last asked, since its clock may have been ahead.
    private(set) var since: WallTime
    /// When it last asked.
    private var asked: WallTime
    /// Whether it belongs to the zone again, and the zone's owner has not handled that yet.
    var hasReturned = false

    init(at wall: WallTime) { (since, asked) = (wall, wall) }

    /// When it asks next; nil for never.
    ///
    /// - Parameter hasLeft: whether it left by itself, so that there is nothing to undo.
    func nextAsk(hasLeft: Bool) -> WallTime? {
        let first = hasLeft ? Limits.askPause : Limits.firstAskPause
        let next = asked + min(max(asked - since, first), Limits.askPause)
        return next - since <= Limits.askedFor ? next : nil
    }

    /// Whether it asks now. A time in the future came from a wrong clock: it neither delays asking nor counts as the
    /// end of it.
    func isDue(hasLeft: Bool, at wall: WallTime) -> Bool {
        asked > wall || nextAsk(hasLeft: hasLeft).map { $0 <= wall } ?? false
    }

    mutating func ask(at wall: WallTime) { (since, asked) = (min(since, wall), wall) }

    /// `[since, asked, has returned]`
    var encoded: [UInt8] {
        CBORWriter.array(since, asked, hasReturned)
    }

    /// Nil for empty bytes, which mean no end.
    init?(stored: [UInt8]) throws(CBORError) {
        if stored.isEmpty { return nil }
        var reader = try CBORReader(stored, array: 3)
        since = try reader.readTime()
        asked = try reader.readTime()
        hasReturned = try reader.readBool()
        try reader.finish()
    }
}
