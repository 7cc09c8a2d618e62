package import NodeCore

/// A join that waits for a member, as stored across restarts: `[1, token, removals, since]`.
package struct PendingJoin: Sendable {
    package let token: GroupToken
    /// The number of times the group removed this account's keys: input for deriving the member's key.
    package let removals: UInt32
    package let since: WallTime

    private static let formatVersion: UInt64 = 1

    package init(token: GroupToken, removals: UInt32 = 0, since: WallTime) {
        self.token = token
        self.removals = removals
        self.since = since
    }

    /// The same join with the next key, because the group removed the current one. Nil after too many removals.
    package var withNextKey: PendingJoin? {
        removals < Limits.removals ? PendingJoin(token: token, removals: removals + 1, since: since) : nil
    }

    /// A secret, because the token is one.
    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 512)
        writer.writeArray(4)
        writer.write(Self.formatVersion)
        writer.write(bytes: token.encoded)
        writer.write(UInt64(removals))
        writer.write(since.milliseconds)
        return writer.bytes
    }

    package init(encoded: [UInt8]) throws {
        var reader = CBORReader(encoded)
        guard try reader.readArray(max: 4) == 4, try reader.readUInt() == Self.formatVersion else {
            throw TokenError.notValid
        }
        token = try GroupToken(encoded: try reader.readBytes(max: Limits.tokenInputBytes))
        guard let removals = UInt32(exactly: try reader.readUInt()), removals <= Limits.removals else {
            throw TokenError.notValid
        }
        self.removals = removals
        since = WallTime(milliseconds: try reader.readInt())
        try reader.finish()
    }
}
