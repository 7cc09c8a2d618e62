import JSONLines
public import NodeModel

/// Many values in one call. Accepted values are durable when the call returns. A call that failed half-way can be
/// repeated: nothing is added twice.
extension NodeClient {
    /// Adds messages, such as another app's history. Messages without a body become missing ones, which the import of
    /// another device resolves.
    ///
    /// - Throws: `storage-full`. A refused message is in the report and does not keep the others out.
    @discardableResult
    public func importMessages(
        _ messages: some Sequence<NewMessage>
    ) async throws(ClientError) -> ImportReport<Imported> {
        try await importLines(Call(.post, "import"), messages.lazy.map(\.encoded))
    }

    /// Adds another app's read positions, one for each conversation. A position that is behind the account's own
    /// changes nothing.
    @discardableResult
    public func importReads(_ reads: some Sequence<ReadLine>) async throws(ClientError) -> ImportReport<ImportedReads> {
        try await importLines(Call(.post, "reads", "import"), reads.lazy.map(\.encoded))
    }

    /// Posts the user's results of many days to a group. A missing game is added if the user may add games.
    ///
    /// - Throws: `usage` for a result without a date.
    @discardableResult
    public func importScores(
        _ scores: some Sequence<NewScore>, to group: String
    ) async throws(ClientError) -> ImportReport<ImportedScores> {
        var lines: [[UInt8]] = []
        for score in scores { lines.append(try score.line.encoded) }
        return try await importLines(Call(.post, "groups", group, "scores", "import"), lines)
    }

    /// Sends the lines in parts, so that none takes longer than a call may, and adds up their counts.
    private func importLines<Counts: Model>(
        _ call: Call, _ lines: some Sequence<[UInt8]>
    ) async throws(ClientError) -> ImportReport<Counts> {
        var (counts, refusals): ([String: JSONValue], [String]) = ([:], [])
        var (part, count, first) = ([UInt8](), 0, 1)
        func send(isLast: Bool) async throws(ClientError) {
            let call = call.query("more", !isLast).query("firstLine", first > 1 ? first : nil).lines(part)
            let value = try await self.call(call) { value throws(FieldError) in value }
            counts.addCounts(value["result"] ?? value)
            refusals += (value["notes"]?.elements ?? []).compactMap(\.text)
            (part, first, count) = ([], first + count, 0)
        }
        for line in lines {
            if !part.isEmpty, part.count + line.count >= Limits.importPartBytes || count == Limits.importPartLines {
                try await send(isLast: false)
            }
            part += line + [0x0A]
            count += 1
        }
        try await send(isLast: true)
        return ImportReport(counts: try Counts("it", of: .object(counts)), refusals: refusals)
    }
}

/// The outcome of an import.
public struct ImportReport<Counts: Hashable & Sendable>: Hashable, Sendable {
    public let counts: Counts
    /// Why values were refused, such as "line 7: lacks `contact`": of a thousand at most. The first one is line 1.
    public let refusals: [String]
}

extension NewScore {
    fileprivate var line: ScoreLine {
        get throws(ClientError) {
            guard let date, let game else {
                throw ClientError(.usage, "a result to import has a game and a date", parameter: "date")
            }
            var line = ScoreLine()
            (line.dateInt, line.score, line.maxAttempts) = (date, score, maxAttempts)
            (line.currentStreak, line.completed) = (currentStreak, score != nil)
            if FieldRule.uuid.complaint(game) == nil { line.gameId = game } else { line.gameName = game }
            return line
        }
    }
}
