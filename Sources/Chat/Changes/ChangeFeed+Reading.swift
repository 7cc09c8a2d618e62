package import NodeCore

/// Reading the feed. Nothing here changes it, and nothing waits: who wants to hear of more compares `latest` after the
/// turn's commit.
extension ChangeFeed {
    /// The entries behind a number, ascending; at most `limit`, and never more than 1,000.
    package func read(after number: UInt64, limit: Int) throws -> [ChangeEntry] {
        try synchronise()
        var entries: [ChangeEntry] = []
        try statements.read(after: number, limit: min(limit, Limits.readChanges)) { number, at, group in
            let token = token(number: number, at: at, kind: group.kind)
            entries.append(ChangeEntry(number: number, at: at, token: token, group: group))
        }
        return entries
    }

    /// When the zone's data changed last, as far as the feed goes back; nil where it tells of nothing.
    package func latestDataChange() throws -> WallTime? {
        try synchronise()
        if let known = dataChange, known.latest == latest { return known.at }
        let at = try statements.latestData()
        dataChange = (latest, at)
        return at
    }

    /// Behind the newest entry.
    package func latestToken() throws -> ChangeToken {
        try synchronise()
        guard latest > 0, let newest = try read(after: latest - 1, limit: 1).first else {
            return ChangeToken(feed: id.w0, number: 0, mark: 0)
        }
        return newest.token
    }

    /// The number from which a reader with this token goes on.
    ///
    /// - Throws: `ChangeError` where it would miss changes, or has seen others.
    package func number(of token: ChangeToken) throws -> UInt64 {
        try synchronise()
        guard token.feed == id.w0, token.number <= latest else { throw ChangeError.foreignToken }
        if token.number == 0, oldest == 1 {
            guard token.mark == 0 else { throw ChangeError.foreignToken }
            return 0
        }
        // The entry itself is needed, since its mark shows that the reader was given this one and no other.
        guard token.number >= oldest else { throw ChangeError.expiredToken }
        guard try read(after: token.number - 1, limit: 1).first?.token == token else { throw ChangeError.foreignToken }
        return token.number
    }

    private func token(number: UInt64, at: WallTime, kind: ChangeKind) -> ChangeToken {
        var writer = ByteWriter(capacity: 17)
        writer.write(u64: number)
        writer.write(u64: UInt64(bitPattern: at.milliseconds))
        writer.write(u8: kind.rawValue)
        let mark = SipHash.hash64(writer.bytes, key: id)
        return ChangeToken(feed: id.w0, number: number, mark: UInt32(truncatingIfNeeded: mark))
    }
}
