package import NodeCore

/// A host and a TCP port as the user writes them.
package struct HostPort: Hashable, Sendable, CustomStringConvertible {
    /// A name or an address; IPv6 without brackets.
    package let host: String
    package let port: UInt16

    package init(host: String, port: UInt16) {
        (self.host, self.port) = (host, port)
    }

    /// `host:port` or `[v6]:port`; nil for anything else.
    package init?(_ text: String) {
        guard text.utf8.count <= 300, let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        let digits = text[text.utf8.index(after: colon)...]
        var host = text[..<colon]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits) else {
            return nil
        }
        if host.hasPrefix("[") {
            guard host.hasSuffix("]"), host.contains(":") else { return nil }
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || $0 == "[" || $0 == "]" }) else { return nil }
        self.init(host: String(host), port: port)
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

extension HostPort {
    /// The address, if it is a loopback address of this machine.
    package var onThisMachine: SocketAddress? {
        let named = host == "localhost" ? HostPort(host: "127.0.0.1", port: port) : self
        return SocketAddress(named.description).flatMap { $0.isLoopback ? $0 : nil }
    }
}
