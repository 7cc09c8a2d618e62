import NodeCore
import Testing

@testable import Simulator

@Suite("Event queue")
struct EventQueueTests {
    @Test("Events come by time, and at one time in the order they were put in")
    func order() {
        var random = SeededRandom(seed: 1)
        var queue = EventQueue<Int>()
        var expected: [(at: Int, number: Int)] = []
        for number in 0..<2_000 {
            let at = Int.random(in: 0..<100, using: &random)
            queue.add(number, at: MonotonicTime(nanoseconds: Int64(at)))
            expected.append((at, number))
        }
        expected.sort { ($0.at, $0.number) < ($1.at, $1.number) }
        var found: [Int] = []
        while let next = queue.removeFirst() { found.append(next.event) }
        #expect(found == expected.map(\.number))
        #expect(queue.count == 0 && queue.nextTime == nil)
    }
}
