import NodeCore
import SyncState
import Testing

@testable import Gossip

@Suite struct FindListTests {
    private static func txid(_ number: UInt64) -> TxID { TxID(Bytes32(number, 0, 0, number)) }
    private static func at(_ seconds: Int) -> MonotonicTime { .zero + .seconds(seconds) }

    @Test func askedAgainAfterThreeSecondsDoublingToFiveMinutes() {
        var list = FindList()
        list.add([Self.txid(1)], now: .zero)
        var asked: [Int] = []
        for second in 0...1_300 where !list.takeDue(now: Self.at(second), isOutstanding: { _ in true }).isEmpty {
            asked.append(second)
        }
        #expect(asked == [0, 3, 9, 21, 45, 93, 189, 381, 681, 981, 1_281])
    }

    /// A message that no peer has is not considered on its way because it is asked for repeatedly.
    @Test func onlyAnswersToSomethingNewAreExpected() {
        var list = FindList()
        func isExpected(_ second: Int) -> Bool {
            _ = list.takeDue(now: Self.at(second)) { _ in true }
            return list.isAskingAnew(now: Self.at(second))
        }
        list.add([Self.txid(1)], now: .zero)
        #expect(isExpected(0) && isExpected(3))
        #expect(!isExpected(4) && !isExpected(9) && list.isAsking(now: Self.at(9)))
        list.peersHaveNews(now: Self.at(10))
        #expect(isExpected(10) && !isExpected(14))
        _ = list.newest(now: Self.at(15)) { _ in true }
        #expect(isExpected(15) && !isExpected(19))
    }

    @Test func whatIsResolvedIsForgotten() {
        var list = FindList()
        list.add([Self.txid(1), Self.txid(2)], now: .zero)
        #expect(list.takeDue(now: .zero) { $0 == Self.txid(2) } == [Self.txid(2)])
        #expect(list.takeDue(now: Self.at(3)) { _ in false } == [])
        #expect(list.isEmpty && list.deadline(canScan: true) == nil)
    }

    @Test func newsAskForAllThatWaitsButNotTooOften() {
        var list = FindList()
        list.add([Self.txid(1), Self.txid(2)], now: .zero)
        _ = list.takeDue(now: .zero) { _ in true }
        list.peersHaveNews(now: Self.at(1))
        #expect(list.takeDue(now: Self.at(1)) { _ in true } == [Self.txid(2), Self.txid(1)])
        list.peersHaveNews(now: Self.at(2))
        #expect(list.takeDue(now: Self.at(2)) { _ in true } == [])
        // Each is asked for once, though it is also due.
        #expect(list.takeDue(now: Self.at(4)) { _ in true }.count == 2)
        // The user need not wait.
        list.askAgain(now: Self.at(5))
        #expect(list.takeDue(now: Self.at(5)) { _ in true }.count == 2)
    }

    @Test func aTurnAsksForOneMessageOfThem() {
        var list = FindList()
        list.add((1...5_000).map { Self.txid($0) }, now: .zero)
        var turns: [Int] = []
        while let due = list.deadline(canScan: false), due <= .zero {
            turns.append(list.takeDue(now: .zero) { _ in true }.count)
        }
        #expect(turns == [1_024, 1_024, 1_024, 1_024, 904])
        #expect(list.newest(now: .zero) { _ in true }.first == Self.txid(5_000))
        #expect(list.newest(now: .zero) { _ in true }.count == Limits.findsPerSession)
    }

    @Test func aSearchGoesOnForThoseThatCameMeanwhile() {
        var list = FindList()
        list.add([Self.txid(1)], now: .zero)
        #expect(!list.nextScan(now: .zero).isDue)
        #expect(list.nextScan(now: Self.at(1)).isDue)
        list.add([Self.txid(2)], now: Self.at(1))
        list.scanned(to: nil, now: Self.at(1))
        #expect(!list.nextScan(now: Self.at(1)).isDue)
        #expect(list.nextScan(now: Self.at(2)).isDue)
        list.scanned(to: nil, now: Self.at(2))
        #expect(!list.nextScan(now: Self.at(9)).isDue)
    }
}
