import ChatTestKit
import Gossip
import LeaderboardShare
import Ledger
import NodeCore
import NodeDriver
import ProcessHarness
import SyncState
import Testing

extension ProcessTests {
    /// What members and former members can do who break the rules with all their keys.
    @Suite final class GroupAttacks {
        private struct Token: Decodable { var token = "" }
        private struct Joined: Decodable { var state = "" }
        private struct Listed: Decodable {
            var groupId = ""
            var state = ""
        }
        private struct Member: Decodable {
            var name = ""
            var role = ""
        }
        private struct Removed: Decodable {
            var alsoRemoved: [Member] = []
            var endedInvitations = 0
        }

        /// A fixture takes its nodes with it when it goes.
        private var fixtures: [Fixture] = []

        private func person(_ name: String) throws -> (Fixture, DrivenNode) {
            let fixture = try Fixture()
            fixtures.append(fixture)
            return (fixture, try fixture.started(name)[0])
        }

        private func invite(_ node: DrivenNode, _ group: String, _ people: Int = 8) throws -> String {
            try node.object(Token.self, ["group", "invite", group, "--people", "\(people)"]).token
        }

        private func join(_ node: DrivenNode, _ token: String, _ name: String) throws {
            let joined = try node.object(Joined.self, ["group", "join", token, "--name", name, "--wait", "120"])
            #expect(joined.state == "joined")
        }

        private func members(_ node: DrivenNode, _ group: String) throws -> [Member] {
            try node.objects(Member.self, ["group", "members", group])
        }

        private func names(_ node: DrivenNode, _ group: String) throws -> [String] {
            try members(node, group).map(\.name).sorted()
        }

        private func post(_ node: DrivenNode, _ group: String, _ day: Int, _ score: Int) throws {
            try node.run(["score", "post", group, "--game", "Wordle", "--score", "\(score)", "--date", "\(day)"])
        }

        private func board(_ node: DrivenNode, _ group: String, _ day: Int) throws -> String {
            // The devices in reach are not compared.
            try node.run(["leaderboard", "day", group, "\(day)", "--json"])
                .replacing(/"lack":"[^"]*",/, with: "")
        }

        private func found(_ node: DrivenNode) throws -> String {
            let id = try node.object(Groups.Created.self, ["group", "create", "Family"]).groupId
            try node.run(["group", "set-name", id, "Anna"])
            try node.run(["game", "add", "Wordle", "--group", id, "--model", "lower-attempts", "--max-attempts", "6"])
            return id
        }

        /// The number of control records that a node has stored of its group. Stops the node meanwhile.
        private func stored(_ node: DrivenNode) throws -> Int {
            node.stop()
            let stores = FileTree.names(in: node.home + "/zones").filter { $0.hasSuffix(".db") }
            let store = try #require(
                try stores.first { try count("sqlite_master WHERE name = 'score'", in: $0, node) > 0 })
            let stored = try count("ledger", in: store, node)
            try node.start()
            return stored
        }

        private func count(_ rows: String, in store: String, _ node: DrivenNode) throws -> Int {
            let count = try Database(path: node.home + "/zones/" + store).prepare("SELECT count(*) FROM \(rows)")
            defer { count.reset() }
            _ = try count.step()
            return Int(count.int(0))
        }

        /// Anna's group with Ben, who has her result of one day.
        private func two() throws -> (anna: (Fixture, DrivenNode), ben: (Fixture, DrivenNode), group: String) {
            let (anna, ben) = (try person("anna"), try person("ben"))
            let id = try found(anna.1)
            try join(ben.1, try invite(anna.1, id), "Ben")
            try post(anna.1, id, 20_260_105, 3)
            try ben.0.wait("Ben has Anna's result") { try board(ben.1, id, 20_260_105).contains("Anna") }
            return (anna, ben, id)
        }

