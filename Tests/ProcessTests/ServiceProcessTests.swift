import NodeDriver
import ProcessHarness
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests {
    /// The node under a service manager (sd_notify(3)).
    @Suite struct Services {
        /// A node that is given `address`, and must give a sign of life every 200 ms.
        private func started(_ fixture: Fixture, _ address: String) throws -> DrivenNode {
            let node = try fixture.node("one")
            node.environment = ["NOTIFY_SOCKET": address, "WATCHDOG_USEC": "400000"]
            try node.start()
            return node
        }

        @Test(arguments: [false, true]) func readyMeansThatItServes(isAbstract: Bool) throws {
            let fixture = try Fixture()
            let path = fixture.folder.file("notify")
            let address = isAbstract ? "@" + path : path
            let socket = try DatagramSocket(address)
            let node = try started(fixture, address)
            let ready = try socket.first { $0.hasPrefix("READY=1\n") }
            #expect(ready.contains("STATUS="))
            #expect(try node.status().state != "stopped")
            let api = try TCPProbe(port: try #require(node.apiPort))
            api.send(Array("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:\(node.apiPort ?? 0)\r\n\r\n".utf8))
            #expect(String(decoding: api.receive(upTo: 15), as: UTF8.self) == "HTTP/1.1 200 OK")
            node.stop()
            try socket.first { $0.hasPrefix("STOPPING=1\n") }
        }

        @Test func whatCannotServeIsNeverReady() throws {
            let fixture = try Fixture()
            let address = fixture.folder.file("notify")
            let socket = try DatagramSocket(address)
            let first = try fixture.started("one")[0]
            let second = try fixture.node("two")
            second.environment = ["NOTIFY_SOCKET": address]
            second.runArguments = ["--listen", "127.0.0.1:\(try #require(first.port))", "--discovery", "off"]
            #expect(throws: DriverError.self) { try second.start() }
            // It has ended, so nothing more can come.
            #expect(try socket.next(within: .zero) == nil)
        }

        @Test func signsOfLifeStopWithTheProcess() throws {
            let fixture = try Fixture()
            let address = fixture.folder.file("notify")
            let socket = try DatagramSocket(address)
            let process = try #require(try started(fixture, address).process)
            for _ in 0..<3 { try socket.first { $0 == "WATCHDOG=1" } }
            process.signal(SIGSTOP)
            try fixture.wait("it stands still") {
                let stat = try #require(FileTree.read("/proc/\(process.pid)/stat"))
                return String(decoding: stat, as: UTF8.self).split(separator: ")").last?.hasPrefix(" T") == true
            }
            while try socket.next(within: .zero) != nil {}
            // Five signs of life would have come.
            #expect(try socket.next(within: .seconds(1)) == nil)
            process.signal(SIGCONT)
            for _ in 0..<2 { try socket.first { $0 == "WATCHDOG=1" } }
        }

        @Test func theSettingsAreReadAnewOnSIGHUP() throws {
            let fixture = try Fixture()
            let address = fixture.folder.file("notify")
            let socket = try DatagramSocket(address)
            let node = try started(fixture, address)
            try FileTree.write(Array(#"{"read.quietSeconds": 77}"#.utf8), to: node.home + "/config.json")
            try hangUp(node, socket)
            #expect(try node.run(["config", "get", "read.quietSeconds"]).contains("77"))
            try FileTree.write(Array(#"{"read.quietSeconds": 0}"#.utf8), to: node.home + "/config.json")
            try hangUp(node, socket)
            #expect(node.log.contains("error bad-settings: "))
            #expect(node.process?.isRunning == true)
        }

        private func hangUp(_ node: DrivenNode, _ socket: DatagramSocket) throws {
            node.process?.signal(SIGHUP)
            try socket.first { $0 == "RELOADING=1" }
            try socket.first { $0 == "READY=1" }
        }
    }
}
