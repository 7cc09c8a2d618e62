import Ledger
import NodeCore
import Testing

/// What is stored says the same as all that was ever held, whatever was refused.
@Suite struct LedgerStateHeldTests {
    /// A group, the owner's invitation, and "m", who came by it and whom no Word confirms.
    private static func withMember() -> (scene: LedgerScene, invite: LedgerRecord, entered: LedgerRecord) {
        var scene = LedgerScene.group()
        let invite = scene.invite("o", keys: ["t0", "t1"])
        let entered = scene.enter("m", person: "M", first: "m", .ticket(invite, 0, key: "t0"))
        return (scene, invite, entered)
    }

    /// The state of a node that keeps only what is stored.
    private static func alone(_ scene: LedgerScene) throws -> LedgerState {
        let held = scene.state.held
        var set = try #require(LedgerSet(genesis: scene.genesis))
        for record in scene.records where held.contains(record.hash) { set.insert(record) }
        let state = LedgerState(set)
        #expect(state.held == held)
        #expect(state.members == scene.state.members && state.standingLanes == scene.state.standingLanes)
        return state
    }

    /// Enters of "m" that come before all others of its lane: nobody would have to look long for such hashes.
    private static func flood(_ scene: inout LedgerScene) {
        for number in 0..<LedgerBounds().memberRecords {
            var bytes = [UInt8](repeating: 0, count: 32)
            (bytes[30], bytes[31]) = (UInt8(number >> 8), UInt8(number & 255))
            let enter = Enter(
                person: LedgerScene.person("M"), firstLane: LedgerScene.lane("m"), sealKey: .zero,
                entrance: .lane(LedgerScene.lane("m"), []))
            scene.insert(
                LedgerRecord(
                    hash: RecordHash(bytes: bytes) ?? .zero, zone: scene.zone,
                    signer: LedgerScene.lane("m").storage, prev: .zero, act: .enter(enter), signature: []))
        }
    }

    @Test func aCloseKeepsTheLaneOfWhoRemovedItselfWithTheRemove() throws {
        var (scene, _, entered) = Self.withMember()
        scene.write("o", .close(Close(heads: [entered.hash], successor: nil)))
        scene.remove("m", by: "M")
        #expect(scene.state.members[scene.member("m")] == nil)
        #expect(try Self.alone(scene).standing(of: scene.key("m")) == .removed)
    }

    @Test func whoCameByATicketStaysThoughItsFirstLaneHasNoPlace() throws {
        var (scene, _, _) = Self.withMember()
        for number in 0..<LedgerBounds().memberLanes { scene.enter("m\(number)", person: "M", first: "m", .person) }
        #expect(scene.state.members[scene.member("m")] == .member)
        #expect(try Self.alone(scene).standing(of: scene.key("m")) == .displaced)
    }

    @Test func aWordStaysThoughTheLaneThatInvitedHasNoPlace() throws {
        var scene = LedgerScene.group()
        scene.enter("a", person: "P", first: "o", .lane("o"))
        scene.enter("t", person: "P", first: "o", .lane("a"))
        let invite = scene.invite("t", keys: ["t0"])
        scene.enter("m", person: "M", first: "m", .ticket(invite, 0, key: "t0"))
        let ticket = TicketID(invite: invite.hash, index: 0)
        scene.word(
            "o", on: scene.member("m"), .member, revision: 1, ticket: .init(issuer: scene.member("o"), ticket: ticket))
        for number in 1..<LedgerBounds().ownerLanes { scene.enter("o\(number)", person: "P", first: "o", .person) }
        #expect(scene.state.members[scene.member("m")] == .member)
        #expect(scene.state.standing(of: scene.key("t")) == .displaced)
        #expect(try Self.alone(scene).isConfirmed(scene.member("m")))
    }

    @Test func aWordNeedsAnInvitationOfTheOwnersOwn() throws {
        var (scene, _, _) = Self.withMember()
        let invite = scene.invite("m", keys: ["n0"])
        let other = LedgerScene.member("N", "n")
        let ticket = TicketID(invite: invite.hash, index: 0)
        scene.word("o", on: other, .member, revision: 1, ticket: .init(issuer: scene.member("o"), ticket: ticket))
        #expect(!scene.state.isConfirmed(other))
        _ = try Self.alone(scene)
    }

    /// A stolen device of the owner's names another member's lane in a Word, and that lane claims beyond its bound.
    @Test func aWordKeepsNothingOfOthers() throws {
        var (scene, _, entered) = Self.withMember()
        scene.word("o", on: LedgerScene.member("N", "n"), .member, heads: [entered])
        #expect(scene.state.members[scene.member("m")] == .member)
        Self.flood(&scene)
        #expect(scene.state.members[scene.member("m")] == nil)
        _ = try Self.alone(scene)
    }

    @Test func theFounderDoesNotDisplaceItsOwnClaim() throws {
        var (scene, _, entered) = Self.withMember()
        let successor = Close.Successor(group: ZoneID(LedgerScene.lane("new").storage), founder: scene.member("m"))
        scene.write("o", .close(Close(heads: [entered.hash], successor: successor)))
        Self.flood(&scene)
        #expect(scene.state.members[scene.member("m")] == .member)
        _ = try Self.alone(scene)
    }
}
