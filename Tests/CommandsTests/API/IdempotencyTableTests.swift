import NodeCore
import Testing

@testable import Commands
@testable import Node

@Suite struct IdempotencyTableTests {
    private func word(_ admission: IdempotencyTable.Admission) -> String {
        switch admission {
        case .fresh: "fresh"
        case .again(let answer): "again \(answer.status)"
        case .refused(let problem): problem.code
        }
    }

    private func key(_ text: String) -> IdempotencyTable.Key { IdempotencyTable.Key(tokenID: nil, text: text) }
    private func answer(_ status: Int) -> HTTPAnswer { HTTPAnswer(status: status, type: "x", bytes: []) }

    @Test func aSecondRequestGetsTheFirstOnesAnswer() {
        var table = IdempotencyTable()
        let (one, two) = (Bytes16(0, 1), Bytes16(0, 2))
        #expect(word(table.admit(key("a"), request: one, now: .zero)) == "fresh")
        #expect(word(table.admit(key("a"), request: one, now: .zero)) == "in-progress")
        #expect(word(table.admit(key("a"), request: two, now: .zero)) == "key-reused")
        table.finish(key("a"), answer(200))
        #expect(word(table.admit(key("a"), request: one, now: .zero)) == "again 200")
        #expect(word(table.admit(IdempotencyTable.Key(tokenID: "t", text: "a"), request: two, now: .zero)) == "fresh")
        let later = MonotonicTime.zero + Limits.idempotencyTime + .seconds(1)
        #expect(word(table.admit(key("a"), request: two, now: later)) == "fresh")
    }

    @Test func whatFailedOnOurSideIsTriedAgain() {
        var table = IdempotencyTable()
        for answer in [answer(503), nil] {
            #expect(word(table.admit(key("a"), request: .zero, now: .zero)) == "fresh")
            table.finish(key("a"), answer)
        }
        #expect(word(table.admit(key("a"), request: .zero, now: .zero)) == "fresh")
        table.finish(key("a"), answer(404))
        #expect(word(table.admit(key("a"), request: .zero, now: .zero)) == "again 404")
    }

    @Test func thereIsABound() {
        var table = IdempotencyTable()
        for number in 0...Limits.idempotencyKeys {
            _ = table.admit(key("\(number)"), request: .zero, now: .zero)
            table.finish(key("\(number)"), answer(200))
        }
        #expect(word(table.admit(key("0"), request: .zero, now: .zero)) == "fresh")
        #expect(word(table.admit(key("\(Limits.idempotencyKeys)"), request: .zero, now: .zero)) == "again 200")
    }
}
