import NodeCore
import SyncState
import Testing

@testable import Chat

@Suite("Messages sent in one second") struct SenderOrdersTests {
    /// Messages sent in one second and in no block, with unordered txids.
    private static let burst = (0..<60).map { number in
        ChatMessage(
            txid: TxID(Bytes32(UInt64(number) &* 0x9E37_79B9_7F4A_7C15, 0, 0, UInt64(number))), conversationID: "bob",
            contact: "bob", direction: .sent, senderTimestamp: 1_700_000_000, status: .pending, body: "text \(number)")
    }

    private func add(_ messages: some Sequence<ChatMessage>, to fixture: ChatFixture) throws {
        try fixture.database.transaction {
            for message in messages { _ = try fixture.chat.add(message, now: .zero) }
        }
    }

    private func listed(_ fixture: ChatFixture) throws -> [TxID] {
        try fixture.listing("bob", pageSize: 7).map(\.message.txid).reversed()
    }

    @Test("They stand as they were added: queued, after a start, in segments, and on a device that gets these")
    func order() throws {
        let database = try Database(path: ":memory:")
        let first = try ChatFixture(database)
        try add(Self.burst.prefix(10), to: first)
        #expect(try listed(first) == Self.burst.prefix(10).map(\.txid))
        let fixture = try ChatFixture(database)
        // A message that is given again stays where it is.
        try add([Self.burst[3]] + Self.burst.dropFirst(10).prefix(30), to: fixture)
        try fixture.cut(force: false)
        try add(Self.burst.dropFirst(40), to: fixture)
        #expect(try listed(fixture) == Self.burst.map(\.txid))
        try fixture.cut()
        #expect(try listed(fixture) == Self.burst.map(\.txid))
        let other = try ChatFixture()
        for (number, segment) in try fixture.store.contents().enumerated().reversed() {
            try other.arrive(segment.messages, sequence: UInt64(number))
        }
        #expect(try listed(other) == Self.burst.map(\.txid))
        #expect(try listed(ChatFixture(database)) == Self.burst.map(\.txid))
        // The chain's order prevails, and takes nothing from the others.
        var mined = Self.burst[50]
        mined.blockTime = 1_700_000_000_400
        try fixture.accept(mined)
        let rest = Self.burst.map(\.txid).filter { $0 != mined.txid }
        #expect(try listed(fixture) == [mined.txid] + rest)
    }

    @Test("Of two devices that hold the same messages in other orders, both show the same")
    func twoDevices() throws {
        let fixtures = [try ChatFixture(), try ChatFixture()]
        try add(Self.burst.prefix(20), to: fixtures[0])
        try add(Self.burst.prefix(20).reversed(), to: fixtures[1])
        for fixture in fixtures { try fixture.cut() }
        let segments = try fixtures.map { try $0.store.contents().flatMap(\.messages) }
        try fixtures[0].arrive(segments[1])
        try fixtures[1].arrive(segments[0])
        #expect(try listed(fixtures[0]) == listed(fixtures[1]))
    }

    @Test("A message that is given again takes no place, however often")
    func known() throws {
        let fixture = try ChatFixture()
        try add([Self.burst[0]], to: fixture)
        for _ in 0..<1_100 { try add([Self.burst[0]], to: fixture) }
        try add(Self.burst.dropFirst().prefix(20), to: fixture)
        #expect(try fixture.listing("bob").map { Int($0.message.senderOrder) }.reversed() == Array(0...20))
        #expect(try listed(fixture) == Self.burst.prefix(21).map(\.txid))
        // An archived one does not take a place either.
        try fixture.cut()
        try add(Self.burst.prefix(21), to: fixture)
        try add([Self.burst[21]], to: fixture)
        #expect(try fixture.listing("bob").first?.message.senderOrder == 21)
    }

    @Test("A payload says no more than it must: version 1 where no place is told")
    func versions() throws {
        let name = SegmentName(conversationID: "bob", dayBucket: 19_675, writer: ChatFixture.lane, sequence: 0)
        var messages = Array(Self.burst.prefix(2))
        #expect(try SegmentCodec().draft(messages, name: name).meta.payloadVersion == 1)
        messages[1].senderOrder = 1
        #expect(try SegmentCodec().draft(messages, name: name).meta.payloadVersion == 2)
        messages[1].blockTime = 1_700_000_000_400
        #expect(try SegmentCodec().draft(messages, name: name).meta.payloadVersion == 1)
        messages[1].direction = .received
        messages[1].blockTime = nil
        #expect(try SegmentCodec().draft(messages, name: name).meta.payloadVersion == 1)
    }

    @Test("Places and seconds have an end")
    func bounds() {
        var orders = SenderOrders()
        func next(_ message: ChatMessage, first: UInt16 = 0) -> UInt16 {
            let place = orders.next(message) { first }
            #expect(orders.next(message) { 500 } == place)
            orders.take(place, message)
            return place
        }
        let places = (0..<1_200).map { _ in next(Self.burst[0]) }
        #expect(places.prefix(1_000).map { Int($0) } == Array(0..<1_000))
        #expect(places.dropFirst(1_000).allSatisfy { $0 == 999 })
        for second in 1...UInt64(Chat.Limits.senderSeconds) {
            var message = Self.burst[0]
            message.senderTimestamp += second
            #expect(next(message) == 0)
        }
        // The oldest was forgotten, and is looked up.
        #expect(next(Self.burst[0], first: 7) == 7)
    }
}
