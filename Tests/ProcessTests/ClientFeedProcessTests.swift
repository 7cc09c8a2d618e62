import KaChatClient
import KaChatNode
import NodeDriver
import ProcessHarness
import Testing

/// The change feed through the client library, over each way to a node.
extension ProcessTests.Client {
    /// The txids of the added messages that a loop over the feed has seen, in order.
    private static func added(
        _ changes: some AsyncSequence<Change, ClientError>, upTo count: Int
    ) async throws -> [String] {
        var txids: [String] = []
        for try await change in changes where change.kind == .messageAdded {
            txids += change.txids
            if txids.count >= count { break }
        }
        return txids
    }

    private static func told(_ events: EventSequence, upTo count: Int) async throws -> [String] {
        var txids: [String] = []
        for try await event in events {
            guard case .change(let change) = event, change.kind == .messageAdded else { continue }
            txids += change.txids
            if txids.count >= count { break }
        }
        return txids
    }

    @Test(arguments: Way.allCases) func whatChangesIsToldOnceAndInOrderThoughTheNodeDies(way: Way) async throws {
        let subject = try await Subject(way)
        defer { subject.stop() }
        let client = try subject.client()
        let place = try await client.place()
        let loop = Task { try await Self.added(client.changes(since: place), upTo: 40) }
        let stream = Task { try await Self.told(client.events(since: place), upTo: 40) }
        for number in 0..<40 {
            try await client.add(Self.message(number))
            if number % 10 == 9 { try subject.restart() }
        }
        let all = (0..<40).map { Self.message($0).txid }
        #expect(try await loop.value == all)
        #expect(try await stream.value == all)
        // A slow reader that comes late is told everything too.
        #expect(try await Self.added(client.changes(since: .oldest), upTo: 40) == all)
        #expect(try await Self.told(client.events(since: .oldest), upTo: 40) == all)
        #expect(try await client.changes(since: place, limit: 500).count { $0.kind == .messageAdded } == 40)
    }

