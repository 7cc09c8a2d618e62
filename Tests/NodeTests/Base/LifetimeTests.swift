import LeaderboardShare
import Testing

@testable import Node

@Suite struct LifetimeTests {
    /// Programs of other members may write any number into an invitation.
    @Test func whatLiesBehindAllCalendarsIsStillLater() throws {
        #expect(Lifetime.milliseconds(Delegation.never) == nil)
        #expect(Lifetime.milliseconds(1_700_000_000) == 1_700_000_000_000)
        let behind: [UInt64] = [UInt64(Int64.max) / 1_000 + 1, 1 << 62, .max - 1]
        for seconds in behind {
            let end = try #require(Lifetime.milliseconds(seconds))
            #expect(end > 9_000_000_000_000_000_000)
            #expect(!CivilTime(milliseconds: Int64(end)).text.isEmpty)
        }
    }
}