        /// A member posts until the others' quota is used. Only the group pauses; it names the member, and continues
        /// once the owner has dropped that member's rows.
        @Test func aMemberFillsTheGroup() throws {
            let ((annas, anna), (bens, ben), id) = try two()
            try anna.run(["config", "set", "storage.groupQuotaBytes", "1000000"])
            let months = (1990...2011).flatMap { year in (1...12).map { year * 100 + $0 } }
            let lines = months.flatMap { month in
                (1...28).map { #"{"dateInt": \#(month * 100 + $0), "gameName": "Wordle", "score": 3}"# }
            }
            try ben.run(["score", "import", try bens.file("flood", lines), "--group", id])
            try annas.wait("the group's quota is used") { try state(anna, id).verdict == "full" }
            let full = try state(anna, id)
            #expect(full.sentence.hasPrefix("storage full: the group's quota of 1 MB is used; "), "\(full.sentence)")
            #expect(full.sentence.hasSuffix(" are by Ben"), "\(full.sentence)")
            for command in ["score post \(id) --game Wordle --score 2", "group rename \(id) Clan"] {
                let refused = try anna.attempt(command.split(separator: " ").map(String.init))
                #expect(refused.errorOutput.contains("config set storage.groupQuotaBytes"), "\(refused.errorOutput)")
                let verdicts = try anna.object(Accounts.self, ["status"]).accounts.map(\.verdict)
                #expect(!verdicts.contains("full") && !verdicts.contains("error"), "\(verdicts)")
            }
            #expect(try board(anna, id, 20_260_105).contains("Anna"), "it can still be read")
            let doctor = try anna.attempt(["doctor", "--discovery", "lo"])
            #expect(doctor.status == .exited(1) && doctor.output.contains("--drop-results"), "\(doctor.output)")
            let txid = String(repeating: "a", count: 64)
            let line =
                #"{"txid":"\#(txid)","conversationId":"a","contact":"a","direction":"sent","senderTs":1,"body":"b"}"#
            try anna.run(["message", "add"], input: line + "\n")

            try anna.run(["group", "remove", id, "Ben", "--drop-results", "--yes"])
            try annas.wait("Ben's results are gone") {
                try state(anna, id).verdict != "full" && !board(anna, id, 20_110_301).contains("Ben")
            }
            try post(anna, id, 20_260_106, 2)
            #expect(try state(anna, id).verdict != "full")
            #expect(try board(anna, id, 20_260_106).contains("Anna"))
        }

        private struct Accounts: Decodable {
            struct Account: Decodable { var verdict = "" }
            var accounts: [Account] = []
        }
        private struct State: Decodable {
            var verdict: String?
            var sentence = ""
        }

        private func state(_ node: DrivenNode, _ group: String) throws -> State {
            try node.object(State.self, ["group", "show", group])
        }

        /// Damage in a group's store is found by the command that checks every byte, and is repaired.
        @Test func aRottenResultIsFoundAndComesBack() throws {
            let (_, (bens, ben), id) = try two()
            let whole = try board(ben, id, 20_260_105)
            ben.stop()
            let stores = FileTree.names(in: ben.home + "/zones").filter { $0.hasSuffix(".db") }
            let store = try #require(
                try stores.first { try count("sqlite_master WHERE name = 'score'", in: $0, ben) > 0 })
            let database = try Database(path: ben.home + "/zones/" + store)
            try database.execute("UPDATE record SET rec = zeroblob(9) WHERE id = (SELECT max(id) FROM record)")
            try database.rest()
            let report = try ben.scrub()
            #expect(report.damagedRows == 1 && report.lanesDiffering == 1, "\(report)")
            try ben.start()
            try bens.wait("the row is back") { try board(ben, id, 20_260_105) == whole }
            #expect(try ben.scrub() == .clean)
        }

