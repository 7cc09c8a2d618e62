import Ledger
import NodeCore
import Testing

@testable import Commands
@testable import LeaderboardShare

/// Members choose their names: a text that could name two of them names neither.
@Suite struct MemberNamingTests {
    private func member(_ name: String, _ id: UInt8) throws -> GroupMember {
        GroupMember(
            id: try #require(MemberID(bytes: [UInt8](repeating: id, count: 32))), name: name, role: .member,
            state: .active, isConfirmed: true, invitedBy: nil, devices: 1, isMe: false)
    }

    private func meant(by text: String, _ members: GroupMember...) -> [String] {
        MemberNaming.meant(by: text, among: members).map(\.id.hex).map { String($0.prefix(2)) }
    }

    /// Two were called Ben and shown with id prefixes; then one of them took the other's shown name.
    @Test func aNameLikeThatOfADoubleNamesBoth() throws {
        let (ben, mallory) = (try member("Ben", 0xC1), try member("Ben c1c1", 0x99))
        #expect(meant(by: "Ben c1c1", ben, mallory) == ["c1", "99"])
        #expect(meant(by: "ben C1C1", ben, mallory) == ["c1", "99"])
        #expect(meant(by: "Ben", ben, mallory) == ["c1"])
        #expect(meant(by: "Ben c1", ben, try member("Ben c1", 0x99)) == ["99"], "shown with four digits or more")
        // A member that uses its own id prefix makes no name ambiguous.
        #expect(meant(by: "Ben", ben, try member("Ben 9999", 0x99)) == ["c1"])
    }

    @Test func doublesAreMeantByTheirCommonName() throws {
        let both = (try member("Ben c1c1", 0xC1), try member("Ben 9999", 0x99))
        #expect(meant(by: "Ben", both.0, both.1) == ["c1", "99"])
        #expect(meant(by: "Ben 9999", both.0, both.1) == ["99"])
    }
}
