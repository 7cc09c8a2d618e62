import NodeDriver
import ProcessHarness
import TestScale
import Testing

extension ProcessTests {
    /// SIGKILL in each command of groups from their founding to their end, on the owner's node and a friend's.
    @Suite struct GroupKills {
        @Test func aGroupLivesThroughThem() throws {
            let kills = TestScale.of(usual: 13, proof: 500)
            let friends = try KilledFriends()
            var round = 0
            while friends.killer.kills < kills {
                try friends.live(KilledFriends.End.allCases[round % KilledFriends.End.allCases.count])
                round += 1
            }
            print("\(friends.killer.kills) kills, \(friends.killer.cutOff) of them cut a command off; \(round) groups")
        }
    }
}

/// Anna, who owns groups, and Ben, who joins them.
private final class KilledFriends {
    /// How a group's life ends.
    enum End: CaseIterable { case leaves, removed, handedOver }

    private struct Group: Decodable {
        var groupId, title, state: String
        var role: String?
    }
    private struct Member: Decodable { var name, role, state: String }
    private struct Invite: Decodable { var inviteId: String }
    private struct Token: Decodable { var token: String }
    private struct Score: Decodable { var dateInt: Int }
    private typealias Created = ProcessTests.Groups.Created

    let killer = Killer(seed: 31)
    private let fixture: Fixture
    private let (anna, ben): (DrivenNode, DrivenNode)
    private var lives = 0
    private var group = ""

    init() throws {
        fixture = try Fixture()
        (anna, ben) = (try fixture.node("anna"), try fixture.stranger())
    }

    /// One group, from its founding until nobody has it any more.
    func live(_ end: End) throws {
        lives += 1
        try found("Family \(lives)")
        try letIn()
        try play()
        try govern()
        switch end {
        case .leaves: try leave()
        case .removed: try remove()
        case .handedOver: try handOver()
        }
        try drop()
        try areSound()
    }

    // MARK: Acts

    private func found(_ title: String) throws {
        try run(anna, ["group", "create", title])
        let made = try groups(anna).filter { $0.title == title && $0.role == "owner" && $0.state == "joined" }
        group = try #require(made.first, "a group that was founded is there").groupId
        // A founding that was complete when it was cut off was repeated.
        for other in made.dropFirst() { try anna.run(["group", "delete", other.groupId, "--drop", "--yes"]) }
        try run(anna, ["group", "set-name", group, "Anna"])
        try run(anna, ["game", "add", "Wordle", "--group", group, "--model", "lower-attempts"])
    }

    private func letIn() throws {
        let output = try run(anna, ["group", "invite", group, "--json"])
        let token = try DrivenNode.decode(Token.self, output[...], from: ["group", "invite"]).token
        try wake()
        try run(ben, ["group", "join", token, "--name", "Ben", "--wait", "120"]) {
            try groups(ben).contains { $0.groupId == group && $0.state == "joined" }
        }
        try wait("ben is in") {
            try groups(ben).contains { $0.groupId == group && $0.state == "joined" } && names(anna) == ["Anna", "Ben"]
                && names(ben) == ["Anna", "Ben"]
        }
        let invites = try anna.objects(Invite.self, ["group", "invites", group])
        for invite in invites {
            try run(anna, ["group", "revoke-invite", group, invite.inviteId]) { try openInvites().isEmpty }
        }
        #expect(try openInvites().isEmpty)
    }

    private func play() throws {
        for (node, day) in [(anna, 20_250_101), (ben, 20_250_102), (ben, 20_250_103)] {
            let post = ["score", "post", group, "--game", "Wordle", "--score", "3", "--date", "\(day)"]
            try run(node, post)
        }
        try run(ben, ["score", "remove", group, "--game", "Wordle", "--date", "20250103", "--yes"]) {
            try ben.objects(Score.self, ["score", "list", group]).count == 1
        }
        try wait("both have the results") {
            try [anna, ben].allSatisfy { try days($0, of: ["--all"]) == [20_250_101, 20_250_102] }
        }
    }

