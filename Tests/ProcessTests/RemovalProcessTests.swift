import NodeDriver
import ProcessHarness
import Testing

extension ProcessTests.Accounts {
    /// A device is removed, as the person who lost it would do it.
    @Suite struct Removal {
        private struct Listed: Decodable {
            var deviceId = ""
            var name: String?
            var state = ""
            var heardRemovals: [String] = []
        }

        private struct Removed: Decodable {
            struct Named: Decodable {
                var name: String?
            }

            var removed = ""
            var heard: [Named] = []
            var unheard: [Named] = []
        }

        private struct Member: Decodable { let devices: Int }

        private struct Shown: Decodable {
            var epoch = 0
            var state = ""
        }

        private func list(_ node: DrivenNode) throws -> [Listed] {
            try node.objects(Listed.self, ["device", "list"])
        }

        private struct Invitation: Decodable { let token: String }

        private func shown(_ node: DrivenNode) throws -> Shown { try node.object(Shown.self, ["account", "show"]) }

        /// A forgotten device is not counted, even while connected, until it writes again.
        @Test func aForgottenDeviceIsNoCopyUntilItWrites() throws {
            let fixture = try Fixture()
            let (nodes, talk) = (try fixture.started("laptop", "phone"), Talk(5).lines)
            try nodes[1].run(["import", try fixture.file("chat", Array(talk.prefix(3)))])
            try fixture.waitForAgreement(nodes, messages: 3)
            let phone = try nodes[1].status().deviceId
            try nodes[0].run(["device", "forget", "phone"])
            #expect(try list(nodes[0]).first { $0.deviceId == phone }?.state == "forgotten")
            #expect(try !nodes[0].run(["status"]).contains("both devices"))
            try nodes[1].run(["import", try fixture.file("more", talk)])
            try fixture.waitForAgreement(nodes, messages: 5)
            try fixture.wait("the phone counts again") { try nodes[0].run(["status"]).contains("both devices") }
        }

        @Test func aStolenPhoneIsShutOutAndTheOthersGoOn() throws {
            let fixture = try Fixture()
            let talk = Talk(12).lines
            let nodes = try fixture.started("laptop", "phone", "tablet")
            let (laptop, phone, tablet) = (nodes[0], nodes[1], nodes[2])
            try phone.run(["import", try fixture.file("chat", Array(talk.prefix(10)))])
            try fixture.waitForAgreement(nodes, messages: 10)
            tablet.stop()
            let removed = try laptop.object(
                Removed.self, ["device", "remove", "phone", "--phrase-file", fixture.phraseFile])
            #expect(removed.heard.map(\.name) == ["laptop"] && removed.unheard.map(\.name) == ["tablet"])
            try fixture.wait("the phone knows it") { try shown(phone).state == "removed" }
            #expect(try phone.messageCount() == 10)
            // Later messages are not for it.
            try laptop.run(["import", try fixture.file("more", talk)])
            try tablet.start()
            try fixture.waitForAgreement([laptop, tablet], messages: 12)
            try fixture.wait("the laptop sees that the tablet has heard") {
                try list(laptop).first { $0.name == "tablet" }?.heardRemovals == [removed.removed]
            }
            #expect(try list(laptop).first { $0.deviceId == removed.removed }?.state == "removed")
            // It was here.
            #expect(try !laptop.run(["device", "list"]).contains("never"))
            #expect(try [laptop, tablet].allSatisfy { try shown($0).epoch == 1 })
            #expect(try shown(phone).epoch == 0 && phone.messageCount() == 10)
            // The removal is tried again, and on the wrong device.
            let again = try laptop.attempt(["device", "remove", removed.removed, "--phrase-file", fixture.phraseFile])
            #expect(again.status == .exited(1) && again.errorOutput.contains("was shut out before"))
            let own = try laptop.attempt(["device", "remove", "laptop", "--phrase-file", fixture.phraseFile])
            #expect(own.status == .exited(4) && own.errorOutput.contains("run it on another one"))
            // Nobody would let others into what it founds or joins.
            try laptop.run(["group", "create", "Family"])
            let token = try laptop.object(Invitation.self, ["group", "invite", "Family"]).token
            for words in [["group", "join", token], ["group", "create", "Ours"]] {
                let refused = try phone.attempt(words)
                #expect(refused.status == .exited(4) && refused.errorOutput.contains("this device was removed"))
            }
            // Whatever is written there stays there, and the command says so.
            let renamed = try phone.attempt(["device", "rename", "handset"])
            #expect(renamed.status.isSuccess && renamed.errorOutput.contains("reaches no other device"))
            // It is told that it was removed, and is not told to look for devices.
            let doctor = try phone.attempt(["doctor", "--discovery", "lo"])
            #expect(doctor.output.contains("this device was removed") && !doctor.output.contains("no other device"))
            // Without its node, it does not claim to have the only copy either.
            phone.stop()
            let status = try phone.run(["status"])
            #expect(status.contains("his device was removed") && !status.contains("only known copy"))
        }

