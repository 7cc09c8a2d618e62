import KaChatClient
import KaChatNode
import ProcessHarness
import Testing

extension ProcessTests {
    /// Abilities of an app that contains its node, which no token has: pairing, and several accounts.
    @Suite struct ClientPairing {
        private static var onLoopback: InProcessNode.Options {
            var options = ProcessTests.Client.quiet
            options.discovery = "lo"
            return options
        }

        /// The statuses of a pairing, read in a separate task.
        private final class Side: Sendable {
            let client: NodeClient
            private let statuses: AsyncStream<PairingStatus>
            private let task: Task<Void, any Error>

            init(_ client: NodeClient, _ sequence: PairingSequence) {
                self.client = client
                let (stream, continuation) = AsyncStream.makeStream(of: PairingStatus.self)
                statuses = stream
                task = Task {
                    defer { continuation.finish() }
                    for try await status in sequence { continuation.yield(status) }
                }
            }

            func wait(_ state: String) async throws -> PairingStatus {
                for await status in statuses where status.state == state { return status }
                try await task.value
                throw ClientError(.failed, "it never was \(state)")
            }
        }

        @Test func anAppGetsItsAccountFromAnotherDevice() async throws {
            let fixture = try Fixture()
            let (first, second) = (fixture.folder.file("first"), fixture.folder.file("second"))
            #expect(try InProcessNode.makeHome(at: first, name: "first") != nil)
            try InProcessNode.makeHomeForPairing(at: second, name: "second")
            let owner = try await InProcessNode.start(home: first, options: Self.onLoopback)
            let newcomer = try await InProcessNode.start(home: second, options: Self.onLoopback)
            #expect(try await newcomer.client().accounts().isEmpty)
            let account = try #require(try await owner.client().accounts().first).accountId
            try await owner.client().add(ProcessTests.Client.message(1))

            let giver = Side(owner.client(), owner.client().pair())
            let taker = Side(newcomer.client(), newcomer.client().joinByPairing(label: "mine"))
            let digits = (try await giver.wait("comparing").digits, try await taker.wait("comparing").digits)
            #expect(digits.0 != nil && digits.1 != nil)
            #expect(try await owner.client().pairing().state == "comparing")
            try await giver.client.confirmPairing(try #require(digits.1))
            try await taker.client.confirmPairing(try #require(digits.0))
            #expect(try await taker.wait("done").accountId == account)
            #expect(try await giver.wait("done").accountId == account)
            #expect(try await newcomer.client().accounts().map(\.label) == ["mine"])
            for try await change in newcomer.client().changes(since: .oldest) where change.kind == .messageAdded {
                break
            }
            #expect(try await newcomer.client().message(ProcessTests.Client.message(1).txid).body != nil)
            await newcomer.stop()
            await owner.stop()
        }

        @Test func anAppHasSeveralAccounts() async throws {
            let fixture = try Fixture()
            let home = fixture.folder.file("home")
            let key = String(repeating: "4b", count: 32)
            try InProcessNode.makeHome(at: home, name: "one", walletKey: key)
            let node = try await InProcessNode.start(home: home, options: ProcessTests.Client.quiet)
            let first = try #require(try await node.client().accounts().first)
            let made = try await node.client().createAccount(label: "work")
            #expect(made.phrase.split(separator: " ").count >= 12)
            try await node.client(account: "work").add(ProcessTests.Client.message(1))
            #expect(try await node.client().conversations().isEmpty)
            #expect(try await node.client(account: made.accountId).conversations().count == 1)
            try await node.client().setDefaultAccount(made.accountId)
            #expect(try await node.client().conversations().count == 1)

            try await node.client().removeAccount(first.accountId)
            #expect(try await node.client().accounts().map(\.accountId) == [made.accountId])
            let again = try await node.client().importAccount(walletKey: key, label: "wallet")
            #expect(again == first.accountId)
            let exists = await #expect(throws: ClientError.self) {
                try await node.client().importAccount(phrase: made.phrase)
            }
            #expect(exists?.code.rawValue == "account-exists")
            let wrong = await #expect(throws: ClientError.self) {
                try await node.client().importAccount(phrase: "one two three")
            }
            #expect(wrong?.code.rawValue == "bad-phrase")
            await node.stop()
        }

        /// A home for pairing is made once, and never replaces an account.
        @Test func aHomeForPairingReplacesNone() throws {
            let fixture = try Fixture()
            let home = fixture.folder.file("home")
            try InProcessNode.makeHomeForPairing(at: home, name: "one")
            try InProcessNode.makeHomeForPairing(at: home, name: "one")
            #expect(try InProcessNode.makeHome(at: home, name: "one") != nil)
            #expect(throws: ClientError.self) { try InProcessNode.makeHomeForPairing(at: home, name: "one") }
        }
    }
}
