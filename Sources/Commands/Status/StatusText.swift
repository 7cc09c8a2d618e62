package import Node
import NodeCore
package import NodeModel

package enum StatusText {
    @Sendable package static func status(_ status: NodeStatus, _ output: Output) {
        if status.state == "stopped" { output.sentence("No node is running on \(Terminal.harmless(status.home)).") }
        if status.accounts.isEmpty {
            output.sentence("There is no account on this device: create one with `\(status.program) account create`.")
        }
        for (index, account) in status.accounts.enumerated() {
            if index > 0 { output.line("") }
            let groups = (status.groups ?? []).filter { $0.accountId == account.accountId }
            lines(of: account, groups, isOnly: status.accounts.count == 1, output)
        }
        if let reminder = status.reminder {
            output.line("")
            let commands = precautions(status).joined(separator: ", ")
            output.sentence("\(Terminal.harmless(reminder))\(commands.isEmpty ? "" : ": " + commands).")
        }
        output.line("")
        fact("device", "\(status.deviceId ?? "") (\(Terminal.harmless(status.name)))", output)
        if let listen = status.listen { fact("listens", listen, output) }
        if !status.peers.isEmpty {
            output.line("")
            peers.showTable(status.peers, output)
        }
        let refused = (status.running?.refused.counts ?? []).filter { $0.count > 0 }
        guard !refused.isEmpty else { return }
        fact("refused", refused.map { "\($0.name) \($0.count)" }.joined(separator: ", "), output)
    }

    /// `state    synced …`, which continues below itself.
    private static func fact(_ name: String, _ text: String, _ output: Output) {
        output.facts([(Output.padded(name, 7), text)])
    }

    /// The commands for what the reminder says.
    private static func precautions(_ status: NodeStatus) -> [String] {
        let words = status.accounts.compactMap { account in
            guard let store = account.store, store.phraseOnDevice else { return String?.none }
            return "account confirm" + (store.accountOption.map { " " + $0 } ?? "")
        }
        let backup = status.backupAt == nil && status.verdict != .error ? ["backup FILE"] : []
        return (words + backup).map { "`\(Terminal.harmless("\(status.program) \($0)"))`" }
    }

    static let peers = ListColumns<Peer>(
        whenEmpty: "No other device is known on the network.",
        [
            .text("PEER", .shortened(to: 8)) { $0.name ?? "(unknown)" },
            .text("ID") { $0.deviceId.map { String($0.prefix(16)) } ?? "-" },
            .cell("STATE") { peer in
                let tones: [String: Tone] = ["connected": .good, "unreachable": .bad]
                return TextTable.Cell(peer.state, tones[peer.state] ?? .plain)
            },
            .text("ADDRESS", .wrapped(at: 10)) { $0.address ?? "-" }, .text("FOUND BY") { $0.foundBy ?? "-" },
        ])

    /// The verdict, and what else the sync state says.
    static func heading(of account: AccountStatus, isOnly: Bool) -> [String] {
        let verdict = account.verdict.said(account.summary, sentence: account.sentence)
        var said = [account.summary]
        var lines = [isOnly ? Wording.capitalised(verdict) : "\(account.label): \(verdict)"]
        for further in [account.sentence, account.store?.update].compactMap(\.self) where !said.contains(further) {
            said.append(further)
            lines.append(Wording.capitalised(further))
        }
        return lines
    }

    /// The verdict, then the facts behind it.
    private static func lines(
        of account: AccountStatus, _ groups: [GroupStatus], isOnly: Bool, _ output: Output
    ) {
        for line in heading(of: account, isOnly: isOnly) { output.sentence(Terminal.harmless(line)) }
        if let problem = account.problems.first,
            account.state == "error" || problem.what == account.sentence && problem.command != nil
        {
            output.sentence(Terminal.harmless(Wording.capitalised(problem.advice)) + ".")
        }
        let label = Terminal.harmless(account.label)
        output.line("")
        fact("account", "\(label) \(account.accountId)", output)
        fact("state", state(account), output)
        guard let store = account.store else { return }
        let chat =
            "\(Wording.count(store.messages, "message")) in \(Wording.count(store.conversations, "conversation"))"
        fact("chat", "\(chat), \(Wording.grouped(store.unread)) unread", output)
        if store.placeholders > 0 {
            fact("", "\(Wording.count(store.placeholders, "placeholder")) without a body yet", output)
        }
        if store.queued > 0 {
            let queued = Wording.count(store.queued, "message")
            let outlook =
                switch account.state {
                case "removed": "nothing of this device is sent any more"
                case "paused": "sent when sync goes on"
                default: "sent as soon as another device is connected"
                }
            fact("queue", "\(queued) not archived yet: \(outlook)", output)
        }
        let segments = Wording.count(store.segments, "segment")
        fact("archive", "\(segments) here, digest \(store.zoneDigest.prefix(16))", output)
        if store.wantedBlobs > 0 {
            let columns = output.isTerminal ? output.columns - 9 : .max
            output.line("restore  \(store.progress.bar(columns: columns))")
            for line in store.progress.lines { fact("", line, output) }
        }
        for group in groups { fact("group", watchLine(group), output) }
        devices(store.devices, output)
        for problem in account.problems where problem.isOfLedger {
            output.line("")
            output.sentence(Terminal.harmless("\(Wording.capitalised(problem.what)): \(problem.advice)."))
        }
    }

    /// `synced since 2026-11-21 05:12 UTC (last synced …)`
    private static func state(_ account: AccountStatus) -> String {
        var text = account.state
        if let since = Wording.time(account.store?.since) { text += " since \(since)" }
        if let until = Wording.time(account.store?.until) { text += ", next attempt at \(until)" }
        if let synced = Wording.time(account.lastSyncedAt) { text += "; last synced \(synced)" }
        return text
    }

    private static func devices(_ devices: [DeviceStatus], _ output: Output) {
        guard devices.count > 1 else { return }
        output.line("")
        deviceList.showTable(devices, output)
    }

    private static let deviceList = ListColumns<DeviceStatus>(
        whenEmpty: "",
        [
            .text("DEVICE", .shortened(to: 8)) { device in
                (device.name ?? String(device.deviceId.prefix(8))) + (device.thisDevice ? " (this one)" : "")
            },
            .text("HOLDS ALL UP TO") { device in
                guard !device.thisDevice, !device.level else { return device.level ? "now" : "" }
                let part = device.holdsPercent.map { " (\($0) %)" } ?? ""
                return Wording.time(device.holdsUpTo).map { $0 + part } ?? "unknown"
            },
            .cell("LAST SEEN") { device in
                if device.thisDevice { return "" }
                return device.connected
                    ? TextTable.Cell("connected", .good) : TextTable.Cell(Wording.time(device.seenAt) ?? "never met")
            },
            .text("STILL TO COME", .wrapped(at: 12)) { device in
                let wanted = device.wantedMessages
                return wanted > 0 ? "\(Wording.count(wanted, "message")) (\(Wording.bytes(device.wantedBytes)))" : ""
            },
        ])

    /// `main: syncing: this device still lacks 1,204 messages (3 MB)  [####....]  57 %  …`
    package static func watchLine(_ account: AccountStatus) -> String {
        let verdict = account.verdict.said(account.summary, sentence: account.sentence)
        let line = "\(Terminal.harmless(account.label)): \(Terminal.harmless(verdict))"
        guard let store = account.store, store.wantedBlobs > 0 else { return line }
        return line + "  " + store.progress.bar()
    }

    /// `Family: up to date with 1 device in reach`
    package static func watchLine(_ group: GroupStatus) -> String {
        Terminal.harmless("\(group.title): \(group.summary)")
    }
}

