import LeaderboardShare
import NodeCore
import Testing

@testable import Node

@Suite struct LifetimeTests {
    /// Other members' programs may write any number into an invitation.
    @Test func whatLiesBehindAllCalendarsIsStillLater() throws {
        #expect(Lifetime.milliseconds(.never) == nil)
        #expect(Lifetime.milliseconds(WallTime(milliseconds: 1_700_000_000_000)) == 1_700_000_000_000)
        let behind: [Int64] = [Int64.max / 1_000 + 1, 1 << 62, .max - 1]
        for milliseconds in behind {
            let end = try #require(Lifetime.milliseconds(WallTime(milliseconds: milliseconds)))
            #expect(!CivilTime(milliseconds: Int64(end)).text.isEmpty)
        }
    }

    @Test func anInvitationLastsFromNow() throws {
        let now = WallTime(milliseconds: 1_000_000)
        #expect(try Lifetime.end("12h", from: now) == now + .seconds(43_200))
        #expect(try Lifetime.end("never", from: now) == .never)
    }
}
