import NodeDriver
import ProcessHarness
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests {
    /// A machine whose network is not there yet: a separate namespace, which vanishes with its nodes.
    @Suite struct Network {
        private struct Status: Decodable {
            struct Account: Decodable {
                var state: String
                var sentence: String
            }
            var accounts: [Account]
        }

        private static let cable = ["link", "add", "lan0", "type", "veth", "peer", "name", "lan1"]

        static let canMakeNamespaces =
            (try? Command("unshare", ["-n", "ip"] + cable).run())?.status.isSuccess == true

        private func account(_ node: DrivenNode) throws -> Status.Account {
            try node.object(Status.self, ["status"]).accounts[0]
        }

        @Test(.enabled(if: canMakeNamespaces, "network namespaces need root, unshare(1) and ip(8)"))
        func withoutAnInterfaceItWaitsAndGoesOnWhenThereIsOne() throws {
            let fixture = try Fixture()
            let one = try Self.inside(fixture, fixture.node("one"), ["unshare", "-n"])
            try one.start()
            let space = ["nsenter", "-n", "-t", "\(try #require(one.process?.pid))"]
            let two = try Self.inside(fixture, fixture.node("two"), space)
            try two.start()
            for node in [one, two] {
                var said = try account(node)
                try fixture.wait("\(node.name) says so") {
                    said = try account(node)
                    return said.sentence.hasSuffix("(there is no usable network interface)")
                }
                #expect(said.state == "waiting")
                #expect(node.log.contains("no-interface"))
            }
            try one.run(["import", try fixture.file("chat", Talk(20).lines)])
            #expect(try one.messageCount() == 20)

            for words in [
                ["link", "set", "lo", "up"], Self.cable, ["addr", "add", "10.78.0.1/24", "dev", "lan0"],
                ["link", "set", "lan0", "up"], ["link", "set", "lan1", "up"],
            ] {
                let made = try Command("nsenter", Array(space.dropFirst()) + ["ip"] + words).run()
                try #require(made.status.isSuccess, "\(words)")
            }
            try fixture.waitForAgreement([one, two], messages: 20)
            try fixture.wait("it is in sync") { try account(two).state == "synced" }
        }

        /// The same node in another namespace: its program is a script that first enters it. Commands find it by its
        /// socket's path.
        static func inside(_ fixture: Fixture, _ node: DrivenNode, _ way: [String]) throws -> DrivenNode {
            let script = fixture.folder.file("inside-\(node.name)")
            let text = """
                #!/bin/sh
                for word in "$@"; do
                    [ "$word" = run ] && exec \(way.joined(separator: " ")) '\(fixture.binary.path)' "$@"
                done
                exec '\(fixture.binary.path)' "$@"

                """
            try FileTree.write(Array(text.utf8), to: script)
            chmod(script, 0o700)
            let inside = DrivenNode(NodeBinary(path: script), name: node.name, home: node.home)
            inside.runArguments = []
            fixture.adopt(inside)
            return inside
        }
    }
}
