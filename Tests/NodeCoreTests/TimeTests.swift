import NodeCore
import Testing

@Suite struct TimeTests {
    @Test func sumsAndDifferences() {
        let start = MonotonicTime(nanoseconds: 5)
        #expect(start + .milliseconds(2) == MonotonicTime(nanoseconds: 2_000_005))
        #expect(start - .nanoseconds(7) == MonotonicTime(nanoseconds: -2))
        #expect((start + .seconds(3)) - start == .seconds(3))
        #expect(start < start + .nanoseconds(1))
        let date = WallTime(milliseconds: 1_000)
        #expect(date + .microseconds(1_999) == WallTime(milliseconds: 1_001))
        #expect(date - .seconds(2) == WallTime(milliseconds: -1_000))
        #expect((date + .seconds(60)) - date == .seconds(60))
    }

    @Test func sumsAreHeldAtTheEnds() {
        let longest = Duration(secondsComponent: .max, attosecondsComponent: 0)
        #expect(MonotonicTime.distantFuture + .seconds(1) == .distantFuture)
        #expect(MonotonicTime.zero + longest == .distantFuture)
        #expect(MonotonicTime.zero - longest == MonotonicTime(nanoseconds: -.max))
        #expect(MonotonicTime(nanoseconds: -5) - longest == MonotonicTime(nanoseconds: .min))
        #expect(MonotonicTime(nanoseconds: .min) - .nanoseconds(1) == MonotonicTime(nanoseconds: .min))
        #expect(MonotonicTime.distantFuture - MonotonicTime(nanoseconds: .min) == Duration.nanoseconds(Int64.max))
        #expect(WallTime(milliseconds: .max) + .milliseconds(1) == WallTime(milliseconds: .max))
        #expect(WallTime(milliseconds: 0) + longest == WallTime(milliseconds: .max))
        #expect((Duration.zero - longest).heldNanoseconds == .min)
        #expect(Duration.milliseconds(-1).heldMilliseconds == -1)
    }
}
