import NodeCore
import Testing

@testable import Node

@Suite struct SleepWatchTests {
    @Test func aTurnThatWasDueLongAgoIsNoSleep() {
        var watch = SleepWatch()
        let now = MonotonicTime.zero + .seconds(1_000)
        #expect(!watch.hasSlept(now: now))
        // A time long past means due at once.
        watch.plan(.zero, now: now)
        #expect(!watch.hasSlept(now: now + .milliseconds(1)))
        watch.plan(now + .seconds(5), now: now)
        #expect(!watch.hasSlept(now: now + .seconds(5)))
        #expect(!watch.hasSlept(now: now + .seconds(24)))
        #expect(watch.hasSlept(now: now + .seconds(26)))
        // Without a plan it is woken from outside, at any time.
        watch.plan(nil, now: now)
        #expect(!watch.hasSlept(now: now + .seconds(9_000)))
    }
}
