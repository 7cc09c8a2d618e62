import NodeDriver
import ProcessHarness
import SampleData
import TestScale
import Testing

extension ProcessTests {
    /// SIGKILL at a random moment of everything a phone's user does, repeatedly, with a running node and without, while
    /// a laptop continues beside it.
    @Suite struct ManyKills {
        @Test func whatIsAcknowledgedStaysAndTheRestCanBeRepeated() throws {
            let phone = try KilledPhone()
            let kills = TestScale.of(usual: 40, proof: 1_000)
            while phone.killer.kills < kills {
                try phone.do(phone.next())
                if phone.killer.kills % 50 == 49 { try phone.check() }
            }
            try phone.check()
            let cutOff = phone.killer.cutOff
            #expect(cutOff > kills / 5, "of \(kills) kills only \(cutOff) cut a command off")
        }
    }
}

/// A phone whose commands are cut off, and what its user was told that it holds.
private final class KilledPhone {
    /// The user's actions. Those that make a home make a new one each time.
    enum Act: CaseIterable {
        case add, delete, undelete, post, withdraw, pin, rename, mark, archive, scrub, backup, restore, found, rotate
        case export, load
    }

    let killer = Killer(seed: 12)
    private let fixture: Fixture
    private let (phone, laptop): (DrivenNode, DrivenNode)
    private let group: String
    private let backup, archive: String
    private let talk = Talk(9_000, conversations: 40)
    private let conversationOf: [String: String]
    private var given = 0
    private var homes = 0

    // What was acknowledged.
    private var here: [String] = []
    private var deleted: [String] = []
    /// The laptop's messages, which the phone may not have yet, and their conversations.
    private var onLaptop: Set<String> = []
    private var laptops: Set<String> = []
    private var scores: [Int: Int] = [:]
    private var pinned: Set<String> = []
    /// Conversations marked as read since the last message came.
    private var read: Set<String> = []
    private var name = "phone"
    private var inBackup: Set<String> = []
    private var inArchive: Set<String> = []

    init() throws {
        fixture = try Fixture()
        let nodes = try fixture.started("phone", "laptop")
        (phone, laptop) = (nodes[0], nodes[1])
        try fixture.waitForConnections(nodes)
        struct Created: Decodable { var groupId: String }
        group = try phone.object(Created.self, ["group", "create", "Family"]).groupId
        try phone.run(["game", "add", group, "Wordle", "--model", "lower-attempts", "--max-attempts", "6"])
        conversationOf = Dictionary(uniqueKeysWithValues: talk.messages.map { ($0.txidHex, $0.conversationID) })
        (backup, archive) = (fixture.folder.file("backup"), fixture.folder.file("archive"))
        // Each act runs once without a kill, so that the kills fall anywhere in it.
        for act in [Act.add, .add, .add] + Act.allCases { try self.do(act, isKilled: false) }
    }

    func next() -> Act {
        // Each rotation stays in the ledger for ever, so it is no more likely than in life.
        let act = Act.allCases.randomElement(using: &killer.random) ?? .add
        return act == .rotate && Int.random(in: 0..<8, using: &killer.random) > 0 ? .add : act
    }

    // MARK: Acts

