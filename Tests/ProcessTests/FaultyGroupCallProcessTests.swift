import NodeDriver
import ProcessHarness
import TestScale
import Testing

extension ProcessTests {
    /// Each command of a group, and of an account's keys, runs on the same home repeatedly: a call fails, is torn, or
    /// is the last.
    @Suite struct FaultyGroupCalls {
        @Test(.enabled(if: FaultBench.hasCompiler, "needs cc")) func whatIsDoneInAGroupIsDoneWhole() throws {
            let scene = try FaultyGroup()
            for (place, act) in FaultyGroup.Act.allCases.enumerated() {
                // A command makes about forty such calls.
                try scene.sweep(act, 5 + 7 * place % 32)
            }
        }
    }
}

/// Anna's group with Ben, whose nodes are not running, and commands that are cut off.
private final class FaultyGroup {
    enum Act: CaseIterable {
        case create, rename, name, addGame, invite, revoke, role, suspend, post, withdraw, remove, leave, delete, drop
        case join, offer, rotate, renew
    }

    private struct Group: Decodable {
        var groupId, title, state: String
        var role: String?
        var epochs: Int?
    }
    private struct Member: Decodable { var name, role, state: String }
    private struct Invite: Decodable { var inviteId: String }
    private struct Score: Decodable { var dateInt: Int }
    private struct Account: Decodable {
        var accountId: String
        var epoch: Int
    }
    private struct Listed: Decodable { var accountId: String }
    private struct Token: Decodable { var token: String }

    private let bench: FaultBench
    private let (anna, ben): (DrivenNode, DrivenNode)
    private let homes: [RewoundHome]
    private let (group, invite, token): (String, String, String)
    private let before: Account

    init() throws {
        let bench = try FaultBench()
        let (anna, ben) = (try bench.fixture.node("anna"), try bench.fixture.stranger())
        for node in [anna, ben] { try node.start() }
        let group = try anna.object(ProcessTests.Groups.Created.self, ["group", "create", "Family"]).groupId
        try anna.run(["game", "add", "Wordle", "--group", group, "--model", "lower-attempts"])
        let ticket = try anna.object(Token.self, ["group", "invite", group]).token
        try ben.run(["group", "join", ticket, "--name", "Ben", "--wait", "120"])
        for node in [anna, ben] {
            try bench.fixture.wait("the game and Ben are with \(node.name)") {
                try node.run(["game", "list", group]).contains("Wordle")
                    && node.objects(Member.self, ["group", "members", group]).contains { $0.name == "Ben" }
            }
            try node.run(["score", "post", group, "--game", "Wordle", "--score", "3", "--date", "20250101"])
        }
        for node in [anna, ben] { node.stop() }
        let other = try ben.object(ProcessTests.Groups.Created.self, ["group", "create", "Ben's"]).groupId
        token = try ben.object(Token.self, ["group", "invite", other]).token
        try anna.run(["group", "invite", group, "--people", "4"])
        invite = try #require(try anna.objects(Invite.self, ["group", "invites", group]).last).inviteId
        before = try anna.object(Account.self, ["account", "show"])
        homes = [try RewoundHome(anna), try RewoundHome(ben)]
        (self.bench, self.anna, self.ben, self.group) = (bench, anna, ben, group)
    }

    /// - Parameter call: the call of `make test`, which cuts each act off once.
    func sweep(_ act: Act, _ call: Int) throws {
        let happened = try bench.sweep("\(act)", [call]) { attempt in
            let node = [.leave, .offer].contains(act) ? ben : anna
            for home in homes { try home.rewind() }
            let (words, done) = command(act)
            try attempt.command(node.home, words, below: node.home, orSays: done)
            #expect(try isSeen(act), "\(act): \(attempt.comment)")
            // What was there before the act is there afterwards; an account that replaces another leaves that one here.
            let accounts = try node.objects(Listed.self, ["account", "list"]).map(\.accountId)
            let held = try accounts.contains { account in
                let all = try node.attempt(["score", "list", group, "--json", "--account", account])
                return all.output.contains("20250101")
            }
            #expect(held || act == .withdraw, "\(act): \(attempt.comment)")
            #expect(try node.scrub() == .clean, "\(act): \(attempt.comment)")
        }
        #expect(happened > 0, "\(act)")
    }

