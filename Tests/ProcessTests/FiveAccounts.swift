import NodeDriver
import Testing

/// Five accounts on three nodes: one on all of them, four on two each.
struct FiveAccounts {
    let fixture: Fixture
    let nodes: [DrivenNode]
    /// For each label, the indices of the nodes that have the account.
    let holders: [String: [Int]]
    /// For each label, the messages of the account.
    let talks: [String: Talk]

    private struct Made: Decodable { var phrase: String? }

    private struct Listed: Decodable {
        var label: String
        var messages: Int?
    }

    /// Makes the nodes without starting them.
    init() throws {
        fixture = try Fixture()
        let fixture = fixture
        nodes = try ["annas-telephone", "annas-notebook", "annas-old-tablet"].map { try fixture.node($0) }
        var holders = ["main": [0, 1, 2]]
        for (label, places) in [
            ("account-a", [0, 1]), ("account-b", [1, 2]), ("account-c", [0, 2]), ("account-d", [0, 1]),
        ] {
            let made = try nodes[places[0]].object(Made.self, ["account", "create", "--label", label])
            let phrase = try fixture.file(label, [try #require(made.phrase)])
            try nodes[places[1]].run(["account", "import", "--phrase-file", phrase, "--label", label])
            holders[label] = places
        }
        self.holders = holders
        var talks: [String: Talk] = [:]
        for (number, label) in holders.keys.sorted().enumerated() {
            talks[label] = Talk(40, conversations: 4, seed: UInt64(number + 1))
        }
        self.talks = talks
    }

    /// Imports each account's messages on one of its nodes, and waits until they reach the others.
    func fill() throws {
        for (label, places) in holders.sorted(by: { $0.key < $1.key }) {
            let lines = try #require(talks[label]).lines
            let place = try #require(places.last)
            try nodes[place].run(["import", try fixture.file("chat-\(label)", lines), "--account", label])
        }
        for (label, places) in holders.sorted(by: { $0.key < $1.key }) {
            for place in places {
                try nodes[place].run(
                    ["sync", "--wait", "--timeout", "150", "--account", label])
                try fixture.wait("\(label) on \(nodes[place].name)") {
                    try nodes[place].objects(Listed.self, ["account", "list"]).first { $0.label == label }?.messages
                        == 40
                }
            }
        }
    }
}
