import Testing

@testable import KaChatClient

@Suite struct PauseTests {
    @Test func pausesDoubleUpToTheirBoundAndBeginAnew() {
        var pause = Pause()
        let pauses = (0..<8).map { _ in pause.take(chance: 0) }
        #expect(pauses.prefix(3) == [.milliseconds(100), .milliseconds(200), .milliseconds(400)])
        #expect(pauses.last == .seconds(5))
        #expect(pause.take(least: 60, chance: 0) == .seconds(60))
        #expect(pause.take(chance: 0.999) < .milliseconds(6250))
        pause.reset()
        #expect(pause.take(chance: 0) == .milliseconds(100))
    }

    /// A clock cannot represent the end of an endless pause, and sleeping that long would end the program.
    @Test(arguments: [Int.min, -1, 61, 1 << 62, .max]) func noNodeAsksForMoreThanAMinute(least: Int) {
        var pause = Pause()
        #expect((Limits.firstPause ... .seconds(60)).contains(pause.take(least: least, chance: 0)))
    }
}