        private func session(as zone: GroupZone, _ node: DrivenNode) throws -> LyingPeer<GroupZone> {
            let peer = try LyingPeer(as: zone, at: try #require(node.port))
            try peer.greet()
            return peer
        }

        private func day(_ number: Int) throws -> NodeCore.Day {
            guard let day = NodeCore.Day(dateInt: number) else { throw DriverError("\(number) is no day") }
            return day
        }

        @Test("A removed member's rows and devices count nowhere, whoever brings them; the one who does stays")
        func aFormerMemberAndHisFriend() throws {
            let (anna, founder) = try person("anna")
            let (ben, joiner) = try person("ben")
            let (cleo, friend) = try person("cleo")
            let id = try found(founder)
            let token = try invite(founder, id)
            try join(joiner, token, "Ben")
            try join(friend, token, "Cleo")
            try post(joiner, id, 20_250_101, 5)
            for (fixture, node) in [(anna, founder), (cleo, friend)] {
                try fixture.wait("it has ben's result") { try board(node, id, 20_250_101).contains("Ben") }
            }
            try ben.wait("ben knows both") { try names(joiner, id) == ["Anna", "Ben", "Cleo"] }
            for node in [joiner, friend] { node.stop() }
            try founder.run(["group", "remove", id, "Ben", "--yes"])
            let before = try board(founder, id, 20_250_101)

            let (his, hers) = (try StolenHome(of: joiner), try StolenHome(of: friend))
            let zone = try his.group
            // He posts something now, and a better result in the place of the one that stays.
            let game = try #require(zone.catalogue.games.first)
            try zone.post(game: game.id, day: day(20_250_102), score: 1, wall: SystemClock().wall())
            try zone.commit()
            var rows = zone.store.takeWritten().map(\.record)
            let first = try #require(try zone.store.records(of: zone.lane).last { $0.seq < rows[0].seq })
            rows.append(try better(than: first, of: game, in: zone))
            let accomplices = try StolenKey(zone.membership).accomplices(3)
            let friends = try hers.group
            try friends.post(game: game.id, day: day(20_250_103), score: 4, wall: SystemClock().wall())
            try friends.commit()
            let own = try #require(friends.store.takeWritten().last)

            let peer = try session(as: friends, founder)
            peer.send(.ledger(isLast: false, accomplices.map(\.encoded)))
            peer.send(.rows(rows.map(\.encoded)))
            peer.send(.have(since: own.since, record: own.record.encoded))
            try anna.wait("what is hers counts") { try board(founder, id, 20_250_103).contains("Cleo") }
            #expect(!peer.isClosed(within: .zero), "she may have had it before she heard of the removal")
            #expect(try board(founder, id, 20_250_101) == before)
            #expect(try !board(founder, id, 20_250_102).contains("Ben"))
            #expect(try names(founder, id) == ["Anna", "Cleo"])

            // He asks again and again, and hands in what he has.
            for _ in 0..<20 {
                let peer = try LyingPeer(as: zone, at: try #require(founder.port))
                try peer.sayHello()
                try peer.wait { if case .dismiss = $0 { true } else { false } }
                peer.send(.ledger(isLast: true, accomplices.map(\.encoded)))
                #expect(peer.isClosed())
            }
            #expect(try names(founder, id) == ["Anna", "Cleo"] && board(founder, id, 20_250_101) == before)
        }

        /// Another row of the device at a place that it has used: a corrected result of the same day.
        private func better(than row: Record, of game: Game, in zone: GroupZone) throws -> Record {
            let sealer = RecordSealer(
                zone: zone.zone, first: zone.keys.firstRoot,
                slotKey: HKDF.derive(zone.keys.firstRoot.reading, "group/slot"))
            sealer.use(zone.membership.ring.ordered(in: zone.state))
            let score = try DailyScore(
                member: zone.member, day: day(20_250_101), game: game.id, gameName: game.name, score: 1,
                updatedAt: WallTime(milliseconds: 0), revision: 9)
            return StolenKey(zone.membership).row(
                RecordMeta(number: 17, fields: score.encoded), seq: row.seq,
                slot: sealer.slot(named: Array("score.\(score.id)".utf8), tag: .zero), kind: .immutable,
                after: row.header.prev, sealedBy: sealer)
        }

        @Test("An admin's reach is 64 people, whatever he signs; others get in, and he goes with all that he let in")
        func anAdminFloods() throws {
            let (anna, founder) = try person("anna")
            let (ben, admin) = try person("ben")
            let (_, newcomer) = try person("cleo")
            let id = try found(founder)
            try join(admin, try invite(founder, id), "Ben")
            try anna.wait("anna knows ben") { try names(founder, id) == ["Anna", "Ben"] }
            try founder.run(["group", "set-role", id, "Ben", "admin"])
            try ben.wait("ben is an admin") { try members(admin, id).contains { $0.role == "admin" } }
            admin.stop()

            let home = try StolenHome(of: admin)
            let zone = try home.group
            let key = StolenKey(zone.membership)
            let tickets = (0..<20).map { _ in StolenKey.key() }
            let invite = LedgerAct.invite(
                Invite(role: .member, expires: .never, keys: tickets.map(\.publicKey)))
            // Twenty tickets each, with three invitations within his bounds; and much that means nothing.
            let junk = (0..<400).map { LedgerAct.later(kind: 99, fields: [UInt8($0 / 256), UInt8($0 % 256)]) }
            let records = try key.records(of: Array(repeating: invite, count: 6) + junk)
            let people = records.prefix(6).flatMap { record in
                tickets.enumerated().map { index, ticket in
                    key.stranger(by: TicketID(invite: record.hash, index: UInt8(index)), ticket)
                }
            }
            let lanes = try key.accomplices(40)
            let peer = try session(as: zone, founder)
            for part in [records, lanes, people] {
                for start in stride(from: 0, to: part.count, by: 60) {
                    peer.send(.ledger(isLast: false, part[start...].prefix(60).map(\.encoded)))
                }
            }
            try anna.wait("his people are in, as many as he may let in") { try members(founder, id).count == 62 }
            // His 256 records, 16 lanes, three times twenty people, and a Word on each of these; he sent 570.
            #expect(try stored(founder) < 256 + 16 + 60 + 60 + 20)

            try join(newcomer, try self.invite(founder, id), "Cleo")
            try post(newcomer, id, 20_250_101, 3)
            try anna.wait("cleo's result counts") { try board(founder, id, 20_250_101).contains("Cleo") }
            let removed = try founder.object(
                Removed.self, ["group", "remove", id, "Ben", "--with-invited", "--yes"])
            #expect(removed.alsoRemoved.count == 60)
            #expect(try names(founder, id) == ["Anna", "Cleo"])
            #expect(try board(founder, id, 20_250_101).contains("Cleo"))
        }

        @Test("Two use one ticket at doors that had not met: one stays, the other is told, and another ticket helps")
        func twoWithOneTicket() throws {
            let (anna, founder) = try person("anna")
            let (ben, first) = try person("ben")
            let (cleo, second) = try person("cleo")
            let (_, dee) = try person("dee")
            let (_, eve) = try person("eve")
            let id = try found(founder)
            let token = try invite(founder, id)
            try join(first, token, "Ben")
            try join(second, token, "Cleo")
            let one = try invite(founder, id, 1)
            for (fixture, node) in [(ben, first), (cleo, second)] {
                try fixture.wait("it knows the invitation") {
                    try node.objects(Groups.Open.self, ["group", "invites", id]).count == 2
                }
            }
            founder.stop()
            second.stop()
            try join(dee, one, "Dee")
            for node in [first, dee] { node.stop() }
            try second.start()
            try join(eve, one, "Eve")
            for node in [dee, first] { try node.start() }
            try ben.wait("both doors agree on one of them") {
                let seen = try names(first, id)
                return try seen == names(second, id) && (seen.contains("Dee") || seen.contains("Eve"))
            }
            let (loser, name) = try names(first, id).contains("Dee") ? (eve, "Eve") : (dee, "Dee")
            try anna.wait("the other is told") {
                try loser.objects(Listed.self, ["group", "list"]).map(\.state) == ["lapsed"]
            }
            try founder.start()
            try join(loser, try invite(founder, id, 1), name)
            try anna.wait("all are in") { try names(founder, id) == ["Anna", "Ben", "Cleo", "Dee", "Eve"] }
        }
    }
}
