import NodeModel

/// The status in Prometheus' text format.
enum Metrics {
    package static func text(_ status: NodeStatus) -> [UInt8] {
        var lines: [String] = []
        func add(_ name: String, _ help: String, type: String = "gauge", _ values: [String]) {
            lines += ["# HELP kachat_\(name) \(help)", "# TYPE kachat_\(name) \(type)"]
            lines += values.map { "kachat_\(name)\($0)" }
        }
        let accounts = status.accounts.map { (account: $0, label: "account=\"\(label($0))\"") }
        for (field, help, value) in counts {
            add(name(field), help, accounts.compactMap { one in value(one.account).map { "{\(one.label)} \($0)" } })
        }
        add("state", "Each account's state", accounts.map { "{\($0.label),state=\"\($0.account.state)\"} 1" })
        add(
            "verdict", "Each account's verdict",
            accounts.map { "{\($0.label),verdict=\"\($0.account.verdict.rawValue)\"} 1" })
        // Two accounts of a home may be in one group.
        let groups = (status.groups ?? []).map { group in
            (group: group, label: "account=\"\(group.accountId.prefix(8))\",group=\"\(group.groupId.prefix(8))\"")
        }
        add(
            "group_verdict", "The verdict of each group that the user is in",
            groups.compactMap { one in one.group.verdict.map { "{\(one.label),verdict=\"\($0.rawValue)\"} 1" } })
        add(
            "group_connected_peers", "Sessions with devices of each group",
            groups.map { "{\($0.label)} \($0.group.connected)" })
        add("connected_peers", "Sessions with other devices", [" \(status.peers.count { $0.state == "connected" })"])
        add(
            "refused_total", "Refusals since the start", type: "counter",
            (status.running?.refused.counts ?? []).map { "{what=\"\($0.name)\"} \($0.count)" })
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
