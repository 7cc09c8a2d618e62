import NodeDriver
import ProcessHarness
import SampleData
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests {
    /// An app goes to the background and comes back.
    @Suite struct Background {
        struct Report: Decodable {
            var segments: Int
            var peers: Int
            var handedOver: Bool
            var released: Bool
        }

        struct Foreground: Decodable {
            var listen: String?
        }

        private static let talk = Talk(60, conversations: 12)

        /// Marks a conversation as read and adds a message, which both wait for their time, then ends the node or sends
        /// it to the background. There is half a second for the handover, which may be too short on a busy machine:
        /// then it tries once more with another conversation.
        ///
        /// - Returns: the number of messages on both.
        private func handOver(
            _ fixture: Fixture, _ nodes: [DrivenNode], by end: (_ unread: Int?) throws -> Bool,
            again: () throws -> Void
        ) throws -> Int {
            let conversations = Set(Self.talk.messages.filter { !$0.isSent }.map(\.conversationID)).sorted()
            for (number, conversation) in conversations.enumerated() {
                let held = Self.talk.messages.count + number
                try fixture.waitForConnections(nodes)
                try fixture.waitForAgreement(nodes, messages: held)
                let before = try nodes[1].status().account?.unread
                try nodes[0].run(["read", "mark", conversation])
                try nodes[0].run(["message", "add"], input: Self.line(number))
                let unread = try nodes[0].status().account?.unread
                #expect(unread != before)
                if try end(unread) { return held + 1 }
                try again()
            }
            throw DriverError("of \(conversations.count) tries none handed over what was new")
        }

        private static func txid(_ number: Int) -> String { String(repeating: "0", count: 61) + String(100 + number) }

        private static func line(_ number: Int) -> String {
            "{\"txid\":\"\(txid(number))\",\"conversationId\":\"new\",\"contact\":\"new\",\"direction\":\"sent\","
                + "\"senderTs\":1700000000,\"body\":\"news \(number)\"}"
        }

        /// A node that ends leaves nothing for its next start that a device in reach could have.
        @Test func aNodeThatEndsHandsOver() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            try nodes[0].run(["import", try fixture.file("chat", Self.talk.lines)])
            let end = { (unread: Int?) in
                // The message may have gone already; the mark waits for its time.
                let messages = try nodes[0].messageCount()
                #expect(nodes[0].stop() == .exited(0))
                // Only data already on its way still arrives.
                let deadline = Deadline(after: .seconds(5))
                while !deadline.hasPassed {
                    if try nodes[1].messageCount() == messages, try nodes[1].status().account?.unread == unread {
                        return true
                    }
                }
                return false
            }
            _ = try handOver(fixture, nodes, by: end) { try nodes[0].start() }
        }

        @Test func whatIsNewIsHandedOverAndNothingComesUntilTheForeground() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            try nodes[0].run(["import", try fixture.file("chat", Self.talk.lines)])
            try fixture.waitForConnections(nodes)
            try fixture.waitForAgreement(nodes, messages: Self.talk.messages.count)
            #expect(try isHeld(nodes[0]))
            let background = { (_: Int?) in
                let report = try nodes[0].object(Report.self, ["background"])
                // There is none if the message has gone already, since it waits for no more than a burst.
                #expect(report.segments <= 1 && report.peers == 1 && report.released)
                return report.handedOver
            }
            let held = try handOver(fixture, nodes, by: background) { try nodes[0].run(["foreground"]) }
            let written = try lastWritten(nodes[0])
            let port = try #require(nodes[0].port)
            #expect(throws: HarnessError.self) { try TCPProbe(port: port) }
            #expect(try nodes[0].status().connectedDevices == 0)
            #expect(try nodes[0].status().state == "paused")
            #expect(try !isHeld(nodes[0]))
            try fixture.wait("the other has both") {
                try nodes[1].messageCount() == held
                    && nodes[1].status().account?.unread == nodes[0].status().account?.unread
            }
            // The app may have been suspended the moment it got its answer.
            #expect(try lastWritten(nodes[0]) == written)

            // Commands still work, but nothing is synced.
            try nodes[1].run(["message", "add"], input: Self.line(800))
            try nodes[1].run(["flush"])
            try nodes[0].run(["message", "add"], input: Self.line(801))
            #expect(try nodes[0].attempt(["sync"]).status == .exited(1))
            #expect(try nodes[0].object(Report.self, ["background"]).released)
            // A third device that comes meanwhile gets what the second has, and nothing from the first.
            let third = try fixture.node("three")
            try third.start()
            try fixture.waitForAgreement([nodes[1], third], messages: held + 1)
            #expect(try nodes[0].messageCount() == held + 1)
            #expect(try third.exportedTxids().contains(Self.txid(800)))
            #expect(try nodes[0].status().connectedDevices == 0)

            let listen = try nodes[0].object(Foreground.self, ["foreground"]).listen
            #expect(listen == nodes[0].listen)
            _ = try TCPProbe(port: port)
            try fixture.waitForAgreement(nodes + [third], messages: held + 2)
            #expect(try nodes[0].object(Foreground.self, ["foreground"]).listen == listen)
            #expect(try isHeld(nodes[0]))
        }

        /// The caller dies while the node still waits for a device that has not said that it holds the same.
        @Test func itEndsInTheBackgroundThoughItsCallerIsGone() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let phrase = String(decoding: try #require(FileTree.read(fixture.phraseFile)), as: UTF8.self)
            let peer = try LyingPeer(port: try #require(node.port), phrase: phrase)
            try peer.greet()
            try fixture.wait("the device is there") { try node.status().connectedDevices == 1 }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "\(node.home)/node.sock".utf8) }
            let caller = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            let connected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(caller, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(connected == 0)
            let request = "POST /v1/background HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"
            #expect(write(caller, request, request.utf8.count) == request.utf8.count)
            try fixture.wait("it has read the request") {
                var unread: Int32 = 0
                return ioctl(caller, UInt(TIOCOUTQ), &unread) == 0 && unread == 0
            }
            close(caller)
            try fixture.wait("it is in the background") { try node.status().state == "paused" }
            try fixture.wait("it has let go") { try !isHeld(node) }
        }

        /// Whether a process holds a lock on the node's database.
        private func isHeld(_ node: DrivenNode) throws -> Bool {
            try text("/proc/locks").contains(":\(try database(node).st_ino) ")
        }

        /// The time of the last write, in seconds and nanoseconds.
        private func lastWritten(_ node: DrivenNode) throws -> [Int] {
            let time = try database(node).st_mtim
            return [time.tv_sec, time.tv_nsec]
        }

        private func database(_ node: DrivenNode) throws -> stat {
            let zones = node.home + "/zones"
            let name = try #require(FileTree.names(in: zones).first { $0.hasSuffix(".db") })
            var status = stat()
            try #require(stat("\(zones)/\(name)", &status) == 0)
            return status
        }

        private func text(_ path: String) throws -> String {
            let file = try #require(fopen(path, "r"))
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 1 << 20)
            let count = fread(&bytes, 1, bytes.count, file)
            return String(decoding: bytes.prefix(count), as: UTF8.self)
        }
    }
}
