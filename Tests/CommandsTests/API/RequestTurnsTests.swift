import NodeCore
import Testing

@testable import Commands

@Suite struct RequestTurnsTests {
    private func order(_ records: (used: Int64, passed: Int)...) -> [Int] {
        RequestTurns.order(records.map { .init(used: .milliseconds($0.used), passed: $0.passed) })
    }

    @Test func aShortRequestGoesAheadOfLongOnes() {
        #expect(order() == [])
        #expect(order((9, 0), (3, 0), (0, 0)) == [2, 1, 0])
        #expect(order((1, 0), (1, 0), (0, 0), (0, 0)) == [2, 3, 0, 1], "equal ones as they came")
    }

    /// Each turn serves two requests. One is the longest waiting, which short ones could otherwise block for ever; a
    /// short one is the other, however many have waited.
    @Test func nobodyWaitsForEver() {
        #expect(order((9, 1), (3, 0), (0, 0)) == [2, 0, 1])
        #expect(order((9, 1), (3, 2), (0, 0)) == [2, 1, 0])
        #expect(order((9, 2), (3, 2), (0, 0)) == [2, 1, 0])
        #expect(order((9, 2), (3, 2), (0, 3)) == [2, 1, 0])
    }

    /// A hundred endless requests, and two new ones of one slice in each turn, with room for three slices.
    @Test func longOnesGoOnBesideNewOnes() {
        var long = [RequestTurns.Record](repeating: .init(), count: 100)
        var served = [Int](repeating: 0, count: 100)
        for _ in 0..<1_000 {
            let all = long + [.init(), .init()]
            let places = RequestTurns.order(all)
            #expect(Set(places.prefix(3)).isSuperset(of: [100, 101]) || long.contains { $0.used == .zero })
            for place in places.dropFirst(3) where place < 100 { long[place].passed += 1 }
            for place in places.prefix(3) where place < 100 {
                served[place] += 1
                long[place] = .init(used: long[place].used + .milliseconds(1))
            }
        }
        #expect(served.allSatisfy { $0 >= 9 })
    }
}
