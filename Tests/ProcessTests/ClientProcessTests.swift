import KaChatClient
import KaChatNode
import NodeDriver
import ProcessHarness
import SampleData
import Testing

extension ProcessTests {
    /// The client library against a real node, over each way to one.
    @Suite struct Client {
        /// A way to a node: a client has the same abilities on each.
        enum Way: String, CaseIterable, Sendable {
            case http
            case socket
            case inProcess
        }

        /// A node and a client of it.
        final class Subject {
            let fixture: Fixture
            let node: DrivenNode
            let way: Way
            private var local: InProcessNode?
            private var token = ""

            init(_ way: Way) async throws {
                struct Token: Decodable { var token: String }
                fixture = try Fixture()
                self.way = way
                node = try fixture.node("one")
                if way == .inProcess {
                    local = try await InProcessNode.start(home: node.home, options: Client.quiet)
                } else {
                    try node.start()
                    token = try node.object(Token.self, ["token", "create", "--scope", "admin"]).token
                }
            }

            /// Call this at a test's end: the node lives until then.
            func stop() {
                local = nil
                node.stop()
            }

            func client(account: String? = nil) throws -> NodeClient {
                switch way {
                case .http: try NodeClient(api: node.api ?? "", token: token, account: account)
                case .socket:
                    NodeClient(transport: HTTPTransport(socket: node.home + "/node.sock"), account: account)
                case .inProcess: try #require(local).client(account: account)
                }
            }

            /// Kills the node and starts it again at the same address.
            func restart() throws {
                guard way != .inProcess else { return }
                node.runArguments = ["--discovery", "off", "--listen", "127.0.0.1:0", "--api", node.api ?? "off"]
                try node.kill()
                try node.start()
            }
        }

        /// Options with which the node looks for nobody.
        static var quiet: InProcessNode.Options {
            var options = InProcessNode.Options()
            options.discovery = "off"
            options.listen = "127.0.0.1:0"
            return options
        }

        static func message(_ number: Int, in conversation: String = "alice") -> NewMessage {
            NewMessage(
                txid: String(repeating: "0", count: 56) + String(0x1000_0000 + number, radix: 16),
                conversationId: conversation, contact: "Alice", direction: number.isMultiple(of: 3) ? .sent : .received,
                senderTs: 1_103_966_040 + number, body: "Message \(number): “é🦊\"\\\n”",
                blockTime: (1_103_966_040 + number) * 1000, acceptingDaaScore: 1000 + number)
        }

