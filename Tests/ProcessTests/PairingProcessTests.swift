import NodeCore
import NodeDriver
import ProcessHarness
import SampleData
import TestScale
import Testing
import Transport

@testable import Gossip

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests {
    /// Two devices in one room, with real processes.
    @Suite struct PairingByDigits {
        struct Listed: Decodable { var accountId: String }
        struct Device: Decodable {
            var deviceId: String
            var state: String
            var thisDevice: Bool
        }
        struct Group: Decodable { var groupId: String }
        struct Member: Decodable { var name: String }

        /// A device with an account, and an empty home.
        private func devices(_ fixture: Fixture, isRunning: Bool) throws -> (DrivenNode, DrivenNode) {
            let laptop = try fixture.node("laptop")
            if isRunning { try laptop.start() }
            return (laptop, fixture.adopt("phone", home: fixture.folder.file("phone")))
        }

        private func pair(_ laptop: DrivenNode, _ phone: DrivenNode) throws -> (PairingSide, PairingSide) {
            let giver = try PairingSide(laptop, ["account", "pair"] + PairingSide.onLoopback)
            let taker = try PairingSide(
                phone, ["account", "pair", "--join", "--name", "phone"] + PairingSide.onLoopback)
            return (giver, taker)
        }

        @Test(arguments: [true, false])
        func theOtherDeviceGetsTheAccount(isRunning: Bool) throws {
            let fixture = try Fixture()
            let (laptop, phone) = try devices(fixture, isRunning: isRunning)
            try laptop.run(["import", try fixture.file("chat", Talk(20).lines)])
            let (giver, taker) = try pair(laptop, phone)
            let digits = try giver.digits()
            #expect(digits.count == 6)
            #expect(try taker.digits() == digits)
            #expect(giver.lines.last?.peer == "phone" && taker.lines.last?.peer == "laptop")
            #expect(giver.lines.last?.tag == taker.lines.last?.tag)
            #expect(try giver.say("confirm", digits) == .exited(0))
            #expect(try phone.attempt(["account", "list"]).output.isEmpty)
            try taker.say("confirm", digits)
            let done = try taker.wait("done")
            try giver.wait("done")
            #expect(try giver.end() == .exited(0))
            #expect(try taker.end() == .exited(0))
            let accounts = try phone.objects(Listed.self, ["account", "list"]).map(\.accountId)
            #expect(accounts == (try laptop.objects(Listed.self, ["account", "list"]).map(\.accountId)))
            #expect(done.accountId == accounts.first)
            // It was never in reach of a node, but is on the list, so it could be removed now.
            let listed = try laptop.objects(Device.self, ["device", "list"])
            let lane = try #require(listed.first { !$0.thisDevice }).deviceId
            #expect(listed.count == 2 && listed.allSatisfy { $0.state == "active" })
            #expect(try phone.objects(Device.self, ["device", "list"]).first { $0.thisDevice }?.deviceId == lane)
            if laptop.process == nil { try laptop.start() }
            try phone.start()
            try fixture.waitForAgreement([laptop, phone], messages: 20)
        }

        @Test func wrongDigitsThreeTimesAndItIsOver() throws {
            let fixture = try Fixture()
            let (laptop, phone) = try devices(fixture, isRunning: true)
            let (giver, taker) = try pair(laptop, phone)
            var seen: Set<String> = []
            for round in 1...3 {
                let digits = try giver.digits()
                #expect(try taker.digits() == digits)
                #expect(seen.insert(digits).inserted)
                #expect(giver.lines.last?.triesLeft == 4 - round)
                switch round {
                case 1: #expect(try taker.say("confirm", digits == "000000" ? "000001" : "000000") == .exited(4))
                case 2: #expect(try giver.say("refuse") == .exited(0))
                default: try taker.say("refuse")
                }
            }
            #expect(try giver.end() == .exited(4))
            #expect(try taker.end() == .exited(4))
            #expect(giver.lines.contains { $0.lastTry != nil })
            #expect(!FileTree.exists(phone.home + "/identity"))
            // The node continues, and pairs again when asked.
            let (again, other) = try pair(laptop, phone)
            _ = try again.digits()
            #expect(try other.say("stop") == .exited(0))
            #expect(try again.end() == .exited(4))
            #expect(try other.end() == .exited(4))
        }

        @Test func aloneItTimesOut() throws {
            let fixture = try Fixture()
            let (laptop, phone) = try devices(fixture, isRunning: true)
            let first = try PairingSide(laptop, ["account", "pair"])
            try first.wait("seeking")
            let refused = try laptop.attempt(["account", "pair"])
            #expect(refused.status == .exited(1) && refused.errorOutput.contains("already pairing"))
            try first.say("stop")
            #expect(try first.end() == .exited(4))
            let giver = try PairingSide(laptop, ["account", "pair", "--timeout", "1"])
            #expect(try giver.end() == .exited(6))
            let taker = try PairingSide(
                phone, ["account", "pair", "--join", "--timeout", "1"] + PairingSide.onLoopback)
            #expect(try taker.end() == .exited(6))
            #expect(!FileTree.exists(phone.home + "/identity"))
            // Nobody waits in vain for a network that is off. A node that is only for pairing follows the settings.
            laptop.stop()
            try laptop.run(["config", "set", "network.discovery", "nosuch0"])
            let unplugged = try laptop.attempt(
                ["account", "pair", "--timeout", "1", "--listen", "127.0.0.1:0", "--json"])
            #expect(unplugged.status == .exited(6))
            #expect(unplugged.errorOutput.contains("this device has no usable network interface"))
            #expect(try phone.attempt(["account", "pair"]).status == .exited(1))
        }

        @Test func whoGoesAwayEndsIt() throws {
            let fixture = try Fixture()
            let (laptop, phone) = try devices(fixture, isRunning: true)
            let (giver, taker) = try pair(laptop, phone)
            _ = try giver.digits()
            _ = try taker.digits()
            giver.process.killNow()
            #expect(try taker.end() == .exited(4))
            #expect(try laptop.attempt(["pairing", "confirm", "123456"]).status == .exited(1))
        }

        /// SIGKILL falls at any moment after the digits were confirmed, on either side; both pair again.
        @Test func whoIsKilledMeanwhilePairsAgain() throws {
            var random = SampleRandom(seed: 13)
            let clock = ContinuousClock()
            var span = Duration.zero
            for round in 0..<TestScale.of(usual: 5, proof: 101) {
                let fixture = try Fixture()
                let (laptop, phone) = try devices(fixture, isRunning: true)
                try laptop.run(["import", try fixture.file("chat", Talk(20).lines)])
                let (giver, taker) = try pair(laptop, phone)
                let digits = try giver.digits()
                #expect(try taker.digits() == digits)
                let start = clock.now
                let told = try [laptop, phone].map {
                    try ChildProcess(fixture.binary.command(home: $0.home, ["pairing", "confirm", digits]))
                }
                if round == 0 {
                    try giver.wait("done")
                    try taker.wait("done")
                    span = clock.now - start
                } else {
                    let moment = start + span * Double.random(in: 0...1.2, using: &random)
                    while clock.now < moment { usleep(200) }
                    if round % 2 == 0 { taker.process.killNow() } else { try laptop.kill() }
                    // The remaining one would look for the other for two minutes.
                    for side in [giver, taker] { side.process.terminate() }
                }
                for process in told + [giver.process, taker.process] { try process.wait() }
                if laptop.process == nil { try laptop.start() }
                if try phone.attempt(["account", "list"]).output.isEmpty {
                    let (giver, taker) = try pair(laptop, phone)
                    let digits = try giver.digits()
                    try giver.say("confirm", digits)
                    try taker.say("confirm", digits)
                    try taker.wait("done")
                    _ = try taker.end()
                    _ = try giver.end()
                }
                try phone.start()
                try fixture.waitForAgreement([laptop, phone], messages: 20)
                struct Device: Decodable { var name, state: String }
                for node in [laptop, phone] {
                    let shown = try node.objects(Device.self, ["device", "list"]).map { "\($0.name) \($0.state)" }
                    #expect(shown.sorted() == ["laptop active", "phone active"], "round \(round) on \(node.name)")
                }
            }
        }

        @Test func whoStandsInBetweenGetsNothing() throws {
            let fixture = try Fixture()
            let (laptop, phone) = try devices(fixture, isRunning: false)
            laptop.runArguments = ["--discovery", "off", "--listen", "127.0.0.1:0", "--api", "off"]
            try laptop.start()
            let giver = try PairingSide(laptop, ["account", "pair"])
            try giver.wait("seeking")
            let proxy = try PairingProxy(before: try #require(laptop.port))
            let taker = try PairingSide(
                phone,
                ["account", "pair", "--join", "--discovery", "off", "--listen", "127.0.0.1:0", "--peer", proxy.address])
            _ = try taker.wait("seeking")
            for _ in 1...3 {
                var shown: [String: String] = [:]
                try fixture.wait("both show digits") {
                    try proxy.work(for: .milliseconds(50))
                    for side in [giver, taker] {
                        let line = try side.node.object(PairingSide.Line.self, ["pairing", "show"])
                        shown[side.node.name] = line.digits
                    }
                    return shown.count == 2
                }
                #expect(shown["laptop"] != shown["phone"])
                // A script that compares tells each side what the other shows.
                #expect(try giver.say("confirm", shown["phone"] ?? "") == .exited(4))
                try taker.say("confirm", shown["laptop"] ?? "")
                try proxy.work(for: .milliseconds(50))
            }
            #expect(try giver.end() == .exited(4))
            #expect(try taker.end() == .exited(4))
            #expect(proxy.stolen == nil)
            #expect(!FileTree.exists(phone.home + "/identity"))
        }

        /// With the keys that everybody knows, one can only talk to a node that gives.
        @Test func whoDoesNotPairGivesNoSign() throws {
            let fixture = try Fixture()
            let (laptop, _) = try devices(fixture, isRunning: true)
            let port = try #require(laptop.port)
            #expect(try !isOpen(port))
            let giver = try PairingSide(laptop, ["account", "pair"])
            try giver.wait("seeking")
            #expect(try isOpen(port))
            giver.process.killNow()
            try fixture.wait("the door is shut again") { try !isOpen(port) }
        }

        private func isOpen(_ port: UInt16) throws -> Bool {
            var random = SystemRandom()
            let probe = try TCPProbe(port: port)
            let keys = DoorKeys(discovery: PairingKeys.discovery, psk: PairingKeys.session)
            let session = SessionMachine(initiatorWith: keys, random: &random, now: SystemClock().now())
            _ = session.receive(probe.receive(upTo: 32), now: SystemClock().now())
            var output = OutputBuffer()
            session.drain(upTo: 1 << 10, into: &output)
            _ = probe.send(output.withUnsafeBytes { Array($0) })
            return !probe.receive(upTo: 1).isEmpty
        }

        @Test func aGroupIsJoinedInTheSameRoom() throws {
            let (anna, ben) = (try Fixture(), try Fixture())
            let founder = try anna.started("anna")[0]
            let joiner = try ben.started("ben")[0]
            let id = try founder.object(Group.self, ["group", "create", "Family"]).groupId
            let giver = try PairingSide(founder, ["group", "invite", id, "--nearby"])
            let taker = try PairingSide(joiner, ["group", "join", "--nearby", "--name", "Ben", "--wait", "120"])
            let digits = try giver.digits()
            #expect(try taker.digits() == digits)
            // Nothing tells the taker which group it is before both have consented.
            #expect(!taker.lines.contains { $0.title != nil })
            try taker.say("confirm", digits)
            try giver.say("confirm", digits)
            #expect(try giver.wait("done").title == "Family")
            #expect(try taker.wait("joined").title == "Family")
            #expect(try giver.end() == .exited(0))
            #expect(try taker.end() == .exited(0))
            try anna.wait("the founder knows Ben") {
                try founder.objects(Member.self, ["group", "members", id]).contains { $0.name == "Ben" }
            }
            // It was an invitation for one, and has ended.
            #expect(try founder.run(["group", "invites", id, "--json"]).isEmpty)
            #expect(try joiner.attempt(["group", "invite", id, "--nearby", "--role", "admin"]).status == .exited(4))
        }
    }
}
