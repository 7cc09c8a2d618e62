import NodeCore
import Testing

@testable import Commands
@testable import Node

@Suite struct LoginCodesTests {
    private var random = SeededRandom(seed: 7)
    private let now = MonotonicTime.zero + .seconds(100)

    @Test mutating func aCodeLetsInOnceAndForAMinute() {
        var codes = LoginCodes()
        let first = codes.make(now: now, random: &random)
        let second = codes.make(now: now, random: &random)
        #expect(first.utf8.count == 64 && first != second)
        let tries: [(code: String, seconds: Int64)] = [
            ("", 0), (String(first.dropLast()), 0), (first, 59), (first, 59), (second, 60),
        ]
        let answers = tries.map { codes.take($0.code, now: now + .seconds($0.seconds)) }
        #expect(answers == [false, false, true, false, false])
    }

    @Test mutating func ofTooManyTheOldestGoes() {
        var codes = LoginCodes()
        let made = (0...Limits.loginCodes).map { _ in codes.make(now: now, random: &random) }
        let answers = made.map { codes.take($0, now: now) }
        #expect(answers == [false] + [Bool](repeating: true, count: Limits.loginCodes))
    }

    @Test mutating func aPageGoesWithItsCode() {
        var codes = LoginCodes()
        let used = codes.make(now: now, random: &random, page: "used")
        _ = codes.make(now: now + .seconds(1), random: &random, page: "late")
        _ = codes.make(now: now, random: &random)
        #expect(codes.deadline == now + Limits.loginCodeTime)
        let before = codes.takeStale(now)
        let isIn = codes.take(used, now: now)
        #expect(before == [] && isIn && codes.deadline == .zero)
        let after = [codes.takeStale(now), codes.takeStale(now), codes.takeStale(now + .seconds(61))]
        #expect(after == [["used"], [], ["late"]] && codes.deadline == nil)
        for _ in 0...Limits.loginCodes { _ = codes.make(now: now, random: &random, page: "one of many") }
        let crowded = codes.takeStale(now)
        codes.dropAll()
        let rest = codes.takeStale(now)
        #expect(crowded == ["one of many"] && rest.count == Limits.loginCodes)
    }
}
