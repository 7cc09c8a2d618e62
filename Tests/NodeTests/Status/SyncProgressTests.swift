import NodeModel
import SyncState
import Testing

@testable import Node

@Suite struct SyncProgressTests {
    private func percent(here: Int, wanted: Int, counting: Bool = false) -> Int? {
        let progress = SyncProgress(
            held: BlobSum(blobs: here, messages: here, bytes: here * 100),
            wanted: BlobSum(blobs: wanted, messages: wanted, bytes: wanted * 100), bytesPerSecond: 0,
            messagesPerSecond: 0, wantedTimes: nil, newest: 0, isCounting: counting)
        return RestoreProgress(progress).percent
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
