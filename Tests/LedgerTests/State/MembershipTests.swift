import Ledger
import NodeCore
import Testing

/// Who is a member of a group, and in which role.
@Suite struct MembershipTests {
    /// A group with "m", who joined by the owner's ticket.
    private static func withMember(_ role: Role = .member) -> LedgerScene {
        var scene = LedgerScene.group()
        let invite = scene.invite("o", role, keys: ["t0", "t1"])
        scene.enter("m", person: "M", first: "m", .ticket(invite, 0, key: "t0"))
        return scene
    }

    @Test func aTicketLetsOneIn() {
        let scene = Self.withMember()
        #expect(scene.state.members == [scene.member("o"): .owner, scene.member("m"): .member])
        #expect(scene.state.standing(of: scene.key("m")) == .active)
        #expect(scene.state.rows(of: scene.key("m")) == .all)
        #expect(!scene.state.isConfirmed(scene.member("m")))
    }

    @Test func ofTwoWithOneTicketOneStandsWhateverCameFirst() {
        var scene = Self.withMember()
        let invite = scene.records[2]
        scene.enter("n", person: "N", first: "n", .ticket(invite, 0, key: "t0"))
        let standing = ["m", "n"].filter { scene.state.members[scene.member($0)] != nil }
        #expect(standing.count == 1)
        // The owner's device confirms all who stay, and then nobody else's claim matters.
        let loser = standing == ["m"] ? "n" : "m"
        scene.word(
            "o", on: scene.member(loser), .member, revision: 1,
            ticket: .init(issuer: scene.member("o"), ticket: TicketID(invite: invite.hash, index: 0)))
        #expect(scene.state.members[scene.member(loser)] == .member)
        #expect(scene.state.members[scene.member(standing[0])] == nil)
    }

    /// All devices name the same ticket, in whatever order they go through members and tickets.
    @Test func ofSeveralOneIsNamed() throws {
        var scene = LedgerScene.group()
        let keys = (0..<8).map { "t\($0)" }
        let invites = (0..<4).map { _ in scene.invite("o", keys: keys) }
        func ticket(_ invite: Int, _ index: Int) -> TicketID {
            TicketID(invite: invites[invite].hash, index: UInt8(index))
        }
        // This member used one invitation again and again.
        for index in keys.indices.reversed() {
            scene.enter("m", person: "M", first: "m", .ticket(invites[0], index, key: keys[index]))
        }
        #expect(scene.state.ticket(of: scene.member("m"))?.ticket == ticket(0, 0))
        // These are several whom Words name with one ticket.
        for (place, name) in (1..<4).flatMap({ place in keys.map { (place, "\($0) of \(place)") } }) {
            scene.enter(name, person: name, first: name, .ticket(invites[place], 0, key: "t0"))
            let used = Word.UsedTicket(issuer: scene.member("o"), ticket: ticket(place, 0))
            scene.word("o", on: scene.member(name), .member, ticket: used)
        }
        for place in 1..<4 {
            let lowest = try #require(keys.map { scene.member("\($0) of \(place)") }.min())
            let key = LedgerScene.key("t0").publicKey
            #expect(scene.state.standing(of: ticket(place, 0), key: key) == .used(by: lowest))
        }
    }

    @Test func aTicketOfAnotherKeyIsNone() {
        var scene = Self.withMember()
        scene.enter("n", person: "N", first: "n", .ticket(scene.records[2], 1, key: "t0"))
        #expect(scene.state.members[scene.member("n")] == nil)
        #expect(scene.state.standing(of: scene.key("n")) == .displaced)
    }

    @Test func aMemberInvitesNobodyAnAdminMembersOnly() {
        var scene = Self.withMember(.admin)
        let given = scene.invite("m", .member, keys: ["a0"])
        let tooHigh = scene.invite("m", .admin, keys: ["a1"])
        scene.enter("n", person: "N", first: "n", .ticket(given, 0, key: "a0"))
        scene.enter("k", person: "K", first: "k", .ticket(tooHigh, 0, key: "a1"))
        let ofMember = scene.invite("n", .viewer, keys: ["b0"])
        scene.enter("v", person: "V", first: "v", .ticket(ofMember, 0, key: "b0"))
        let state = scene.state
        #expect(state.members[scene.member("n")] == .member)
        #expect(state.members[scene.member("k")] == nil)
        #expect(state.members[scene.member("v")] == nil)
        #expect(state.why(tooHigh.hash) == .notOpen)
        #expect(state.why(ofMember.hash) == .notOpen)
    }