    /// The typed command, and its answer if it had been done already.
    private func command(_ act: Act) -> (words: [String], done: String) {
        switch act {
        case .create: (["group", "create", "Second"], "no such answer")
        case .rename: (["group", "rename", group, "Kin"], "no such answer")
        case .name: (["group", "set-name", group, "Anna"], "no such answer")
        case .addGame: (["game", "add", "Chess", "--group", group, "--model", "higher"], "no such answer")
        case .invite: (["group", "invite", group, "--people", "3"], "no such answer")
        case .revoke: (["group", "revoke-invite", group, invite], "there is no invitation")
        case .role: (["group", "set-role", group, "Ben", "admin"], "no such answer")
        case .suspend: (["group", "suspend", group, "Ben"], "no such answer")
        case .post:
            (["score", "post", group, "--game", "Wordle", "--score", "4", "--date", "20250102"], "no such answer")
        case .withdraw:
            (["score", "remove", group, "--game", "Wordle", "--date", "20250101", "--yes"], "you have no result")
        case .remove: (["group", "remove", group, "Ben", "--yes"], "that member was removed before")
        case .leave: (["group", "leave", group, "--yes"], "there is no group")
        case .delete: (["group", "delete", group, "--yes"], "the group was closed")
        case .drop: (["group", "delete", group, "--drop", "--yes"], "there is no group")
        case .join: (["group", "join", token, "--wait", "1s"], "no such answer")
        case .offer: (["group", "successor", group, "--yes"], "no such answer")
        case .rotate: (["account", "rotate"], "no such answer")
        case .renew: (["account", "renew"], "no such answer")
        }
    }

    private func isSeen(_ act: Act) throws -> Bool {
        switch act {
        case .create: try groups(anna).contains { $0.title == "Second" && $0.role == "owner" }
        case .rename: try groups(anna).map(\.title) == ["Kin"]
        case .name: try members().map(\.name).contains("Anna")
        case .addGame: try anna.run(["game", "list", group]).contains("Chess")
        case .invite: try anna.objects(Invite.self, ["group", "invites", group]).count >= 2
        case .revoke: try !anna.objects(Invite.self, ["group", "invites", group]).map(\.inviteId).contains(invite)
        case .role: try members().contains { $0.name == "Ben" && $0.role == "admin" }
        case .suspend: try members().contains { $0.name == "Ben" && $0.state == "suspended" }
        case .post: try anna.run(["score", "list", group, "--json"]).contains("20250102")
        case .withdraw: try anna.objects(Score.self, ["score", "list", group]).isEmpty
        case .remove:
            // A removal and the keys that the removed member lacks belong together.
            try members().contains { $0.name == "Ben" && $0.state == "removed" }
                && (anna.object(Group.self, ["group", "show", group]).epochs ?? 0) >= 2
        case .leave: try groups(ben).map(\.title) == ["Ben's"]
        case .delete: try groups(anna).map(\.state) == ["deleted"]
        case .drop: try groups(anna).isEmpty && groups(anna, all: true).map(\.state) == ["deleted"]
        case .join: try groups(anna).contains { $0.title == "Ben's" && $0.state == "pending" }
        case .offer: try groups(ben).count { $0.title == "Family" && $0.state == "joined" } >= 2
        case .rotate: try anna.object(Account.self, ["account", "show"]).epoch > before.epoch
        case .renew: try anna.object(Account.self, ["account", "show"]).accountId != before.accountId
        }
    }

    private func groups(_ node: DrivenNode, all: Bool = false) throws -> [Group] {
        try node.objects(Group.self, ["group", "list"] + (all ? ["--all"] : []))
    }

    private func members() throws -> [Member] { try anna.objects(Member.self, ["group", "members", group, "--all"]) }
}