    @Test(arguments: Way.allCases) func aPlaceOfAnotherStoreBringsAResetAndALoopAnError(way: Way) async throws {
        struct Line: Decodable { var token: String }
        let subject = try await Subject(way)
        defer { subject.stop() }
        let client = try subject.client()
        let stranger = try subject.fixture.stranger()
        let foreign = ChangePlace(token: try #require(try stranger.objects(Line.self, ["changes"]).last).token)
        var loop = client.changes(since: foreign).makeAsyncIterator()
        do {
            _ = try await loop.next()
            Issue.record("a foreign place was taken")
        } catch {
            #expect(error.code == .foreignToken && error.remedy == .readEverythingAnew)
        }
        var events = client.events(since: foreign).makeAsyncIterator()
        guard case .reset(let place, let reason)? = try await events.next() else {
            Issue.record("no reset came")
            return
        }
        #expect(reason.code == .foreignToken && place != foreign)
        try await client.add(Self.message(1))
        while case .change(let change)? = try await events.next() {
            guard change.kind == .messageAdded else { continue }
            #expect(change.txids == [Self.message(1).txid])
            break
        }
    }

    /// A node has 64 streams: if those of ended loops were still open, none would be left for the last ones.
    @Test(arguments: Way.allCases) func aCancelledLoopLeavesNothingBehind(way: Way) async throws {
        let subject = try await Subject(way)
        defer { subject.stop() }
        let client = try subject.client()
        for _ in 0..<100 {
            let (begun, signal) = AsyncStream<Void>.makeStream()
            let task = Task {
                for try await _ in client.events() { signal.yield() }
            }
            for await _ in begun { break }
            task.cancel()
            let error = await #expect(throws: ClientError.self) { try await task.value }
            #expect(error?.code == .cancelled)
        }
        let waiting = Task { try await client.changes(since: .now, limit: 1, waitSeconds: 60) }
        waiting.cancel()
        let error = await #expect(throws: ClientError.self) { try await waiting.value }
        #expect(error?.code == .cancelled)
        #expect(try await client.status().name == "one")
    }

    @Test func whoIsNotLetInAndWhoIsNotThereSayWhatToDo() async throws {
        let subject = try await Subject(.http)
        let client = try subject.client()
        let stranger = try NodeClient(api: subject.node.api ?? "", token: "wrong")
        let refused = await #expect(throws: ClientError.self) { try await stranger.conversations() }
        #expect(refused?.code == .unauthorized && refused?.remedy == .changeTheToken)
        let foreign = try subject.client(account: "nobody")
        let unknown = await #expect(throws: ClientError.self) { try await foreign.conversations() }
        #expect(unknown?.remedy == .tellTheUser || unknown?.remedy == .correctTheCall)
        #expect(try await client.conversations().isEmpty)
        subject.stop()
        let gone = await #expect(throws: ClientError.self) { try await client.conversations() }
        #expect(gone?.code == .notReachable && gone?.remedy == .startTheNode)
    }

    /// Two devices of one account, both in this process.
    @Test func nodesInThisProcessMeetStopAndComeBack() async throws {
        let folder = try TemporaryFolder("kachat-client")
        let (one, two) = (folder.file("one"), folder.file("two"))
        #expect(!InProcessNode.hasHome(at: one))
        let phrase = try #require(try InProcessNode.makeHome(at: one, name: "one"))
        #expect(phrase.split(separator: " ").count == 24)
        #expect(throws: ClientError.self) { try InProcessNode.makeHome(at: one, name: "again") }
        #expect(throws: ClientError.self) { try InProcessNode.makeHome(at: two, name: "two", phrase: phrase + " x") }
        #expect(try InProcessNode.makeHome(at: two, name: "two", phrase: phrase) == nil)
        let three = folder.file("three")
        try InProcessNode.makeHome(at: three, name: "three", walletKey: String(repeating: "7e", count: 32))
        #expect(throws: ClientError.self) { try InProcessNode.makeHome(at: two, name: "x", walletKey: "7e") }
        var nodes = [try await InProcessNode.start(home: one, options: Self.quiet)]
        let inUse = await #expect(throws: ClientError.self) { try await InProcessNode.start(home: one) }
        #expect(inUse?.code.rawValue == "home-in-use")
        let words = phrase.split(separator: " ").map(String.init)
        await #expect(throws: ClientError.self) { try await nodes[0].client().confirmPhrase([2: words[1]]) }
        try await nodes[0].client().confirmPhrase([2: words[1], 24: words[23]])
        let wiped = await #expect(throws: ClientError.self) {
            try await nodes[0].client().confirmPhrase([2: words[1], 24: words[23]])
        }
        #expect(wiped?.code == .notFound)
        try await nodes[0].client().add(Self.message(1))
        // The other one is given its listening address, as on a network without beacons.
        var options = Self.quiet
        options.peers = [try await nodes[0].listen()]
        nodes.append(try await InProcessNode.start(home: two, options: options))
        let second = nodes[1].client()
        try await nodes[0].client().flush()
        var result = try await second.sync(waitSeconds: 60)
        for _ in 0..<20 where result.peers == 0 { result = try await second.sync(waitSeconds: 5) }
        #expect(try await second.message(Self.message(1).txid).body == Self.message(1).body)
        await nodes[0].stop()
        let stopped = nodes[0].client()
        let gone = await #expect(throws: ClientError.self) { try await stopped.status() }
        #expect(gone?.code == .notReachable)
        nodes[0] = try await InProcessNode.start(home: one, options: Self.quiet)
        #expect(try await nodes[0].client().conversations().map(\.messages) == [1])
        for node in nodes { await node.stop() }
    }
}

extension InProcessNode {
    /// The address on which it listens for other devices.
    fileprivate func listen() async throws -> String {
        try #require(try await client().status().listen)
    }
}