    func `do`(_ act: Act, isKilled: Bool = true) throws {
        if phone.process == nil, Bool.random(using: &killer.random) { try phone.start() }
        // Messages that arrive meanwhile are also cut off.
        if Int.random(in: 0..<3, using: &killer.random) == 0 { try addOnLaptop() }
        switch act {
        case .add:
            let messages = talk.messages[given..<given + 3]
            given += 3
            let path = try fixture.file("part", messages.map(\.jsonLine))
            try run(act, ["import", path], isKilled)
            here += messages.map(\.txidHex)
            read.subtract(messages.map(\.conversationID))
        case .delete:
            let own = here.indices.filter { !onLaptop.contains(here[$0]) }
            guard own.count > 1 else { return }
            let txid = here.remove(at: own.randomElement(using: &killer.random) ?? own[0])
            deleted.append(txid)
            try run(act, ["message", "delete", txid, "--yes"], isKilled)
        case .undelete:
            guard !deleted.isEmpty else { return }
            let txid = deleted.remove(at: Int.random(in: deleted.indices, using: &killer.random))
            here.append(txid)
            try run(act, ["message", "restore", txid], isKilled)
            // Its conversation may have been marked while it was away, as far as the previous message.
            read.subtract(conversations([txid]))
        case .post:
            let (day, score) = (
                Int.random(in: 1...28, using: &killer.random), Int.random(in: 1...6, using: &killer.random)
            )
            let posted = ["score", "post", group, "--game", "Wordle", "--score", "\(score)"]
            try run(act, posted + ["--date", "\(20_250_100 + day)"], isKilled)
            scores[20_250_100 + day] = score
        case .withdraw:
            guard let day = scores.keys.sorted().randomElement(using: &killer.random) else { return }
            let withdrawn = ["score", "remove", group, "--game", "Wordle", "--date", "\(day)", "--yes"]
            try run(act, withdrawn, isKilled)
            scores[day] = nil
        case .pin:
            let conversation = anyConversation
            let isPinned = pinned.contains(conversation)
            try run(act, ["conversation", "set", conversation, "--pinned", isPinned ? "off" : "on"], isKilled)
            if isPinned { pinned.remove(conversation) } else { pinned.insert(conversation) }
        case .rename:
            name = "phone \(killer.kills)"
            try run(act, ["device", "rename", name], isKilled)
        case .mark:
            let conversation = anyConversation
            try run(act, ["read", "mark", conversation], isKilled)
            read.insert(conversation)
        case .archive: try run(act, ["flush"], isKilled)
        case .scrub: try run(act, ["scrub"], isKilled)
        case .rotate: try run(act, ["account", "rotate"], isKilled)
        case .backup:
            try run(act, ["backup", backup, "--force"], isKilled)
            inBackup = Set(here).subtracting(onLaptop)
        case .restore:
            let home = newHome()
            try run(act, ["restore", backup], isKilled, on: home)
            let restored = try home.exportedTxids()
            let missing = inBackup.subtracting(restored)
            #expect(missing.isEmpty, "\(missing.count) of \(inBackup.count) are not in what was restored")
            FileTree.remove(home.home)
        case .export:
            try run(act, ["export", "--archive", archive, "--force"], isKilled)
            inArchive = Set(here).subtracting(onLaptop)
        case .load:
            let home = newHome()
            try home.initialise(phraseFile: fixture.phraseFile)
            try run(act, ["import", archive], isKilled, on: home)
            let missing = inArchive.subtracting(try home.exportedTxids())
            #expect(missing.isEmpty, "\(missing.count) of \(inArchive.count) are not in what was imported")
            FileTree.remove(home.home)
        case .found:
            let home = newHome()
            try run(act, ["init", "--name", "new"], isKilled, on: home)
            #expect(try home.status().accounts.count == 1)
            FileTree.remove(home.home)
        }
    }

    /// A conversation on the phone; one whose messages are all deleted is gone.
    private var anyConversation: String {
        let own = here.filter { !onLaptop.contains($0) }
        return conversations(own).sorted().randomElement(using: &killer.random) ?? ""
    }

    private func conversations(_ txids: [String]) -> Set<String> { Set(txids.compactMap { conversationOf[$0] }) }

    private func addOnLaptop() throws {
        let message = talk.messages[given]
        given += 1
        try laptop.run(["import", try fixture.file("laptop-part", [message.jsonLine])])
        here.append(message.txidHex)
        onLaptop.insert(message.txidHex)
        laptops.insert(message.conversationID)
    }

    private func newHome() -> DrivenNode {
        homes += 1
        return DrivenNode(fixture.binary, name: "new", home: fixture.folder.file("new-\(homes)"))
    }

    /// - Parameter other: a home beside the phone's.
    private func run(_ act: Act, _ arguments: [String], _ isKilled: Bool, on other: DrivenNode? = nil) throws {
        guard isKilled else { return try killer.learn("\(act)", on: other ?? phone, arguments) }
        try killer.run("\(act)", on: other ?? phone, arguments, restarts: other == nil) {
            // The first attempt may have been complete: the home exists, or nothing is left to withdraw or to restore.
            [.found, .restore].contains(act) && other.map { FileTree.exists($0.home + "/identity") } == true
                || [.withdraw, .undelete].contains(act)
        }
    }

    // MARK: Checks

    struct Score: Decodable {
        var dateInt: Int
        var score: Int?
    }
    struct Conversation: Decodable {
        var conversationId: String
        var pinned: Bool
        var unread: Int
        var lastTxid: String
        var lastReadTxid: String?
    }
    struct Device: Decodable { var name: String }

    /// Checks that both devices show what was acknowledged, and that the phone's disk is sound.
    func check() throws {
        if phone.process == nil { try phone.start() }
        try fixture.waitForConnections([phone, laptop])
        // Read marks are also published.
        try phone.run(["sync", "--wait", "--timeout", "120"])
        try fixture.waitForAgreement([phone, laptop], messages: here.count)
        for node in [phone, laptop] {
            #expect(try node.exportedTxids() == Set(here), "\(node.name) after \(killer.kills) kills")
            let shown = try node.objects(Conversation.self, ["conversation", "list"])
            let stillPinned = pinned.intersection(conversations(here))
            let shownPinned = Set(shown.filter(\.pinned).map(\.conversationId))
            #expect(shownPinned == stillPinned, "\(node.name) after \(killer.kills) kills")
            let unread = shown.filter { $0.unread > 0 && read.subtracting(laptops).contains($0.conversationId) }
            #expect(unread.isEmpty, "\(node.name) after \(killer.kills) kills")
            #expect(try node.objects(Device.self, ["device", "list"]).map(\.name).sorted() == ["laptop", name])
        }
        let shown = try phone.objects(Score.self, ["score", "list", group])
        #expect(Dictionary(uniqueKeysWithValues: shown.map { ($0.dateInt, $0.score ?? 0) }) == scores)
        #expect(try phone.scrub() == .clean)
    }
}
