import NodeDriver
import ProcessHarness
import SampleData
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests {
    /// An app goes out of sight and comes back.
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

        /// A node that ends leaves nothing for its next start that a device in reach could have. It takes half a second
        /// for that, which may not be enough on a machine with much to do: then there is another try.
        @Test func aNodeThatEndsHandsOver() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            let talk = Talk(20, conversations: 3)
            try nodes[0].run(["import", try fixture.file("chat", talk.lines)])
            var hasHandedOver = false
            for number in 20..<30 where !hasHandedOver {
                if nodes[0].process == nil { try nodes[0].start() }
                try fixture.waitForConnections(nodes)
                try fixture.waitForAgreement(nodes, messages: number)
                let news = talk.lines[0].replacing(
                    talk.messages[0].txidHex, with: String(repeating: "\(number)", count: 32))
                try nodes[0].run(["message", "add"], input: news)
                try nodes[0].run(["read", "mark", talk.messages[0].conversationID])
                let unread = try nodes[0].status().account?.unread
                #expect(try nodes[1].messageCount() == number)
                #expect(nodes[0].stop() == .exited(0))
                let deadline = Deadline(after: .seconds(5))
                while !hasHandedOver, !deadline.hasPassed {
                    hasHandedOver =
                        try nodes[1].messageCount() == number + 1 && nodes[1].status().account?.unread == unread
                }
            }
            #expect(hasHandedOver, "of ten tries none handed over what was new")
        }

        @Test func whatIsNewIsHandedOverAndNothingComesUntilTheForeground() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            let talk = Talk(23, conversations: 3)
            let received = try #require(talk.messages.prefix(20).first { !$0.isSent })
            let added = Array(talk.messages.suffix(3))
            try nodes[0].run(["import", try fixture.file("chat", talk.messages.prefix(20).map(\.jsonLine))])
            try fixture.waitForConnections(nodes)
            try fixture.waitForAgreement(nodes, messages: 20)
            #expect(try isHeld(nodes[0]))
            let unread = try nodes[1].status().account?.unread

            // Both wait for their time, which the background does not give them.
            try nodes[0].run(["read", "mark", received.conversationID])
            try nodes[0].run(["message", "add"], input: added[0].jsonLine)
            let report = try nodes[0].object(Report.self, ["background"])
            #expect(report.segments == 1 && report.peers == 1 && report.handedOver && report.released)
            let written = try lastWritten(nodes[0])
            let port = try #require(nodes[0].port)
            #expect(throws: HarnessError.self) { try TCPProbe(port: port) }
            #expect(try nodes[0].status().connectedDevices == 0)
            #expect(try nodes[0].status().state == "paused")
            #expect(try !isHeld(nodes[0]))
            try fixture.wait("the other has both") {
                try nodes[1].exportedTxids().contains(added[0].txidHex)
                    && nodes[1].status().account?.unread == nodes[0].status().account?.unread
            }
            #expect(try nodes[1].status().account?.unread != unread)
            // The app may have been suspended the moment it had its answer.
            #expect(try lastWritten(nodes[0]) == written)

            // Commands go on; nothing comes or goes.
            try nodes[1].run(["message", "add"], input: added[1].jsonLine)
            try nodes[1].run(["flush"])
            try nodes[0].run(["message", "add"], input: added[2].jsonLine)
            #expect(try nodes[0].attempt(["sync"]).status == .exited(1))
            #expect(try nodes[0].object(Report.self, ["background"]).released)
            // A third device that comes meanwhile gets what the second has, and nothing of the first.
            let third = try fixture.node("three")
            try third.start()
            try fixture.waitForAgreement([nodes[1], third], messages: 22)
            #expect(try nodes[0].messageCount() == 22)
            #expect(try third.exportedTxids().contains(added[1].txidHex))
            #expect(try nodes[0].status().connectedDevices == 0)

            let listen = try nodes[0].object(Foreground.self, ["foreground"]).listen
            #expect(listen == nodes[0].listen)
            _ = try TCPProbe(port: port)
            try fixture.waitForAgreement(nodes + [third], messages: 23)
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
            let request = "{\"arguments\":{},\"command\":\"background\",\"protocol\":1}\n"
            #expect(write(caller, request, request.utf8.count) == request.utf8.count)
            try fixture.wait("it has read the request") {
                var unread: Int32 = 0
                return ioctl(caller, UInt(TIOCOUTQ), &unread) == 0 && unread == 0
            }
            close(caller)
            try fixture.wait("it is in the background") { try node.status().state == "paused" }
            try fixture.wait("it has let go") { try !isHeld(node) }
        }

        /// Whether some process holds a lock on the node's database.
        private func isHeld(_ node: DrivenNode) throws -> Bool {
            try text("/proc/locks").contains(":\(try database(node).st_ino) ")
        }

        /// In nanoseconds of the second too.
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
