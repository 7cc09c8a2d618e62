import Commands
import Node
import NodeCore

extension Render {
    static func status(_ value: JSONValue, _ output: Output) {
        let accounts = value["accounts"]?.elements ?? []
        if value["state"]?.text == "stopped" { output.line("No node is running on \(Output.plain(value["home"] ?? .null)).") }
        if accounts.isEmpty {
            let program = value["program"]?.text ?? "kachat-node"
            output.line("There is no account on this device: create one with `\(program) account create`.")
        }
        for account in accounts { lines(of: account, isOnly: accounts.count == 1, output) }
        if let reminder = value["reminder"]?.text {
            output.line("")
            output.line("\(Terminal.harmless(reminder)).")
        }
        output.line("")
        output.line("device   \(value["deviceId"]?.text ?? "") (\(Terminal.harmless(value["name"]?.text ?? "")))")
        if let listen = value["listen"]?.text { output.line("listens  \(listen)") }
        addresses(value["peers"]?.elements ?? [], output)
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

    private static func addresses(_ peers: [JSONValue], _ output: Output) {
        guard !peers.isEmpty else { return }
        output.line("peers")
        for each in peers { output.line("  " + peer(each)) }
    }

    /// One sentence first, then what it rests on.
    private static func lines(of account: JSONValue, isOnly: Bool, _ output: Output) {
        func count(_ name: String) -> Int { Int(account[name]?.integer ?? 0) }
        let sentence = Terminal.harmless(account["sentence"]?.text ?? account["state"]?.text ?? "")
        let label = Terminal.harmless(account["label"]?.text ?? "")
        output.line(isOnly ? capitalised(sentence) : "\(label): \(sentence)")
        if let summary = account["summary"]?.text, summary != account["sentence"]?.text {
            output.line(Terminal.harmless(capitalised(summary)))
        }
        if let update = account["update"]?.text, update != account["sentence"]?.text {
            output.line(Terminal.harmless(capitalised(update)))
        }
        output.line("")
        output.line("account  \(label) \(account["accountId"]?.text ?? "")")
        output.line("state    \(state(account))")
        guard account["messages"] != nil else { return }
        let chat =
            "\(Wording.count(count("messages"), "message")) in \(Wording.count(count("conversations"), "conversation"))"
        output.line("chat     \(chat), \(Wording.grouped(count("unread"))) unread")
        if count("placeholders") > 0 {
            output.line("         \(Wording.count(count("placeholders"), "placeholder")) without a body yet")
        }
        if count("queued") > 0 {
            let queued = Wording.count(count("queued"), "message")
            output.line("queue    \(queued) not archived yet: sent as soon as another device is connected")
        }
        let segments = Wording.count(count("segments"), "segment")
        output.line(
            "archive  \(segments) here, digest \(account["zoneDigest"]?.text.map { String($0.prefix(16)) } ?? "")")
        if let progress = account["progress"], count("wantedBlobs") > 0 {
            output.line("restore  \(bar(progress))")
            for line in restoreLines(progress) { output.line("         \(line)") }
        }
        devices(account["devices"]?.elements ?? [], output)
    }

    /// `synced since 2026-11-21 05:12 UTC (last synced …)`
    private static func state(_ account: JSONValue) -> String {
        var text = account["state"]?.text ?? ""
        if let since = time(account["since"]) { text += " since \(since)" }
        if let until = time(account["until"]) { text += ", tried again at \(until)" }
        if let synced = time(account["lastSyncedAt"]) { text += "; last synced \(synced)" }
        return text
    }

    private static func devices(_ devices: [JSONValue], _ output: Output) {
        guard devices.count > 1 else { return }
        var rows = [["DEVICE", "HOLDS EVERYTHING UP TO", "LAST SEEN", "STILL TO COME FROM IT"]]
        for device in devices {
            let isThis = device["thisDevice"]?.boolean == true
            let isLevel = device["level"]?.boolean == true
            let name = device["name"]?.text ?? String((device["deviceId"]?.text ?? "").prefix(8))
            let wanted = device["wantedMessages"]?.integer ?? 0
            let bytes = Wording.bytes(Int(device["wantedBytes"]?.integer ?? 0))
            let isConnected = device["connected"]?.boolean == true
            rows.append([
                Terminal.harmless(name) + (isThis ? " (this one)" : ""),
                isThis ? "-" : isLevel ? "now" : time(device["holdsUpTo"]) ?? "not known",
                isThis ? "-" : isConnected ? "connected" : time(device["seenAt"]) ?? "never met",
                wanted > 0 ? "\(Wording.count(Int(wanted), "message")) (\(bytes))" : "-",
            ])
        }
        output.line("")
        table(rows, output)
    }

    /// Columns as wide as their widest cell.
    static func table(_ rows: [[String]], _ output: Output, indent: String = "  ") {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.compactMap { $0.count > column ? $0[column].count : nil }.max() ?? 0
        }
        for row in rows {
            let cells = row.enumerated().map { $0 == row.count - 1 ? $1 : Output.padded($1, widths[$0]) }
            output.line(indent + cells.joined(separator: "  "))
        }
    }

    static func time(_ value: JSONValue?) -> String? {
        value?.integer.map { CivilTime(milliseconds: $0).text + " UTC" }
    }

    static func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
