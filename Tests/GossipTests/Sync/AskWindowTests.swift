import NodeCore
import Testing

@testable import Gossip

@Suite struct AskWindowTests {
    /// The window after blobs of 4 KiB over a link of that rate, asked for when half of it is here.
    private func window(after seconds: Int, bytesPerSecond: Int, from start: AskWindow = AskWindow()) -> AskWindow {
        var window = start
        var now = MonotonicTime.zero
        window.begin(now: now)
        for _ in 0..<max(1, seconds * bytesPerSecond / 4_096) {
            now += .nanoseconds(Int64(4_096) * 1_000_000_000 / Int64(bytesPerSecond))
            window.arrived(4_096, now: now)
        }
        return window
    }

    @Test func itFollowsTheRate() {
        #expect(window(after: 1, bytesPerSecond: 100_000_000).bytes == Limits.wantedBytesInFlight)
        let slow = window(after: 10, bytesPerSecond: 400_000)
        #expect((350_000...450_000).contains(slow.bytes))
        #expect(window(after: 60, bytesPerSecond: 10_000).bytes == Limits.wantedBytesLeast)
        // The link becomes slower, and faster again.
        let fast = window(after: 1, bytesPerSecond: 50_000_000, from: slow)
        #expect(fast.bytes == Limits.wantedBytesInFlight)
        #expect(window(after: 20, bytesPerSecond: 400_000, from: fast).bytes <= 450_000)
    }

    /// A pause in which nothing was asked for says nothing about the link.
    @Test func restIsNoSlowness() {
        var window = AskWindow()
        window.begin(now: .zero)
        window.rest()
        window.arrived(1 << 20, now: .zero + .seconds(100))
        #expect(window.bytes == Limits.wantedBytesAtFirst)
        window.begin(now: .zero + .seconds(100))
        window.arrived(1 << 20, now: .zero + .seconds(100))
        #expect(window.bytes == 2 * Limits.wantedBytesAtFirst)
    }
}
