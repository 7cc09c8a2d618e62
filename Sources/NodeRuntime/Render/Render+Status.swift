extension Render {
    static func status(_ value: JSONValue, _ output: Output) {
        output.line("node     \(value["state"]?.text ?? "")")
        output.line("device   \(value["deviceId"]?.text ?? "") (\(Terminal.harmless(value["name"]?.text ?? "")))")
        for account in value["accounts"]?.elements ?? [] { accountLines(account, output) }
        let peers = value["peers"]?.elements ?? []
        if value["listen"]?.text != nil { output.line(peers.isEmpty ? "peers    none in reach" : "peers") }
        for each in peers { output.line("  " + peer(each)) }
        guard case .object(let refused)? = value["refused"] else { return }
        let told = refused.filter { ($0.value.integer ?? 0) > 0 }.sorted { $0.key < $1.key }
        guard !told.isEmpty else { return }
        output.line("refused  " + told.map { "\($0.key) \($0.value.integer ?? 0)" }.joined(separator: ", "))
    }

    static func peer(_ value: JSONValue) -> String {
        let device = value["deviceId"]?.text.map { String($0.prefix(16)) } ?? "(unknown)"
        let name = value["name"]?.text.map { " " + Terminal.harmless($0) } ?? ""
        let words = ["address", "foundBy", "state"].map { value[$0]?.text ?? "-" }
        return "\(device)\(name)  \(words.joined(separator: "  "))"
    }

    private static func accountLines(_ account: JSONValue, _ output: Output) {
        func count(_ name: String) -> Int64 { account[name]?.integer ?? 0 }
        let label = Terminal.harmless(account["label"]?.text ?? "")
        output.line("account  \(account["accountId"]?.text ?? "") (\(label)): \(account["state"]?.text ?? "")")
        if let reason = account["reason"]?.text { output.line("  \(Terminal.harmless(reason))") }
        // Its store is not open: there is nothing to count.
        guard account["messages"] != nil else { return }
        output.line(
            "  \(count("messages")) messages in \(count("conversations")) conversations, \(count("unread")) unread")
        output.line("  \(count("segments")) segments, \(count("wantedBlobs")) still to be fetched")
        if count("queued") > 0 {
            output.line("  \(count("queued")) not archived yet: the other devices get them after `flush`, or soon")
        }
        output.line("  digest \(account["zoneDigest"]?.text ?? "")")
        let synced = account["lastSyncedAt"]?.integer.map { CivilTime(milliseconds: $0).text + " UTC" }
        if account["caughtUp"]?.boolean == true {
            output.line("  caught up with the devices in reach" + (synced.map { " (\($0))" } ?? ""))
        } else {
            output.line("  not caught up" + (synced.map { "; last synced \($0)" } ?? ""))
        }
    }
}
