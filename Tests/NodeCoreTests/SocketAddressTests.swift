import NodeCore
import Testing

@Suite struct SocketAddressTests {
    @Test(arguments: [
        "0.0.0.0:0", "127.0.0.1:65535", "192.168.1.20:7341", "255.255.255.255:1", "[::]:0", "[::1]:80",
        "[fe80::1%3]:7341", "[2001:db8::ff00:42:8329]:443", "[ff12::8384%4294967295]:1", "[::ffff:1.2.3.4]:5",
    ])
    func textComesBack(_ text: String) throws {
        let address = try #require(SocketAddress(text))
        #expect(address.description == text)
        let again = SocketAddress(hostBytes: address.hostBytes, scopeID: address.scopeID, port: address.port)
        #expect(again == address)
    }

    @Test func randomAddressesComeBack() {
        var random = SeededRandom(seed: 10)
        for round in 0..<2_000 {
            var host = random.bytes(round % 2 == 0 ? 4 : 16)
            // Runs of zeros, which IPv6's text form shortens.
            for index in host.indices where Bool.random(using: &random) { host[index] = 0 }
            let port = UInt16.random(in: 0...65_535, using: &random)
            let scope = host.count == 16 ? UInt32.random(in: 0...3, using: &random) : 0
            let address = SocketAddress(hostBytes: host, scopeID: scope, port: port)
            #expect(address?.hostBytes == host)
            #expect(address?.port == port)
            #expect(address.map { SocketAddress($0.description) } == address)
        }
    }

    @Test(arguments: [
        "", ":", "1.2.3.4", "1.2.3.4:", "1.2.3.4:65536", "1.2.3.4:-1", "1.2.3.4:+1", "1.2.3.4:01", "1.2.3:1",
        "1.2.3.4.5:1", "1.2.3.256:1", "1.2.3.04:1", "1.2..4:1", " 1.2.3.4:1", "1.2.3.4 :1", "1.2.3.4:1 ", "host:1",
        "::1:80", "[::1]", "[::1]80", "[::1]:", "[]:1", "[::1%]:1", "[::1%eth0]:1", "[::1%0]:1", "[::1%01]:1",
        "[::1%4294967296]:1", "[1.2.3.4]:1", "[:::]:1", "[::1\0]:1", "[::g]:1", "[::1]]:1", "1.2.3.٤:1",
    ])
    func anythingElseIsRefused(_ text: String) {
        #expect(SocketAddress(text) == nil)
    }

    @Test func otherSizesAreRefused() {
        for count in [0, 3, 5, 15, 17] {
            #expect(SocketAddress(hostBytes: [UInt8](repeating: 0, count: count), port: 1) == nil)
        }
    }

    @Test func orderIsByFamilyHostScopeAndPort() throws {
        let ascending = try [
            "1.2.3.4:9", "1.2.3.5:1", "1.2.3.5:2", "255.0.0.0:0", "[::]:0", "[::1]:5", "[fe80::1%1]:9", "[fe80::1%2]:1",
            "[fe80::2]:0",
        ].map { try #require(SocketAddress($0)) }
        #expect(ascending.shuffled().sorted() == ascending)
        #expect(Set(ascending + ascending).count == ascending.count)
    }

    @Test func kinds() throws {
        func address(_ text: String) throws -> SocketAddress { try #require(SocketAddress(text)) }
        #expect(try address("[::ffff:1.2.3.4]:5").unmapped == address("1.2.3.4:5"))
        #expect(try address("[::fffe:1.2.3.4]:5").unmapped.family == .ipv6)
        #expect(try address("127.9.9.9:1").isLoopback)
        #expect(try !address("128.0.0.1:1").isLoopback)
        #expect(try address("[::1]:1").isLoopback)
        #expect(try address("169.254.3.4:1").isLinkLocal)
        #expect(try !address("169.255.3.4:1").isLinkLocal)
        #expect(try address("[febf::1]:1").isLinkLocal)
        #expect(try !address("[fec0::1]:1").isLinkLocal)
        #expect(try address("1.2.3.4:5").with(port: 6) == address("1.2.3.4:6"))
        #expect(try address("1.2.3.4:5").ipv4 == 0x0102_0304)
        #expect(try address("[::2]:5").ipv6 == Bytes16(0, 2))
        #expect(SocketAddress(ipv4: 0x7F00_0001, port: 1) == (try address("127.0.0.1:1")))
    }
}
