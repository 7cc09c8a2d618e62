import NodeDriver
import ProcessHarness
import SampleData
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests.Accounts {
    /// What somebody can do with a stolen device, before and after its person removes it.
    @Suite struct Theft {
        private struct Listed: Decodable {
            var name: String?
            var state = ""
        }

        private struct Shown: Decodable {
            var state = ""
        }

        func devices(_ node: DrivenNode, _ state: String = "active") throws -> Set<String> {
            Set(try node.objects(Listed.self, ["device", "list"]).filter { $0.state == state }.compactMap(\.name))
        }

        func isOut(_ node: DrivenNode) throws -> Bool {
            try node.object(Shown.self, ["account", "show"]).state == "removed"
        }

        func groups(_ node: DrivenNode) throws -> [String] {
            try node.objects(Shown.self, ["group", "list"]).map(\.state)
        }

        func content(_ node: DrivenNode) throws -> [String] {
            try node.run(["export", "--state"]).split(separator: "\n").map(String.init).sorted()
        }

        func remove(_ name: String, on node: DrivenNode, _ fixture: Fixture, since: String? = nil) throws {
            let since = since.map { ["--since", $0] } ?? []
            try node.run(["device", "remove", name, "--phrase-file", fixture.phraseFile] + since)
        }

        /// Two devices with ten messages, the second of which is stolen.
        private func pair() throws -> (Fixture, laptop: DrivenNode, phone: DrivenNode) {
            let fixture = try Fixture()
            let nodes = try fixture.started("laptop", "phone")
            try nodes[1].run(["import", try fixture.file("chat", Array(Self.talk.prefix(10)))])
            try fixture.waitForAgreement(nodes, messages: 10)
            return (fixture, nodes[0], nodes[1])
        }

        private static let talk = Talk(12).lines

        @Test func whatAThiefDidSinceIsUndoneEverywhere() throws {
            let fixture = try Fixture()
            let talk = Talk(12, conversations: 2)
            let nodes = try fixture.started("laptop", "phone", "tablet")
            let (laptop, phone, tablet) = (nodes[0], nodes[1], nodes[2])
            try phone.run(["import", try fixture.file("chat", Array(talk.lines.prefix(10)))])
            let conversation = talk.messages[0].conversationID
            try laptop.run(["conversation", "set", conversation, "--title", "Ours"])
            try fixture.waitForAgreement(nodes, messages: 10)
            try fixture.wait("they show the same") { Set(try nodes.map(content)).count == 1 }
            let before = try content(laptop)
            let stolen = WholeDay.nextSecond()
            usleep(50_000)
            try phone.run(["message", "delete", talk.messages[0].txidHex, "--yes"])
            try phone.run(["conversation", "set", conversation, "--title", "Mine", "--muted", "on"])
            for each in Set(talk.messages.map(\.conversationID)) { try phone.run(["read", "mark", each]) }
            try phone.run(["device", "rename", "fool", "--device", "tablet"])
            try phone.run(["import", try fixture.file("lies", Array(talk.lines.suffix(2)))])
            try phone.run(["background"])
            try fixture.wait("it is seen") {
                try content(laptop) != before && laptop.messageCount() == 11
                    && devices(tablet).contains("fool")
            }
            tablet.stop()
            try remove("phone", on: laptop, fixture, since: stolen)
            try fixture.wait("it is undone") { try content(laptop) == before }
            #expect(try devices(laptop) == ["laptop", "tablet"] && devices(laptop, "removed") == ["phone"])
            try tablet.start()
            try fixture.wait("there, too") {
                try content(tablet) == before && devices(tablet) == ["laptop", "tablet"]
            }
        }

        /// The copies are one of its home, and a backup that becomes a new device.
        @Test func copiesOfAStolenPhoneStayOut() throws {
            let (fixture, laptop, phone) = try pair()
            let backup = fixture.folder.file("backup")
            try laptop.run(["group", "create", "Family"])
            try laptop.run(["game", "add", "Family", "Wordle", "--model", "lower-attempts", "--max-attempts", "6"])
            try fixture.wait("the phone is in the group") {
                try groups(phone) == ["joined"] && phone.run(["game", "list", "Family"]).contains("Wordle")
            }
            try phone.run(["backup", backup])
            phone.stop()
            let copy = fixture.adopt("copy", home: fixture.folder.file("copy"))
            try FileTree.copy(phone.home, to: copy.home)
            try remove("phone", on: laptop, fixture)
            try laptop.run(["import", try fixture.file("more", Self.talk)])
            let restored = fixture.adopt("restored", home: fixture.folder.file("restored"))
            try restored.run(["restore", backup])
            for thief in [copy, restored] {
                try thief.start()
                // Nobody in the group speaks of a lane that it never heard of: the device learns it from its account.
                try fixture.wait("\(thief.name) is told") { try isOut(thief) && groups(thief) == ["removed"] }
                let post = ["score", "post", "Family", "--game", "Wordle", "--score", "3"]
                #expect(try thief.attempt(post).errorOutput.contains("this device was removed"))
                #expect(try thief.messageCount() <= 10)
                thief.stop()
            }
            #expect(try devices(laptop) == ["laptop"])
            #expect(try laptop.messageCount() == 12)
        }

        /// It let in another one that nobody had heard of.
        @Test func whoAStolenPhoneLetInGoesWithIt() throws {
            let (fixture, laptop, phone) = try pair()
            laptop.stop()
            let mallory = fixture.adopt("mallory", home: fixture.folder.file("mallory"))
            let giver = try PairingSide(phone, ["account", "pair"] + PairingSide.onLoopback)
            let taker = try PairingSide(
                mallory, ["account", "pair", "--join", "--name", "mallory"] + PairingSide.onLoopback)
            let digits = try giver.digits()
            #expect(try taker.digits() == digits)
            try giver.say("confirm", digits)
            try taker.say("confirm", digits)
            try giver.wait("done")
            try taker.wait("done")
            #expect(try giver.end() == .exited(0) && taker.end() == .exited(0))
            try mallory.start()
            try fixture.waitForAgreement([phone, mallory], messages: 10)
            phone.stop()
            mallory.stop()
            try remove("phone", on: laptop, fixture)
            try laptop.run(["import", try fixture.file("more", Self.talk)])
            try laptop.start()
            for thief in [mallory, phone] {
                try thief.start()
                try fixture.wait("\(thief.name) is told") { try isOut(thief) }
                #expect(try thief.messageCount() <= 10)
            }
            #expect(try devices(laptop) == ["laptop"])
            // It was the person's own: the words let it in, with everything that it had not seen.
            #expect(try phone.attempt(["account", "enter", "--phrase-file", fixture.phraseFile]).status == .exited(4))
            try mallory.run(["account", "enter", "--phrase-file", fixture.phraseFile])
            try fixture.waitForAgreement([laptop, mallory], messages: 12)
            #expect(try devices(laptop) == ["laptop", "mallory"])
            #expect(try phone.messageCount() <= 10)
        }
    }
}
