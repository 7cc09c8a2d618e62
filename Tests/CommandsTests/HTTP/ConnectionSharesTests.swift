import NodeCore
import Testing

@testable import Commands
@testable import Node

@Suite struct ConnectionSharesTests {
    private let granted = ConnectionShares.Claim.granted(ending: nil)
    private let start = MonotonicTime.zero + .seconds(1_000)
    private var shares = ConnectionShares(.init(unknown: 3, known: 6, ofOne: 4, lastingOfOne: 2))

    /// Opens a connection and begins a request of that holder.
    private mutating func begin(
        _ id: ConnectionShares.ID, _ name: String, isLasting: Bool = false
    ) -> ConnectionShares.Claim {
        _ = shares.open(id)
        shares.beginRequest(id)
        return shares.claim(id, for: .token(name), isLasting: isLasting)
    }

    @Test mutating func theOldestOfThoseNobodyKnowsGivesWay() {
        let orders = (1...5).map { shares.open($0) }
        #expect(orders == [nil, nil, nil, .refuse(1), .refuse(2)])
        #expect(shares.count == 3)
    }

    /// A connection is sent nothing after an answer, since a client would take it for its next answer.
    @Test mutating func whoWasAnsweredIsEndedWithoutAWord() {
        for id in 1...3 as ClosedRange<UInt64> { _ = shares.open(id) }
        shares.beginRequest(1)
        shares.endRequest(1, now: start)
        let orders = (4...6).map { shares.open($0) }
        #expect(orders == [.refuse(2), .refuse(3), .end(1)])
    }

    @Test mutating func whoShowedATokenGivesWayToNobodyWhoDidNot() {
        let first = begin(1, "app")
        shares.endRequest(1, now: start)
        let orders = (2...20).compactMap { shares.open($0) }
        #expect(orders == (2...17).map { .refuse($0) })
        shares.beginRequest(1)
        let next = shares.claim(1, for: .token("app"), isLasting: false)
        #expect([first, next] == [granted, granted])
    }

    @Test mutating func oneHolderHasAShareAndTheOthersTheirs() {
        let greedy = (1...6).map { begin($0, "greedy") }
        #expect(greedy == [granted, granted, granted, granted, .refused(.share(4)), .refused(.share(4))])
        let other = begin(7, "other")
        // An idle connection makes room for its holder's next.
        shares.endRequest(2, now: start)
        shares.endRequest(1, now: start)
        let replaced = begin(8, "greedy")
        let more = begin(9, "other")
        #expect([other, replaced, more] == [granted, .granted(ending: 2), granted])
        // All places are taken, and only an idle connection gives way.
        let third = [begin(10, "third"), begin(11, "third")]
        #expect(third == [.granted(ending: 1), .refused(.all)])
        shares.close(3)
        shares.beginRequest(11)
        let late = shares.claim(11, for: .token("third"), isLasting: false)
        #expect(late == granted)
    }

    @Test mutating func streamsHaveAShareOfTheirOwn() {
        let streams = (1...3).map { begin($0, "app", isLasting: true) }
        #expect(streams == [granted, granted, .refused(.lasting(2))])
        let others = [begin(4, "app"), begin(5, "other", isLasting: true)]
        shares.close(1)
        let next = begin(6, "app", isLasting: true)
        // A stream that is over no longer counts, whatever comes next on its connection.
        shares.endRequest(6, now: start)
        let last = begin(7, "app", isLasting: true)
        #expect(others + [next, last] == [granted, granted, granted, granted])
    }

    /// The times at which connections are ended, if checked every second.
    private mutating func ends(_ seconds: ClosedRange<Int64>) -> [String] {
        seconds.flatMap { second -> [String] in
            let now = start + .seconds(second)
            guard let deadline = shares.deadline, deadline <= now else { return [] }
            return shares.look(now).map { "\($0) at \(second)" }
        }
    }

    @Test mutating func aHeadHasADeadlineAndSoHasSilence() {
        _ = shares.open(1)
        #expect(shares.deadline == .zero)
        let head = ends(0...29)
        shares.beginRequest(1)
        shares.endRequest(1, now: start + .seconds(29))
        let silence = ends(30...80)
        #expect(head == [] && silence == ["end(1) at 60"])
        #expect(shares.count == 0 && shares.deadline == nil)
    }

    @Test mutating func whatIsBeingAnsweredHasNone() {
        let claim = begin(1, "app", isLasting: true)
        let ended = ends(0...300)
        #expect(claim == granted && ended == [])
        #expect(shares.deadline == nil)
    }

    /// A byte now and then does not keep a place, but a body that progresses does.
    @Test mutating func aBodyHasToGoOn() {
        for id in 1...3 as ClosedRange<UInt64> {
            _ = begin(id, "app")
            shares.expectBody(id, now: start)
        }
        // The node does not wait for bytes that it does not take.
        shares.endBody(3)
        var ended: [ConnectionShares.Order] = []
        for second in 1...100 as ClosedRange<Int64> {
            let now = start + .seconds(second)
            shares.receiveBody(1, bytes: 1, now: now)
            shares.receiveBody(2, bytes: Limits.bodyProgressBytes / 20, now: now)
            ended += shares.look(now)
            if second < 30 { #expect(ended == []) }
        }
        #expect(ended == [.end(1)])
        #expect(shares.count == 2)
    }
}