extension RestoreProgress {
    /// `[####....]  57 %  12,345 of 21,600 messages, 300 a second (30 kB/s), 40 s left`. The bar measures bytes held
    /// against all known bytes, and is full only when nothing is missing. While records still arrive there is no bar,
    /// since it would go backwards. A short line leaves out the speed first.
    package func bar(columns: Int = .max) -> String {
        if !counting, bytesHere + bytesWanted == 0 { return Self.fitting(columns, ["no messages yet"]) }
        let all = Wording.grouped(messagesHere + messagesWanted)
        let here = Wording.grouped(messagesHere)
        let speed =
            bytesPerSecond > 0
            ? ", \(Wording.grouped(messagesPerSecond)) a second (\(Wording.bytes(bytesPerSecond))/s)" : ""
        if counting {
            let text = "counting: \(all) messages so far, \(here) here"
            return Self.fitting(columns, [text + speed, text])
        }
        var left = ""
        if let secondsLeft, messagesWanted > 0 { left = ", \(Wording.duration(seconds: Double(secondsLeft))) left" }
        let messages = "\(here) of \(all) messages"
        let (long, short) = (filled(width: 30), filled(width: 16))
        return Self.fitting(
            columns,
            [long + messages + speed + left, long + messages + left, short + messages + left, short + messages, short])
    }

    private static func fitting(_ columns: Int, _ texts: [String]) -> String {
        texts.first { $0.count <= columns } ?? String((texts.last ?? "").prefix(max(0, columns)))
    }

    private func filled(width: Int) -> String {
        let fraction = Double(bytesHere) / Double(max(bytesHere + bytesWanted, 1))
        let filled = bytesWanted > 0 ? min(Int(fraction * Double(width)), width - 1) : width
        let percent = bytesWanted > 0 ? min(Int(fraction * 100), 99) : 100
        return "[\(String(repeating: "#", count: filled))\(String(repeating: ".", count: width - filled))]"
            + Output.padded("\(percent)", 4, right: true) + " %  "
    }

    /// Further lines below the bar.
    fileprivate var lines: [String] {
        var lines = ["\(Wording.count(messagesWanted, "message")) (\(Wording.bytes(bytesWanted))) still to come"]
        if let daysHere, let daysKnown, let completeFrom {
            let day = Wording.minute(completeFrom).prefix(10)
            lines.append(
                "history is complete back to \(day): \(Wording.grouped(daysHere)) of \(Wording.count(daysKnown, "day"))"
            )
        }
        return lines
    }
}