    @Test func ofAnAdminSixtyFourTicketsCount() {
        var scene = Self.withMember(.admin)
        let keys = (0..<40).map { "k\($0)" }
        let first = scene.invite("m", keys: keys)
        let second = scene.invite("m", keys: keys)
        let third = scene.invite("m", keys: Array(keys.prefix(24)))
        #expect(scene.state.counts(first.hash) && !scene.state.counts(second.hash) && scene.state.counts(third.hash))
        scene.write("m", .revoke(Revoke(invite: first.hash, stays: [])))
        #expect(scene.state.counts(second.hash))
    }

    @Test func aDismissedMemberNeverComesBackAndKeepsWhatWasSeen() {
        var scene = Self.withMember()
        let entered = scene.records[3]
        scene.word("o", on: scene.member("m"), .none, revision: 5, keep: .member, heads: [entered])
        let again = scene.word("o", on: scene.member("m"), .member, revision: 9)
        let state = scene.state
        #expect(state.members[scene.member("m")] == nil && state.isDismissed(scene.member("m")))
        #expect(state.counts(again.hash))
        #expect(state.rows(of: scene.key("m")) == .behind([[entered.hash]]))
    }

    @Test func theHighestRevisionSaysTheRole() {
        var scene = Self.withMember()
        scene.word("o", on: scene.member("m"), .admin, revision: 3)
        scene.word("o", on: scene.member("m"), .viewer, revision: 2)
        #expect(scene.state.role(of: scene.member("m")) == .admin)
        scene.word("m", on: scene.member("o"), .none, revision: 9)
        #expect(scene.state.role(of: scene.member("o")) == .owner)
    }

    @Test func suspensionsEndWithTheOfficeAndByOthers() {
        var scene = Self.withMember(.admin)
        scene.enter("n", person: "N", first: "n", .ticket(scene.records[2], 1, key: "t1"))
        let suspension = scene.write("m", .suspend(scene.member("n")))
        #expect(scene.state.isSuspended(scene.member("n")))
        scene.write("n", .unsuspend(suspension.hash))
        #expect(scene.state.isSuspended(scene.member("n")), "nobody lifts their own")
        scene.word("o", on: scene.member("m"), .member, revision: 2, keep: .admin, heads: [suspension])
        #expect(!scene.state.isSuspended(scene.member("n")))
        let owners = scene.write("o", .suspend(scene.member("n")))
        scene.word("o", on: scene.member("m"), .admin, revision: 3)
        scene.write("m", .unsuspend(owners.hash))
        #expect(scene.state.isSuspended(scene.member("n")), "only the owner lifts the owner's")
        scene.write("o", .unsuspend(owners.hash))
        scene.write("o", .unsuspend(suspension.hash))
        #expect(!scene.state.isSuspended(scene.member("n")))
    }

    @Test func whoLeftIsNoMemberAndTheOwnerCannotLeave() {
        var scene = Self.withMember()
        scene.write("m", .leave)
        scene.write("o", .leave)
        #expect(scene.state.members == [scene.member("o"): .owner])
        #expect(scene.state.hasLeft(scene.member("m")))
        #expect(scene.state.rows(of: scene.key("m")) == .all, "what it wrote counts")
    }

    @Test func afterAClosingOnlyWhatItNamesCounts() {
        var scene = Self.withMember()
        let seen = scene.records[3]
        scene.write("o", .close(Close(heads: [seen.hash], successor: nil)))
        scene.enter("late", person: "L", first: "late", .ticket(scene.records[2], 1, key: "t1"))
        let state = scene.state
        #expect(state.isClosed)
        #expect(state.members[scene.member("m")] == .member)
        #expect(state.members[scene.member("late")] == nil)
        #expect(state.rows(of: scene.key("m")) == .behind([[seen.hash]]))
    }

    /// A member with nothing to lose floods a lane that is closed: the rows that the close names stay.
    @Test func afterAClosingAFloodPushesNothingOut() {
        var scene = Self.withMember(.admin)
        let entered = scene.records[3]
        scene.write("m", .suspend(scene.member("o")))
        let given = scene.invite("m", .member, keys: ["a0"])
        let guest = scene.enter("n", person: "N", first: "n", .ticket(given, 0, key: "a0"))
        scene.write("o", .close(Close(heads: [given.hash, guest.hash], successor: nil)))
        var last = entered
        for _ in 0..<LedgerBounds().memberRecords {
            last = scene.write("m", .unsuspend(last.hash), after: entered.hash)
        }
        #expect(scene.state.members[scene.member("n")] == .member)
        #expect(scene.state.counts(given.hash) && scene.state.why(last.hash) == .closed)
    }

