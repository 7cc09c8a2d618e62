import NodeCore
import TestScale
import Testing

@Suite struct ClockTests {
    @Test func manualClockMovesWhenTold() {
        let clock = ManualClock(now: .zero, wall: WallTime(milliseconds: 1_000))
        let seen: any Clock = clock
        clock.advance(by: .seconds(2))
        #expect(seen.now() == MonotonicTime(nanoseconds: 2_000_000_000))
        #expect(seen.wall() == WallTime(milliseconds: 3_000))
    }

    @Test func systemClockGoesOn() {
        let clock = SystemClock()
        let first = clock.now()
        #expect(clock.now() >= first)
        #expect(first.nanoseconds > 0)
        // 2026-01-01: this program is younger than any machine whose clock is set.
        #expect(clock.wall() > WallTime(milliseconds: 1_767_225_600_000))
    }
}
