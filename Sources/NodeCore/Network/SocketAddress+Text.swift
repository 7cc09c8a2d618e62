#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension SocketAddress: CustomStringConvertible {
    /// Reads "1.2.3.4:PORT", "[v6]:PORT" or "[v6%SCOPE]:PORT"; host, scope and port are numbers only.
    ///
    /// Nil for anything else: names, missing ports, leading zeros, blanks.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"),
            let port = Self.number(text[text.index(after: colon)...], UInt16.self)
        else { return nil }
        let host = text[..<colon]
        if host.first == "[", host.last == "]", host.count > 2 {
            self.init(v6Text: host.dropFirst().dropLast(), port: port)
        } else {
            self.init(v4Text: host, port: port)
        }
    }

    /// "1.2.3.4:PORT", "[v6]:PORT" or "[v6%SCOPE]:PORT" (RFC 5952).
    package var description: String {
        switch family {
        case .ipv4: "\(hostText):\(port)"
        case .ipv6: "[\(hostText)\(scopeID == 0 ? "" : "%\(scopeID)")]:\(port)"
        }
    }

    /// The host alone, without scope and port.
    package var hostText: String {
        switch family {
        case .ipv4: hostBytes.map(String.init).joined(separator: ".")
        case .ipv6: Self.print(hostBytes)
        }
    }

    private init?(v4Text text: Substring, port: UInt16) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var host: UInt32 = 0
        for part in parts {
            guard let byte = Self.number(part, UInt8.self) else { return nil }
            host = host << 8 | UInt32(byte)
        }
        self.init(ipv4: host, port: port)
    }

    private init?(v6Text text: Substring, port: UInt16) {
        var scopeID: UInt32 = 0
        var host = text
        if let percent = text.firstIndex(of: "%") {
            guard let scope = Self.number(text[text.index(after: percent)...], UInt32.self), scope > 0 else {
                return nil
            }
            scopeID = scope
            host = text[..<percent]
        }
        guard let bytes = Self.parse(String(host)) else { return nil }
        self.init(hostBytes: bytes, scopeID: scopeID, port: port)
    }

    /// Decimal digits without sign or leading zero.
    private static func number<Number: FixedWidthInteger>(_ text: Substring, _ type: Number.Type) -> Number? {
        guard text.utf8.allSatisfy({ UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "9") }),
            text.utf8.count == 1 || text.utf8.first != UInt8(ascii: "0")
        else { return nil }
        return Number(text)
    }

    /// inet_pton(3), which is pure.
    private static func parse(_ text: String) -> [UInt8]? {
        guard !text.utf8.contains(0) else { return nil }
        var host = in6_addr()
        guard inet_pton(AF_INET6, text, &host) == 1 else { return nil }
        return withUnsafeBytes(of: host) { Array($0) }
    }

    /// inet_ntop(3), which is pure.
    private static func print(_ host: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: Int(INET6_ADDRSTRLEN)) { text in
            text.withMemoryRebound(to: CChar.self) { text in
                guard inet_ntop(AF_INET6, host, text.baseAddress, socklen_t(text.count)) != nil else { return 0 }
                return text.firstIndex(of: 0) ?? 0
            }
        }
    }
}