    /// Two of the owner's devices that are apart may have seen different lanes of the member.
    @Test func ofADismissedMemberEveryLaneThatAWordNamesKeepsItsRows() {
        var scene = Self.withMember()
        let lanes = (0...LedgerBounds().memberLanes).map { "m\($0)" }
        let entered = lanes.map { scene.enter($0, person: "M", first: "m", .lane("m")) }
        scene.word("o", on: scene.member("m"), .none, keep: .member, heads: entered)
        for lane in lanes { #expect(scene.state.rows(of: scene.key(lane)) != .none) }
        #expect(scene.state.rows(of: scene.key("m")) == .none)
    }

    // MARK: With a stolen device

    /// A stolen device of the owner dismisses a member that helps it, and names thousands of the member's lanes. The
    /// time is compared with that for the same records of a member that was not dismissed.
    @Test func manyNamedLanesOfADismissedMemberAreJudgedOnce() {
        var scene = Self.withMember()
        let member = scene.member("m")
        let enters = (0..<4_000).map { number in
            LedgerRecord(
                hash: RecordHash(LedgerScene.lane("h\(number)").storage), zone: scene.zone,
                signer: LedgerScene.lane("m\(number)").storage, prev: .zero,
                act: .enter(
                    Enter(
                        person: LedgerScene.person("M"), firstLane: LedgerScene.lane("m"), sealKey: .zero,
                        entrance: .lane(LedgerScene.lane("m"), []))), signature: [])
        }
        for enter in enters { scene.insert(enter) }
        for start in stride(from: 0, to: enters.count, by: Limits.wordHeads) {
            scene.word("o", on: member, .member, heads: Array(enters[start...].prefix(Limits.wordHeads)))
        }
        func judged() -> Duration {
            let set = scene.set
            return ContinuousClock().measure { _ = LedgerState(set) }
        }
        _ = judged()
        let usual = judged()
        scene.word("o", on: member, .none, revision: 3)
        let dismissed = judged()
        #expect(scene.state.lanes(of: member).count == enters.count)
        #expect(dismissed < usual * 20, "\(dismissed) instead of \(usual)")
    }

    @Test func whomAStolenDeviceLetInFallsThoughAnHonestOneConfirmedIt() {
        var scene = LedgerScene.group()
        let entered = scene.enter("t", person: "P", first: "o", .lane("o"))
        let invite = scene.invite("t", .admin, keys: ["k0"])
        scene.enter("s", person: "S", first: "s", .ticket(invite, 0, key: "k0"))
        scene.word(
            "o", on: scene.member("s"), .admin, revision: 1,
            ticket: .init(issuer: scene.member("o"), ticket: TicketID(invite: invite.hash, index: 0)))
        #expect(scene.state.members[scene.member("s")] == .admin)
        scene.remove("t", by: "P", heads: [entered])
        #expect(scene.state.members[scene.member("s")] == nil)
    }

    @Test func aTicketEntersNoLaneForSomebodyElse() {
        var scene = Self.withMember()
        scene.enter("bad", person: "M", first: "m", .ticket(scene.records[2], 1, key: "t1"))
        let bad = LaneKey(LedgerScene.lane("bad"), of: scene.member("m"))
        #expect(scene.state.standing(of: bad) != .active)
    }

    @Test func aMemberStaysWhenItsFirstLaneIsRemoved() {
        var scene = Self.withMember()
        let first = scene.records[3]
        let second = scene.enter("m2", person: "M", first: "m", .lane("m"))
        scene.remove("m", by: "M", heads: [first], children: [second])
        #expect(scene.state.standing(of: scene.key("m2")) == .active)
        #expect(scene.state.standing(of: scene.key("m")) == .removed)
    }

    @Test func aClaimThatTheRemovalDoesNotNameIsNone() {
        var scene = Self.withMember()
        let second = scene.enter("m2", person: "M", first: "m", .lane("m"))
        scene.remove("m", by: "M", children: [second])
        #expect(scene.state.members[scene.member("m")] == nil)
    }
}
