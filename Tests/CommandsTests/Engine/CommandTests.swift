import Testing

@testable import Commands

/// The command line uses the first endpoint that knows all the given arguments.
@Suite struct CommandTests {
    @Test(arguments: [
        ("score post", ["GROUP", "--game", "--score"], "postScore"),
        ("score post", ["--game", "--score"], "postScore"),
        ("score post", ["--all-groups", "--game", "--failed"], "postScoreEverywhere"),
        ("group invite", ["GROUP", "--qr", "--force"], "invite"),
        ("group invite", ["GROUP", "--nearby", "--timeout"], "inviteNearby"),
        ("group join", ["TOKEN", "--name"], "joinGroup"), ("group join", ["--nearby"], "joinGroupNearby"),
        ("group delete", ["GROUP", "--yes"], "deleteGroup"), ("group delete", ["GROUP", "--drop"], "dropGroup"),
        ("token revoke", ["TOKEN"], "revokeAnyToken"),
        ("account pair", ["--join", "--name", "--label"], "pairAndJoin"),
        ("leaderboard history", ["--csv"], "leaderboardHistory"),
    ])
    func theFirstWayThatKnowsAllIsTaken(name: String, given: [String], id: String) throws {
        let command = try #require(Command.named(name))
        #expect(command.way(for: Set(given))?.id == id)
    }

    @Test func whatNoWayKnowsTogetherHasNone() throws {
        let command = try #require(Command.named("group delete"))
        #expect(command.way(for: ["GROUP", "--keep", "--drop"]) == nil)
    }

    /// An argument that the command line adds by itself is not one of its options.
    @Test func onlyRequestsMayAskForThePage() throws {
        let command = try #require(Command.named("dashboard"))
        #expect(command.spec.options.map(\.name) == ["--no-open"])
        #expect(command.endpoints.map { $0.parameters.map(\.name) } == [["page"]])
    }
}