    private func govern() throws {
        try run(anna, ["group", "set-role", group, "Ben", "admin"])
        try run(anna, ["group", "suspend", group, "Ben"])
        try wait("ben is suspended") { try states(ben).contains("Ben admin suspended") }
        try run(anna, ["group", "unsuspend", group, "Ben"])
        try run(anna, ["group", "rename", group, "Kin \(lives)"])
        try wait("ben knows of it") {
            try states(ben).contains("Ben admin active")
                && groups(ben).contains { $0.groupId == group && $0.title == "Kin \(lives)" }
        }
    }

    private func leave() throws {
        try run(ben, ["group", "leave", group, "--yes"]) { try !groups(ben).contains { $0.groupId == group } }
        try wait("ben is off the list") { try names(anna) == ["Anna"] }
    }

    private func remove() throws {
        try run(anna, ["group", "remove", group, "Ben", "--yes"]) { try names(anna) == ["Anna"] }
        try wait("ben is told") { try groups(ben).contains { $0.groupId == group && $0.state == "removed" } }
        try run(ben, ["group", "leave", group, "--yes"]) { try !groups(ben).contains { $0.groupId == group } }
    }

    private func handOver() throws {
        try run(ben, ["group", "successor", group, "--yes"]) { true }
        let title = "Kin \(lives)"
        var offered: [String] = []
        try wait("the offer is there") {
            offered = try groups(ben).filter { $0.title == title && $0.role == "owner" }.map(\.groupId)
            let agree = ["group", "successor", group, "--of", "Ben", "--yes"]
            return try !offered.isEmpty && anna.attempt(agree).status.isSuccess
        }
        try run(anna, ["group", "follow", group]) { true }
        try wait("anna is in") { try groups(anna).contains { offered.contains($0.groupId) && $0.state == "joined" } }
        for made in offered {
            try run(ben, ["group", "delete", made, "--drop", "--yes"]) {
                try !groups(ben).contains { $0.groupId == made }
            }
        }
    }

    /// Nobody keeps the group; own results stay.
    private func drop() throws {
        try wake()
        for node in [anna, ben] {
            for left in try groups(node) where left.role == "owner" && left.state == "joined" {
                try run(node, ["group", "delete", left.groupId, "--yes"]) {
                    try groups(node).contains { $0.groupId == left.groupId && $0.state == "deleted" }
                }
            }
            for left in try groups(node) {
                try run(node, ["group", "leave", left.groupId, "--yes"]) {
                    try !groups(node).contains { $0.groupId == left.groupId }
                }
            }
            #expect(try groups(node).isEmpty)
        }
        #expect(try days(anna) == [20_250_101] && days(ben) == [20_250_102])
    }

    private func areSound() throws {
        for node in [anna, ben] { #expect(try node.scrub() == .clean, "\(node.name) after \(killer.kills) kills") }
    }

    // MARK: Steps

    @discardableResult
    private func run(
        _ node: DrivenNode, _ arguments: [String], isDone: () throws -> Bool = { false }
    ) throws -> String {
        if node.process == nil, Bool.random(using: &killer.random) { try node.start() }
        return try killer.run(arguments.prefix(2).joined(separator: " "), on: node, arguments, isDone: isDone)
    }

    private func wake() throws {
        for node in [anna, ben] where node.process == nil { try node.start() }
    }

    private func wait(_ what: Comment, until condition: () throws -> Bool) throws {
        try wake()
        try fixture.wait(what, until: condition)
    }

    // MARK: What is shown

    private func groups(_ node: DrivenNode) throws -> [Group] { try node.objects(Group.self, ["group", "list"]) }

    private func members(_ node: DrivenNode) throws -> [Member] {
        guard try groups(node).contains(where: { $0.groupId == group }) else { return [] }
        return try node.objects(Member.self, ["group", "members", group])
    }

    private func names(_ node: DrivenNode) throws -> [String] { try members(node).map(\.name).sorted() }

    private func states(_ node: DrivenNode) throws -> [String] {
        try members(node).map { "\($0.name) \($0.role) \($0.state)" }
    }

    private func openInvites() throws -> [String] {
        try anna.objects(Invite.self, ["group", "invites", group]).map(\.inviteId)
    }

    private func days(_ node: DrivenNode, of whom: [String] = []) throws -> [Int] {
        try node.objects(Score.self, ["score", "list", group] + whom).map(\.dateInt).sorted()
    }
}
