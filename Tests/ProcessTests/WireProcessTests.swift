import NodeCore
import NodeDriver
import ProcessHarness
import SampleData
import Testing
import Transport

extension ProcessTests {
    /// What an observer of all traffic sees.
    @Suite struct Wire {
        /// The places of each run of eight bytes in the capture.
        private struct Windows {
            private var owners: [UInt64: Int] = [:]
            private var count = 0
            /// The number of runs that occur in two of the pieces.
            private(set) var shared = 0

            /// Adds a piece, or more bytes of the latest one.
            mutating func add(_ bytes: some Sequence<UInt8>, toLatest: Bool = false) {
                if !toLatest { count += 1 }
                for window in Self.windows(bytes) {
                    if let owner = owners[window], owner != count { shared += 1 }
                    owners[window] = count
                }
            }

            func hold(_ bytes: some Sequence<UInt8>) -> Bool { Self.windows(bytes).contains { owners[$0] != nil } }

            private static func windows(_ bytes: some Sequence<UInt8>) -> [UInt64] {
                var (window, length, windows) = (0 as UInt64, 0, [] as [UInt64])
                for byte in bytes {
                    window = window << 8 | UInt64(byte)
                    length += 1
                    if length >= 8 { windows.append(window) }
                }
                return windows
            }
        }

        private struct Account: Decodable {
            var accountId: String
            var deviceId: String
        }

        /// Five accounts on three nodes. No two beacons share eight bytes, except for the head that shows one node in
        /// one quarter of an hour; nor do two directions of connections; and nothing of the accounts' content is seen
        /// at all.
        @Test(.enabled(if: RawCapture.isPossible, "raw sockets need root"))
        func accountsAndNodesHaveNothingInCommonOnTheWire() throws {
            let family = try FiveAccounts()
            let capture = try RawCapture()
            for node in family.nodes { try node.start() }
            let ports = Set(try family.nodes.map { try #require($0.port) })
            func takeIn() { capture.takeIn(ports: ports, datagramPort: Transport.Limits.beaconPort) }
            takeIn()
            try family.fill()
            takeIn()
            try family.fixture.wait("each node has beaconed") {
                takeIn()
                return Set(capture.datagrams.map { $0.prefix(16) }).count >= family.nodes.count
            }

            let windows = windows(of: capture, ports)
            #expect(windows.shared == 0)
            // The account on three nodes needs two sessions, and each other one; each session has two directions.
            #expect(capture.streams.values.count { $0.count > 500 } >= 12)
            #expect(capture.streams.values.reduce(0) { $0 + $1.count } > 20_000)

            for secret in try secrets(of: family) {
                #expect(!windows.hold(secret), "seen: \(String(decoding: secret, as: UTF8.self))")
            }
            let telling = windows.hold(try #require(capture.streams.values.first).prefix(40))
            #expect(telling, "what was captured is found")
        }

        private struct Group: Decodable { var groupId: String }
        private struct Invitation: Decodable { var token: String }
        private struct Member: Decodable { var memberId: String }

        /// Anna and Ben are in two groups. Their beacons and sessions do not reveal that it is the same two, and no key
        /// lets a member of one group learn it from the other.
        @Test(.enabled(if: RawCapture.isPossible, "raw sockets need root"))
        func twoGroupsOfTheSameTwoHaveNothingInCommon() throws {
            let people = [try Fixture(), try Fixture()]
            let capture = try RawCapture()
            let (anna, ben) = (try people[0].started("anna")[0], try people[1].started("ben")[0])
            let ports = Set([try #require(anna.port), try #require(ben.port)])
            func takeIn() { capture.takeIn(ports: ports, datagramPort: Transport.Limits.beaconPort) }

            var secrets = ["Anna", "Ben"].map { "\($0) in person" }
            var ids: [String] = []
            for title in ["Wordle at home", "Chess at work"] {
                let group = try anna.object(Group.self, ["group", "create", title]).groupId
                try anna.run(["group", "set-name", group, secrets[0]])
                let token = try anna.object(Invitation.self, ["group", "invite", group]).token
                try ben.run(["group", "join", token, "--name", secrets[1], "--wait", "120"])
                takeIn()
                try anna.run(["game", "add", "Wordle", "--group", group, "--model", "lower-attempts"])
                try people[0].wait("both list both") {
                    takeIn()
                    return try [anna, ben].allSatisfy {
                        try $0.run(["group", "members", group]).contains(secrets[0])
                            && $0.run(["group", "members", group]).contains(secrets[1])
                    }
                }
                ids += try anna.objects(Member.self, ["group", "members", group]).map(\.memberId)
                secrets += [title, group]
            }
            try people[0].wait("each has beaconed of both groups") {
                takeIn()
                return Set(capture.datagrams.map { $0.prefix(16) }).count >= 2
            }
            #expect(Set(ids).count == 4, "each is another member in each group")

            let windows = windows(of: capture, ports)
            #expect(windows.shared == 0)
            // There are two directions of a session for each group, and of the join before it.
            #expect(capture.streams.values.count { $0.count > 500 } >= 4)
            for text in secrets + ids {
                #expect(!windows.hold(Array(text.utf8)), "seen: \(text)")
                if let raw = Hex.decode(text) { #expect(!windows.hold(raw), "seen: \(text)") }
            }
        }

        /// A beacon's head counts once for its id and quarter of an hour; all else, and each direction, separately.
        /// Those who connect to a node in one second get one challenge, and one key has one hint for it.
        private func windows(of capture: RawCapture, _ ports: Set<UInt16>) -> Windows {
            var windows = Windows()
            let headBytes = 27
            for (_, beacons) in Dictionary(grouping: capture.datagrams, by: { Array($0.prefix(16)) }) {
                windows.add(beacons[0].prefix(headBytes))
                for beacon in beacons { windows.add(beacon.dropFirst(headBytes)) }
            }
            var (challenges, hints): (Set<[UInt8]>, Set<[UInt8]>) = ([], [])
            for (stream, bytes) in capture.streams where ports.contains(stream.from) {
                let answer = capture.streams[RawCapture.Stream(from: stream.to, to: stream.from)] ?? []
                challenges.insert(Array(bytes.prefix(32)))
                hints.insert(Array(bytes.prefix(32) + answer.prefix(8)))
                windows.add(bytes.dropFirst(32))
                windows.add(answer.dropFirst(8))
            }
            for challenge in challenges { windows.add(challenge) }
            for hint in hints { windows.add(hint.dropFirst(32)) }
            return windows
        }

        private func secrets(of family: FiveAccounts) throws -> [[UInt8]] {
            var texts = Set(family.nodes.map(\.name)).union(family.holders.keys)
            for talk in family.talks.values {
                texts.formUnion(talk.messages.flatMap { [$0.conversationID, $0.contact, $0.body, $0.txidHex] })
            }
            var bytes: [[UInt8]] = []
            for node in family.nodes {
                for account in try node.objects(Account.self, ["account", "list"]) {
                    texts.formUnion([account.accountId, account.deviceId])
                }
                texts.formUnion(try node.status().accounts.map(\.zoneDigest))
            }
            for text in texts {
                bytes.append(Array(text.utf8))
                if let raw = Hex.decode(text) { bytes.append(raw) }
            }
            return bytes.filter { $0.count >= 8 }
        }
    }
}
