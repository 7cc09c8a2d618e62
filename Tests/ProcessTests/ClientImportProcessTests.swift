import KaChatClient
import KaChatNode
import NodeDriver
import ProcessHarness
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests {
    /// Many values in one call, notices and the node's status, over each way to a node.
    @Suite struct ClientImport {
        private typealias Subject = ProcessTests.Client.Subject

        private static func message(_ number: Int) -> NewMessage { ProcessTests.Client.message(number) }

        @Test(arguments: ProcessTests.Client.Way.allCases)
        func aHistoryComesInOneCall(way: ProcessTests.Client.Way) async throws {
            let subject = try await Subject(way)
            defer { subject.stop() }
            let client = try subject.client()
            var history = (0..<5_000).map(Self.message)
            history[4_321].contact = ""
            let report = try await client.importMessages(history)
            #expect(report.counts.added == 4_999 && report.counts.lines == 5_000 && report.counts.refused == 1)
            // The number is that in the call, whichever part the line was sent in.
            #expect(report.refusals.count == 1 && report.refusals.first?.hasPrefix("line 4322: ") == true)
            let again = try await client.importMessages(history.prefix(10))
            #expect(again.counts.known == 10 && again.refusals.isEmpty)
            #expect(try await client.importMessages([]).counts.lines == 0)

            let mark = Self.message(4_000)
            let reads = try await client.importReads([
                ReadLine(
                    conversationId: "alice", lastReadTxId: mark.txid, lastReadBlockTime: try #require(mark.blockTime)),
                ReadLine(conversationId: "", lastReadTxId: nil, lastReadBlockTime: 1),
            ])
            #expect(reads.counts.advanced == 1 && reads.counts.refused == 1 && reads.refusals.count == 1)
            let unread = (4_001..<5_000).count { !$0.isMultiple(of: 3) && $0 != 4_321 }
            #expect(try await client.conversation("alice").unread == unread)

            let told = try await client.explain(mark.txid)
            #expect(told.message?.status == .held && told.conversationId == "alice" && !told.sentence.isEmpty)
            #expect(try await client.explain("alice").conversation?.messages == 4_999)
            let nobody = await #expect(throws: ClientError.self) { try await client.explain("nobody") }
            #expect(nobody?.code == .notFound)
            let report2 = try await client.diagnostics()
            #expect(report2.contains("\"version\"") && !report2.contains("alice"))
            #expect(try await client.peers().isEmpty)
        }

        @Test(arguments: ProcessTests.Client.Way.allCases)
        func resultsOfManyDays(way: ProcessTests.Client.Way) async throws {
            WholeDay.begin()
            let subject = try await Subject(way)
            defer { subject.stop() }
            let client = try subject.client()
            let group = try await client.createGroup("Family")
            try await client.addGame("Wordle", model: .lowerAttempts, maxAttempts: 6, to: group)
            let scores = (1...28).map {
                NewScore(game: "Wordle", score: $0 % 6 + 1, maxAttempts: 6, date: 20_250_200 + $0)
            }
            let report = try await client.importScores(
                scores + [NewScore(game: "Wordle", score: 0, maxAttempts: 6, date: 20_250_301)], to: group)
            #expect(report.counts.added == 28 && report.counts.refused == 1 && report.refusals.count == 1)
            #expect(try await client.scores(in: group).count == 28)
            let wrong = await #expect(throws: ClientError.self) {
                try await client.importScores([NewScore(game: "Wordle", score: 1)], to: group)
            }
            #expect(wrong?.code == .usage)

            let invite = try await client.invite(to: group, people: 3)
            let told = try await client.inspectInvite(invite.token)
            #expect(told.title == "Family" && told.groupId == group && told.people == 3)
            let bad = await #expect(throws: ClientError.self) { try await client.inspectInvite("kachat:x") }
            #expect(bad?.code == .badInput)
            try await client.pauseGroup(group)
            #expect(try await client.group(group).paused)
            try await client.resumeGroup(group)
            #expect(try await !client.group(group).paused)
        }

        @Test(arguments: ProcessTests.Client.Way.allCases)
        func noticesComeByThemselves(way: ProcessTests.Client.Way) async throws {
            let subject = try await Subject(way)
            defer { subject.stop() }
            let client = try subject.client()
            let place = try await client.place()
            var notices = client.notices([.message], since: place).makeAsyncIterator()
            var message = Self.message(1)
            (message.direction, message.senderTs, message.blockTime) = (.received, time(nil), nil)
            message.acceptingDaaScore = nil
            try await client.add(message)
            let first = try #require(try await notices.next())
            #expect(first.kind == .message && first.txids == [message.txid] && first.unread == 1)
            #expect(first.text == "New message from Alice")
            // It continues where it was, across a restart of the node.
            try subject.restart()
            message.txid = Self.message(2).txid
            try await client.add(message)
            #expect(try await notices.next()?.txids == [Self.message(2).txid])
        }

        /// A token gets notices only of what it may read.
        @Test func noticesKeepToTheTokensScopes() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let path = "/v1/notices/stream"
            let readers = try ["chat:read", "groups:read"].map {
                try EventReader(try APIClient(node, scopes: $0), path, since: "now")
            }
            var seen: [[EventReader.Event]] = [[], []]
            func read() { for (place, reader) in readers.enumerated() { seen[place] += reader.next() } }
            try fixture.wait("both have begun") {
                read()
                return seen.allSatisfy { !$0.isEmpty }
            }
            #expect(seen.map { $0.map(\.name) } == [["here"], ["here"]])
            var message = Self.message(1)
            (message.direction, message.senderTs, message.blockTime) = (.received, time(nil), nil)
            message.acceptingDaaScore = nil
            let line = """
                {"txid":"\(message.txid)","conversationId":"alice","contact":"Alice","direction":"received",\
                "senderTs":\(message.senderTs),"body":"x"}

                """
            try node.run(["message", "add"], input: line)
            try fixture.wait("one is told") {
                read()
                return seen[0].count > 1
            }
            for _ in 0..<4 { read() }
            #expect(seen[0].map(\.name) == ["here", "message"] && seen[1].map(\.name) == ["here"])
            // From an unknown place it starts over, as events do.
            let lost = try EventReader(
                try APIClient(node, scopes: "chat:read"), path, lastID: String(repeating: "0", count: 36))
            var events: [EventReader.Event] = []
            try fixture.wait("it begins anew") {
                events += lost.next()
                return !events.isEmpty
            }
            #expect(events.map(\.name) == ["reset"] && events.first?.id == seen[0].last?.id)
        }
    }
}