        @Test(arguments: Way.allCases) func messagesAreAddedReadAndDeleted(way: Way) async throws {
            let subject = try await Subject(way)
            defer { subject.stop() }
            let client = try subject.client()
            for number in 0..<90 { #expect(try await client.add(Self.message(number)) == .new) }
            #expect(try await client.add(Self.message(7)) == .known)
            var pages: [[Message]] = []
            var cursor: String?
            repeat {
                let page = try await client.messages(in: "alice", limit: 40, cursor: cursor)
                pages.append(page.messages)
                cursor = page.cursor
            } while cursor != nil && pages.count < 9
            #expect(pages.map(\.count) == [40, 40, 10])
            #expect(pages.joined().map(\.txid) == (0..<90).reversed().map { Self.message($0).txid })
            let shown = try await client.message(Self.message(5).txid)
            #expect(shown.body == Self.message(5).body && shown.senderTs == 1_103_966_045)
            #expect(shown.blockTime == 1_103_966_045_000 && shown.acceptingDaaScore == 1005)
            #expect(!shown.isRead && shown.status == "confirmed")
            #expect(try await client.search("\"message 77\"").map(\.txid) == [Self.message(77).txid])

            let conversation = try #require(try await client.conversations().first)
            #expect(conversation.conversationId == "alice" && conversation.messages == 90)
            #expect(conversation.unread == 60)
            #expect(try await client.markRead("alice", upTo: Self.message(88).txid).unread == 1)
            let marked = try await client.markRead("alice")
            #expect(marked.advanced && marked.unread == 0)
            try await client.leave("alice")
            #expect(try await client.deleteMessage(Self.message(3).txid).messages == 1)
            #expect(try await client.add(Self.message(3)) == .deleted)
            let error = await #expect(throws: ClientError.self) { try await client.message(Self.message(3).txid) }
            #expect(error?.code == .notFound && error?.remedy == .tellTheUser)
            let deleted = try #require(try await client.recentlyDeleted().first)
            #expect(deleted.txid == Self.message(3).txid && deleted.body == Self.message(3).body)
            #expect(deleted.purgeAt - deleted.deletedAt > 6 * 86_400_000)
            try await client.restoreMessage(Self.message(3).txid)
            #expect(try await client.message(Self.message(3).txid).body == Self.message(3).body)
            #expect(try await client.deleteConversation("alice").messages == 90)
            #expect(try await client.conversations().isEmpty)
            #expect(try await client.recentlyDeleted().map(\.conversationId) == ["alice"])
            #expect(try await client.restoreConversation("alice") == 90)
            #expect(try await client.recentlyDeleted().isEmpty)
            let known = await #expect(throws: ClientError.self) { try await client.restoreConversation("alice") }
            #expect(known?.code == .notFound)
        }

        @Test(arguments: Way.allCases) func placeholdersAndTheChain(way: Way) async throws {
            let subject = try await Subject(way)
            defer { subject.stop() }
            let client = try subject.client()
            var message = Self.message(1)
            #expect(try await client.hint(message.txid, conversationId: "alice", direction: .received) == .hinted)
            let waiting = try #require(try await client.placeholders().messages.first)
            #expect(waiting.isPlaceholder && waiting.body == nil && waiting.waitingFor != nil)
            message.blockTime = nil
            message.acceptingDaaScore = nil
            message.attachments = [Attachment(mimeType: "image/png", inline: "aGVsbG8=", width: 3, height: 4)]
            try await client.add(message)
            #expect(try await client.hint(message.txid) == .held)
            #expect(try await client.placeholders().messages.isEmpty)
            let here = try await client.message(message.txid)
            #expect(here.status == "pending" && here.attachments.first?.inline == "aGVsbG8=")
            #expect(here.attachments.first?.sizeBytes == 5)
            let confirmed = try await client.confirm(message.txid, blockTime: 1_103_966_041_000, acceptingDaaScore: 9)
            #expect(confirmed == .changed)
            #expect(try await client.message(message.txid).acceptingDaaScore == 9)
            #expect(try await client.reorg(message.txid) == .changed)
            #expect(try await client.message(message.txid).status == "reorged")
            #expect(try await client.confirm(Self.message(2).txid) == .waiting)
        }

        @Test(arguments: Way.allCases) func conversationsAreSetAndTheNodeTellsOfItself(way: Way) async throws {
            let subject = try await Subject(way)
            defer { subject.stop() }
            let client = try subject.client()
            try await client.add(Self.message(1, in: "a/b ?&é"))
            let change = ConversationChange(
                title: "Alice & Bob", participants: [Participant(address: "x", name: "X"), Participant(address: "y")],
                pinned: true, checkpoint: "00ff")
            #expect(try await client.setConversation("a/b ?&é", change))
            #expect(try await !client.setConversation("a/b ?&é", change))
            let shown = try await client.conversation("a/b ?&é")
            #expect(shown.title == "Alice & Bob" && shown.pinned && !shown.muted && shown.checkpoint == "00ff")
            #expect(shown.participants.map(\.name) == ["X", nil])
            #expect(try await client.setConversation("a/b ?&é", ConversationChange(title: "")))
            #expect(try await client.conversation("a/b ?&é").title == nil)

            let status = try await client.status()
            #expect(status.accounts.first?.messages == 1 && status.name == "one")
            #expect(try await client.accounts().map(\.accountId) == status.accounts.map(\.accountId))
            #expect(try await client.flush() == 1)
            #expect(try await client.status().accounts.first?.queued == 0)
            #expect(try await client.sync().peers == 0)
            try await client.renameDevice("other")
            let device = try #require(try await client.devices().first)
            #expect(device.name == "other")
            try await client.renameDevice(device.deviceId, to: "third")
            #expect(try await client.devices().map(\.name) == ["third"])
            await #expect(throws: ClientError.self) {
                try await client.renameDevice(String(repeating: "0", count: 8), to: "nobody")
            }
            try await client.pause(by: "the test")
            #expect(try await client.status().accounts.first?.state == "paused")
            try await client.resume()
            #expect(try await client.background().released)
            try await client.add(Self.message(2))
            try await client.foreground()
            #expect(try await client.status().accounts.first?.messages == 2)
            // An error about a wrong call names what is wrong.
            let wrong = await #expect(throws: ClientError.self) { try await client.messages(in: "alice", limit: 501) }
            #expect(wrong?.code == .usage && wrong?.parameter == "limit" && wrong?.remedy == .correctTheCall)
        }

