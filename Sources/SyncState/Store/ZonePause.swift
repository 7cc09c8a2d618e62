package import NodeCore

/// A pause of sync: local work continues, and nothing is sent or fetched until it is resumed.
package struct ZonePause: Hashable, Sendable {
    /// The name of the app or person that paused it, in one line for the user.
    package let by: String
    package let since: WallTime

    package init(by: String, since: WallTime) {
        self.by = by
        self.since = since
    }

    /// `[by, since]`
    package var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.writeArray(2)
        writer.write(text: by)
        writer.write(since.milliseconds)
        return writer.bytes
    }

    /// Nil for empty bytes, which mean no pause.
    package init?(stored: [UInt8]) throws(CBORError) {
        if stored.isEmpty { return nil }
        var reader = CBORReader(stored)
        guard try reader.readArray(max: 2) == 2 else { throw .unexpectedType(at: 0) }
        by = try reader.readText(max: Limits.pausedByBytes)
        since = WallTime(milliseconds: try reader.readInt())
        try reader.finish()
    }
}
