import NodeModel

/// The status in Prometheus' text format.
enum Metrics {
    package static func text(_ status: NodeStatus) -> [UInt8] {
        var lines: [String] = []
        for (field, help, value) in counts {
            lines += ["# HELP kachat_\(name(field)) \(help)", "# TYPE kachat_\(name(field)) gauge"]
            for account in status.accounts {
                guard let number = value(account) else { continue }
                lines.append("kachat_\(name(field)){account=\"\(label(account))\"} \(number)")
            }
        }
        lines += ["# HELP kachat_state Each account's state", "# TYPE kachat_state gauge"]
        for account in status.accounts {
            lines.append("kachat_state{account=\"\(label(account))\",state=\"\(account.state)\"} 1")
        }
        lines += ["# HELP kachat_verdict Each account's verdict", "# TYPE kachat_verdict gauge"]
        for account in status.accounts {
            lines.append("kachat_verdict{account=\"\(label(account))\",verdict=\"\(account.verdict.rawValue)\"} 1")
        }
        lines += [
            "# HELP kachat_connected_peers Sessions with other devices", "# TYPE kachat_connected_peers gauge",
            "kachat_connected_peers \(status.peers.count { $0.state == "connected" })",
        ]
        lines += [
            "# HELP kachat_refused_total Refusals since the start", "# TYPE kachat_refused_total counter",
        ]
        for (what, count) in status.running?.refused.counts ?? [] {
            lines.append("kachat_refused_total{what=\"\(what)\"} \(count)")
        }
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    private static let counts: [(field: String, help: String, value: @Sendable (AccountStatus) -> Int?)] = [
        ("messages", "Messages on this device", { $0.store?.messages }),
        ("conversations", "Conversations", { $0.store?.conversations }),
        ("unread", "Unread messages", { $0.store?.unread }),
        ("queued", "Messages not archived yet", { $0.store?.queued }),
        ("segments", "Segments", { $0.store?.segments }), ("records", "Records", { $0.store?.records }),
        ("wantedBlobs", "Known blobs still to be fetched", { $0.store?.wantedBlobs }),
        ("placeholders", "Messages without their body", { $0.store?.placeholders }),
        ("lastSyncedAt", "Last time that all devices in reach held the same, ms since 1970", { $0.lastSyncedAt }),
        (
            "caughtUp", "1 if everything from the devices in reach is here, and nothing waits to be sent",
            { $0.caughtUp ? 1 : 0 }
        ),
    ]

    /// Eight digits of the id: metrics are kept for long, so they carry no names.
    private static func label(_ account: AccountStatus) -> String { String(account.accountId.prefix(8)) }

    /// `wanted_blobs` of `wantedBlobs`.
    private static func name(_ field: String) -> String {
        field.reduce(into: "") { text, character in
            text += character.isUppercase ? "_" + character.lowercased() : String(character)
        }
    }
}