        /// Two devices that remove each other while apart are both out: each tells of it, though out itself.
        @Test func whoRemoveEachOtherAreBothOut() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two", "three")
            try fixture.wait("they know each other") {
                try nodes.allSatisfy { try list($0).compactMap(\.name).count == 3 }
            }
            for (node, lines) in zip(nodes, [Talk(4).lines.prefix(2), Talk(4).lines.suffix(2)]) {
                try node.run(["import", try fixture.file("chat", Array(lines))])
            }
            try fixture.waitForAgreement(nodes, messages: 4)
            for node in nodes { node.stop() }
            for (node, other) in zip(nodes, ["two", "one"]) {
                try node.run(["device", "remove", other, "--phrase-file", fixture.phraseFile])
            }
            // The two meet first.
            for node in nodes.prefix(2) { try node.start() }
            try fixture.wait("both know it") { try nodes.prefix(2).allSatisfy { try shown($0).state == "removed" } }
            try nodes[2].start()
            func removed() throws -> [Listed] { try list(nodes[2]).filter { $0.state == "removed" } }
            try fixture.wait("the third one knows it") { try removed().count == 2 }
            // Nobody is left whose lists say which of their records stay.
            #expect(try nodes[2].messageCount() == 0)
            for device in try removed() {
                try nodes[2].run(["device", "remove", device.deviceId, "--phrase-file", fixture.phraseFile])
            }
            #expect(try nodes[2].messageCount() == 4)
        }

        /// A new laptop is restored from the backup of the stolen one: the phrase brings it back into the account, and
        /// its other device into the groups. Its own copy of these knows of no removal.
        @Test func whoIsRestoredFromARemovedDeviceComesIntoItsGroups() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("laptop", "phone")
            let (laptop, phone) = (nodes[0], nodes[1])
            try laptop.run(["group", "create", "Family"])
            try laptop.run(["game", "add", "Wordle", "--model", "lower-attempts", "--max-attempts", "6"])
            try fixture.wait("the phone is in it") {
                try phone.attempt(["score", "post", "--game", "Wordle", "--score", "3"]).status.isSuccess
            }
            func board(_ node: DrivenNode) throws -> String { try node.run(["leaderboard", "Family"]) }
            try fixture.wait("the laptop has the result") { try board(laptop).contains("3") }
            let backup = fixture.folder.file("backup")
            try phone.run(["backup", backup])
            phone.stop()
            try laptop.run(["device", "remove", "phone", "--phrase-file", fixture.phraseFile])
            let restored = fixture.adopt("restored", home: fixture.folder.file("restored"))
            try restored.run(["restore", backup, "--name", "restored"])
            try restored.start()
            try fixture.wait("it knows that it is out") { try shown(restored).state == "removed" }
            let enter = try restored.attempt(["account", "enter", "--phrase-file", fixture.phraseFile])
            #expect(enter.status.isSuccess && !enter.errorOutput.contains("shut out"), "\(enter.errorOutput)")
            try fixture.wait("it is in the group") {
                try laptop.objects(Member.self, ["group", "members", "Family"]).first?.devices == 2
            }
            try restored.run(["score", "post", "--game", "Wordle", "--score", "2"])
            try fixture.wait("its results count there") { try board(laptop).contains("2") }
        }

        /// The answer does not list a device as uninformed that is about to hear of it.
        @Test func connectedDevicesHaveHeardWhenItAnswers() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("laptop", "phone", "tablet", "desk")
            try nodes[0].run(["import", try fixture.file("chat", Talk(10).lines)])
            try fixture.waitForAgreement(nodes, messages: 10)
            try fixture.waitForConnections(nodes)
            let removed = try nodes[0].object(
                Removed.self, ["device", "remove", "phone", "--phrase-file", fixture.phraseFile])
            #expect(Set(removed.heard.compactMap(\.name)) == ["laptop", "tablet", "desk"] && removed.unheard.isEmpty)
        }

        /// The user is told which of them was wrong, and nothing has happened.
        @Test func whatIsTypedWrongRemovesNobody() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("laptop", "phone")
            let (laptop, phone) = (nodes[0], nodes[1])
            try fixture.waitForAgreement(nodes, messages: 0)
            let theirs = fixture.folder.file("theirs")
            try fixture.stranger().savePhrase(to: theirs)
            let phrase = String(decoding: try #require(FileTree.read(fixture.phraseFile)), as: UTF8.self)
            let words = phrase.split(whereSeparator: \.isWhitespace).map(String.init)
            let typo = try fixture.file("typo", [(["anfang"] + words.dropFirst()).joined(separator: " ")])
            let short = try fixture.file("short", [words.dropLast().joined(separator: " ")])
            func refuses(_ name: String, _ file: String, _ reason: String) throws {
                let result = try laptop.attempt(["device", "remove", name, "--phrase-file", file])
                #expect(!result.status.isSuccess && result.errorOutput.contains(reason), "\(result)")
            }
            try refuses("tablet", fixture.phraseFile, "there is no device `tablet`")
            try refuses("phone", typo, "word 1, `anfang`, is not in the list of words")
            try refuses("phone", short, "12 or 24 words, this one has 23")
            try refuses("phone", theirs, "but of an account that this device does not have")
            // Now even the right ones do not help: a thief could keep guessing.
            try refuses("phone", fixture.phraseFile, "3 wrong tries within a minute")
            #expect(try list(laptop).map(\.state) == ["active", "active"])
            #expect(try nodes.allSatisfy { try shown($0).epoch == 0 } && shown(phone).state != "removed")
            try fixture.waitForConnections(nodes)

            // A device that is alone has nobody who could remove it.
            phone.stop()
            laptop.stop()
            try laptop.start()
            try laptop.run(["device", "remove", "phone", "--phrase-file", fixture.phraseFile])
            try refuses("laptop", fixture.phraseFile, "take the account off this one")
            #expect(try list(laptop).first?.state == "active" && shown(laptop).epoch == 1)
        }
    }
}
