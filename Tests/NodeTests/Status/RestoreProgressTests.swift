import NodeModel
import SyncState
import Testing

@testable import Node

@Suite struct RestoreProgressTests {
    private func percent(here: Int, wanted: Int, counting: Bool = false) -> Int? {
        RestoreProgress(
            held: BlobSum(blobs: here, messages: here, bytes: here * 100),
            wanted: BlobSum(blobs: wanted, messages: wanted, bytes: wanted * 100), wantedTimes: nil, newest: 0,
            isCounting: counting
        ).percent
    }

    @Test func aDayThatLacksSomethingIsNotComplete() {
        let day: Int64 = 86_400
        func days(_ oldest: Int64, _ newest: Int64) -> [Int?] {
            let some = BlobSum(blobs: 1, messages: 1, bytes: 100)
            let progress = RestoreProgress(
                held: some, wanted: some, wantedTimes: (1_000 - oldest) * day...(1_000 - newest) * day,
                newest: 1_000 * day, isCounting: false)
            return [progress.daysHere, progress.daysKnown]
        }
        #expect(days(500, 500) == [500, 501])
        #expect(days(500, 0) == [0, 501])
        #expect(days(0, 0) == [0, 1])
    }

    @Test func thereIsNoPercentageOfWhatIsNotKnown() {
        #expect(percent(here: 0, wanted: 0) == nil)
        #expect(percent(here: 0, wanted: 0, counting: true) == nil)
        #expect(percent(here: 7, wanted: 0, counting: true) == nil)
        #expect(percent(here: 7, wanted: 0) == 100)
        #expect(percent(here: 1, wanted: 3) == 25)
        #expect(percent(here: 1, wanted: 3, counting: true) == 25)
        #expect(percent(here: 0, wanted: 3) == 0)
    }
}
