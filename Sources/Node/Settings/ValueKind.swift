import NodeCore

/// The kind of value of an option or positional argument, and what is allowed.
package enum ValueKind: Sendable {
    /// Any non-empty text; the word is its placeholder in the help.
    case text(String)
    /// Any text of 1 to this many bytes of UTF-8.
    case limited(String, bytes: Int)
    /// One line of limited size in bytes of UTF-8.
    case line(String, bytes: Int)
    /// A text in one of these formats.
    case form(String, TextForm)
    /// A whole number in a range.
    case number(String, ClosedRange<UInt64>)
    /// Seconds, whole or with a fraction (`1.5`), up to the given number.
    case seconds(upTo: UInt64)
    /// `HOST:PORT`, an IPv6 address in brackets.
    case hostPort
    /// `HOST:PORT` of a listener: the port is not 0.
    case peer
    /// A transaction id: 64 hexadecimal digits.
    case txid
    /// A day in UTC: `2026-11-21`.
    case day
    /// One of these words; the first text is their placeholder in the help.
    case choice(String, [String])
    /// The discovery mode: `auto`, `lo`, `off`, or interfaces.
    case discovery
    /// The address of the local API: a loopback address, or `off`.
    case api
    /// Several `.peer` values, separated by commas.
    case peers

    /// The placeholder in usage lines.
    package var placeholder: String {
        switch self {
        case .text(let word), .limited(let word, _), .number(let word, _), .choice(let word, _), .line(let word, _),
            .form(let word, _):
            word
        case .seconds: "TIME"
        case .hostPort, .peer: "HOST:PORT"
        case .txid: "TXID"
        case .day: "YYYY-MM-DD"
        case .discovery: "auto|lo|off|IFACE,…"
        case .api: "HOST:PORT|off"
        case .peers: "HOST:PORT,…"
        }
    }

    /// The allowed values in words, as used in complaints without their verb.
    package var allowed: String {
        complaint("").map { $0.hasPrefix("must be ") ? String($0.dropFirst(8)) : $0 } ?? "any text"
    }

    /// The value that was probably meant by an invalid text.
    package func nearest(to text: String) -> String? {
        guard case .choice(_, let words) = self else { return nil }
        return EditDistance.nearest(to: text, in: words)
    }

    /// The reason that the text is invalid; nil if it is valid.
    package func complaint(_ text: String) -> String? {
        switch self {
        case .text:
            return text.isEmpty ? "must not be empty" : nil
        case .limited(_, let bytes):
            return (1...bytes).contains(text.utf8.count) ? nil : "must be a text of 1 to \(bytes) bytes"
        case .line(_, let bytes):
            let isLine = !text.isEmpty && text.utf8.count <= bytes && !text.unicodeScalars.contains { $0.value < 0x20 }
            return isLine ? nil : "must be one line of 1 to \(bytes) bytes"
        case .form(_, let form):
            return form.isKept(text) ? nil : "must be \(form.allowed)"
        case .number(_, let range):
            guard let value = UInt64(text), range.contains(value) else {
                return "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
            }
            return nil
        case .seconds(let limit):
            guard let value = milliseconds(text), value <= limit * 1000 else {
                return "must be a time of at most \(limit) s, such as 30s or 2m"
            }
            return nil
        case .hostPort:
            return HostPort(text) == nil ? "must be HOST:PORT, such as 192.168.1.7:4711 or [fe80::1]:4711" : nil
        case .peer:
            let port = HostPort(text)?.port ?? 0
            return port == 0 ? "must be HOST:PORT with a port from 1, such as 192.168.1.7:4711 or [fe80::1]:4711" : nil
        case .txid:
            return TxID(hex: text) == nil ? "must be a transaction id of 64 hexadecimal digits" : nil
        case .choice(_, let words):
            guard !words.contains(text) else { return nil }
            let list = words.map { "`\($0)`" }.joined(separator: ", ")
            return "must be one of \(list)"
        case .day: return (Day(text: text)?.number ?? -1) < 0 ? "must be a day such as 2026-11-21" : nil
        case .discovery:
            let isMode = (try? DiscoveryMode(text)) != nil
            return isMode ? nil : "must be auto, lo, off or interfaces such as eth0,wlan0"
        case .api:
            return text == "off" || HostPort(text)?.onThisMachine != nil
                ? nil : "must be off, or a port of this machine alone, such as 127.0.0.1:0 or [::1]:47768"
        case .peers:
            let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            guard parts.count <= Limits.staticPeers else { return "must name at most \(Limits.staticPeers) devices" }
            return parts.allSatisfy { ValueKind.peer.complaint($0) == nil }
                ? nil : "must be HOST:PORT, or several separated by commas"
        }
    }
}

/// Parses a time such as `30s` or `2m`, or seconds such as `12` or `12.345`, into milliseconds; nil for anything else.
package func milliseconds(_ text: String) -> UInt64? {
    if let seconds = Lifetime.seconds(text) { return UInt64(seconds) * 1000 }
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count <= 2, parts[0].count <= 9, let whole = UInt64(parts[0]) else { return nil }
    guard parts.count == 2 else { return whole * 1000 }
    guard (1...3).contains(parts[1].count), let fraction = UInt64(parts[1]) else { return nil }
    let scale: UInt64 = [100, 10, 1][parts[1].count - 1]
    return whole * 1000 + fraction * scale
}