        @Test(arguments: Way.allCases) func groupsAndScores(way: Way) async throws {
            WholeDay.begin()
            let subject = try await Subject(way)
            defer { subject.stop() }
            let client = try subject.client()
            let id = try await client.createGroup("Family", description: "us")
            #expect(try await client.groups().map(\.groupId) == [id])
            try await client.setName("Anna", inGroup: id)
            let group = try await client.group("family")
            #expect(group.role == .owner && group.name == "Anna" && group.state == "joined" && group.members == 1)
            let game = try await client.addGame("Wordle", model: .lowerAttempts, maxAttempts: 6, to: id)
            #expect(try await client.games(of: id) == [game])
            #expect(try await client.post(NewScore(game: "Wordle", score: 3, currentStreak: 2), to: id).score == 3)
            try await client.post(NewScore(game: "Wordle", score: nil, date: 20_250_131), to: id)
            #expect(try await client.postEverywhere(NewScore(shareText: "Wordle 1,234 2/6")).map(\.score) == [2])
            #expect(Set(try await client.scores(in: id).map(\.completed)) == [true, false])
            let board = try await client.leaderboard(of: id, period: .today)
            #expect(board.rows.map(\.name) == ["Anna"] && board.rows.map(\.me) == [true])
            #expect(board.rows.map(\.points) == [5])
            let day = try await client.leaderboard(of: id, onDay: 20_250_131)
            #expect(day.results.map(\.score) == [nil])
            let history = try await client.leaderboardHistory(of: id)
            #expect(history.members.map(\.name) == ["Anna"] && history.weeks.last?.points == [5])
            let race = try await client.leaderboardRace(of: id, from: 20_250_101, to: 20_250_131)
            #expect(race.members.map(\.name) == ["Anna"] && race.days.map(\.date) == [20_250_131])
            try await client.removeScore(of: "Wordle", date: 20_250_131, from: id)
            #expect(try await client.scores(in: id).count == 1)
            let invite = try await client.invite(to: id, role: .viewer, expires: "12h", people: 2)
            #expect(invite.token.hasPrefix("kachat:") && invite.people == 2)
            let open = try #require(try await client.invites(of: id).first)
            try await client.revokeInvite(open.inviteId, of: id)
            #expect(try await client.invites(of: id).isEmpty)
            #expect(try await client.members(of: id).map(\.role) == [.owner])
            // Each reaches its endpoint, which knows nobody with that name.
            let calls: [() async throws -> Void] = [
                { try await client.setSuspended(true, "nobody", in: id) },
                { try await client.setSuspended(false, "nobody", in: id) },
                { try await client.closeGroup(id, withSuccessorOf: "nobody") },
            ]
            for call in calls {
                let unknown = await #expect(throws: ClientError.self) { try await call() }
                #expect(unknown?.code == .notFound && unknown?.message.contains("nobody") == true)
            }
            try await client.renameGroup(id, "Friends")
            #expect(try await client.group(id).title == "Friends")
            #expect(try await client.achievementCategories().isEmpty)
            let reached = NewAchievement(
                id: "5d0c8a52-8a4f-4f0e-9d52-0000000000aa", category: "streaks", currentValue: 31,
                currentTier: "gold", thresholds: ["bronze": 3, "gold": 30], unlockedAt: ["gold": 1_750_000_000_000],
                lastUpdated: 1_750_000_000_000)
            #expect(try await client.add([reached]).changed)
            let again = try await client.add([reached])
            #expect(!again.changed && again.held == 1)
            #expect(try await client.achievements(in: "streaks").map(\.currentTier) == ["gold"])
            let nowhere = NewAchievement(id: "7", category: "streaks", currentValue: 1, lastUpdated: 1)
            let wrong = await #expect(throws: ClientError.self) { try await client.add([reached, nowhere]) }
            #expect(wrong?.code == .badInput && wrong?.message.contains("achievement 2") == true)
            let impossible = NewScore(game: "Wordle", score: 0)
            await #expect(throws: ClientError.self) { try await client.post(impossible, to: id) }
            let bad = await #expect(throws: ClientError.self) { try await client.join("kachat:x") }
            #expect(bad?.remedy == .tellTheUser || bad?.remedy == .correctTheCall)
            try await client.deleteGroup(id)
            #expect(try await client.group(id).state == "deleted")
        }

        @Test(arguments: Way.allCases) func callsAtOnceTakeTurns(way: Way) async throws {
            let subject = try await Subject(way)
            defer { subject.stop() }
            let client = try subject.client()
            try await withThrowingTaskGroup(of: AddResult.self) { group in
                for number in 0..<400 { group.addTask { try await client.add(Self.message(number)) } }
                for try await result in group { #expect(result == .new) }
            }
            #expect(try await client.conversations().map(\.messages) == [400])
        }
    }
}
