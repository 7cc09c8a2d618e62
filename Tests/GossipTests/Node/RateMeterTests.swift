import NodeCore
import SyncState
import Testing

@testable import Gossip

@Suite struct RateMeterTests {
    private func sum(_ bytes: Int) -> BlobSum { BlobSum(blobs: 0, messages: bytes / 100, bytes: bytes) }

    @Test func itTellsTheLastSecondsOnly() {
        var meter = RateMeter()
        var now = MonotonicTime.zero
        meter.note(sum(0), now: now)
        #expect(meter.perSecond(sum(0), now: now).bytes == 0)
        for second in 1...20 {
            now = now + .seconds(1)
            meter.note(sum(second * 1_000), now: now)
        }
        #expect(meter.perSecond(sum(20_000), now: now).bytes == 1_000)
        #expect(meter.perSecond(sum(20_000), now: now).messages == 10)
        // From now on it is ten times as fast, and the window forgets the time before.
        for second in 1...5 {
            now = now + .seconds(1)
            meter.note(sum(20_000 + second * 10_000), now: now)
        }
        #expect(meter.perSecond(sum(70_000), now: now).bytes == 10_000)
        // The traffic stops.
        now = now + .seconds(30)
        #expect(meter.perSecond(sum(70_000), now: now).bytes == 0)
    }

    @Test func aBurstBetweenTwoSamplesIsNoInfiniteRate() {
        var meter = RateMeter()
        meter.note(sum(0), now: .zero)
        let now = MonotonicTime.zero + .milliseconds(1)
        meter.note(sum(5_000), now: now)
        #expect(meter.perSecond(sum(5_000), now: now).bytes == 10_000)
    }
}
