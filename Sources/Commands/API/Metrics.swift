import JSONLines

/// What `status` tells, in Prometheus' text format.
enum Metrics {
    package static func text(_ status: JSONValue) -> [UInt8] {
        var lines: [String] = []
        let accounts = status["accounts"]?.elements ?? []
        for (field, help) in counts {
            lines += ["# HELP kachat_\(name(field)) \(help)", "# TYPE kachat_\(name(field)) gauge"]
            for account in accounts {
                guard let value = number(account[field]) else { continue }
                lines.append("kachat_\(name(field)){account=\"\(label(account))\"} \(value)")
            }
        }
        lines += ["# HELP kachat_state What each account does", "# TYPE kachat_state gauge"]
        for account in accounts {
            let state = account["state"]?.text ?? ""
            lines.append("kachat_state{account=\"\(label(account))\",state=\"\(state)\"} 1")
        }
        let connected = (status["peers"]?.elements ?? []).count { $0["state"]?.text == "connected" }
        lines += [
            "# HELP kachat_connected_peers Sessions with other devices", "# TYPE kachat_connected_peers gauge",
            "kachat_connected_peers \(connected)",
        ]
        lines += [
            "# HELP kachat_refused_total What was refused since the start", "# TYPE kachat_refused_total counter",
        ]
        if case .object(let refused)? = status["refused"] {
            for (what, count) in refused.sorted(by: { $0.key < $1.key }) {
                lines.append("kachat_refused_total{what=\"\(what)\"} \(number(count) ?? "0")")
            }
        }
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    private static let counts = [
        ("messages", "Messages that are here"), ("conversations", "Conversations"), ("unread", "Unread messages"),
        ("queued", "Messages that wait for their segment"), ("segments", "Segments"), ("records", "Records"),
        ("wantedBlobs", "Blobs that are known and not here"), ("placeholders", "Messages without their body"),
        ("lastSyncedAt", "When all devices in reach held the same, ms since 1970"),
        ("caughtUp", "1 where all that the devices in reach hold is here, and nothing waits to be sent"),
    ]

    /// Eight digits: labels are kept for long, and need not name anybody.
    private static func label(_ account: JSONValue) -> String { String((account["accountId"]?.text ?? "").prefix(8)) }

    /// `wanted_blobs` of `wantedBlobs`.
    private static func name(_ field: String) -> String {
        field.reduce(into: "") { text, character in
            text += character.isUppercase ? "_" + character.lowercased() : String(character)
        }
    }

    private static func number(_ value: JSONValue?) -> String? {
        switch value {
        case .int(let number)?: "\(number)"
        case .uint(let number)?: "\(number)"
        case .bool(let isTrue)?: isTrue ? "1" : "0"
        default: nil
        }
    }
}
