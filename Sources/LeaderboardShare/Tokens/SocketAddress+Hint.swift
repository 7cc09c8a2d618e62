import NodeCore

extension SocketAddress {
    /// Host and port in a token: 6 bytes for IPv4, 18 for IPv6, without a scope, which is meaningless elsewhere.
    var hintBytes: [UInt8] { hostBytes + [UInt8(port >> 8), UInt8(port & 255)] }

    init?(hintBytes bytes: [UInt8]) {
        guard bytes.count > 2 else { return nil }
        let port = UInt16(bytes[bytes.count - 2]) << 8 | UInt16(bytes[bytes.count - 1])
        self.init(hostBytes: Array(bytes.dropLast(2)), port: port)
    }
}
