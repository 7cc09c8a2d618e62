import NodeCore
import Testing

@testable import Gossip

@Suite("Trickle timer (RFC 6206)")
struct TrickleTests {
    @Test("Intervals double to the maximum; t lies in the second half", arguments: 0..<20 as Range<UInt64>)
    func doubling(seed: UInt64) {
        var random: any RandomSource = SeededRandom(seed: seed)
        var trickle = Trickle(now: .zero, random: &random)
        var start = MonotonicTime.zero
        var expected = Limits.trickleMinimum
        for _ in 0..<12 {
            #expect(trickle.interval == expected)
            let speakAt = trickle.deadline
            #expect(speakAt - start >= expected / 2 && speakAt - start <= expected)
            #expect(trickle.onTimer(now: speakAt, random: &random).first == .transmit)
            start = start + expected
            if trickle.interval == expected, trickle.deadline == start {
                #expect(trickle.onTimer(now: start, random: &random) == [.began])
            }
            expected = min(expected * 2, Limits.trickleMaximum)
        }
        #expect(trickle.interval == .seconds(64))
    }

    @Test("It keeps silent when three others have spoken")
    func suppression() {
        var random: any RandomSource = SeededRandom(seed: 1)
        for heard in 0..<6 {
            var trickle = Trickle(now: .zero, random: &random)
            trickle.setHeard(heard)
            let step = trickle.onTimer(now: trickle.deadline, random: &random).first
            #expect(step == (heard < 3 ? .transmit : .suppressed))
        }
    }

    @Test("A reset shortens a long interval and leaves the shortest alone")
    func reset() {
        var random: any RandomSource = SeededRandom(seed: 1)
        var trickle = Trickle(now: .zero, random: &random)
        #expect(!trickle.reset(now: .zero, random: &random))
        while trickle.interval < .seconds(64) { _ = trickle.onTimer(now: trickle.deadline, random: &random) }
        let now = trickle.deadline
        let began = trickle.reset(now: now, random: &random)
        #expect(began)
        #expect(trickle.interval == Limits.trickleMinimum)
        #expect(trickle.deadline - now <= Limits.trickleMinimum)
    }

    @Test("News is spoken within the shortest interval, however often more news comes")
    func announce() {
        var random: any RandomSource = SeededRandom(seed: 1)
        var trickle = Trickle(now: .zero, random: &random)
        var now = MonotonicTime.zero
        var spoken = 0
        for _ in 0..<10_000 {
            now += .milliseconds(1)
            _ = trickle.announce(now: now, random: &random)
            spoken += trickle.onTimer(now: now, random: &random).count { $0 == .transmit }
        }
        // Over 10 s with news each millisecond, that is two to four beacons a second.
        #expect(spoken >= 20 && spoken <= 40)
    }

    @Test("After a suspension one beacon goes out, not all that were missed")
    func suspension() {
        var random: any RandomSource = SeededRandom(seed: 1)
        var trickle = Trickle(now: .zero, random: &random)
        let steps = trickle.onTimer(now: .zero + .seconds(100_000), random: &random)
        #expect(steps == [.transmit, .began])
        #expect(trickle.onTimer(now: .zero + .seconds(100_000), random: &random).isEmpty)
    }
}
