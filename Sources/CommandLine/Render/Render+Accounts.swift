import Commands
import Node

/// Accounts, for people.
extension Render {
    static func accountLine(_ value: JSONValue, _ output: Output) {
        let mark = value["isDefault"]?.boolean == true ? "*" : " "
        let id = String((value["accountId"]?.text ?? "").prefix(16))
        let label = Terminal.harmless(value["label"]?.text ?? "")
        let messages = value["messages"]?.integer.map { messages in
            "\(Wording.count(Int(messages), "message")), \(Wording.grouped(Int(value["unread"]?.integer ?? 0))) unread"
        }
        let reason = value["reason"]?.text.map { Terminal.harmless($0) }
        output.line("\(mark) \(id)  \(Output.padded(label, 16))  \(value["state"]?.text ?? "")  \(messages ?? reason ?? "")")
    }

    static func createdAccount(_ value: JSONValue, _ output: Output) {
        output.line("account \(value["accountId"]?.text ?? "") (\(Terminal.harmless(value["label"]?.text ?? "")))")
        output.line("device  \(value["deviceId"]?.text ?? "")")
        let words = (value["phrase"]?.text ?? "").split(separator: " ").map(String.init)
        output.line(PhraseText.explanation(words, program: "kachat-node"))
    }

    static func removedAccount(_ value: JSONValue, _ output: Output) {
        func count(_ name: String) -> Int { Int(value[name]?.integer ?? 0) }
        let label = Terminal.harmless(value["label"]?.text ?? "")
        let name = "\(label) (\(String((value["accountId"]?.text ?? "").prefix(16))))"
        if value["removed"]?.boolean == true { return output.line("Account \(name) is removed from this device.") }
        let messages = Wording.count(count("messages"), "message")
        output.line("Account \(name) would go from this device: \(messages), its keys and marks.")
        if count("queued") > 0 {
            output.line(
                "  \(count("queued")) of them are not archived, and so on no other device: `flush` hands them on.")
        }
        let devices = count("devicesInSync")
        if devices > 0 {
            let hold = devices == 1 ? "holds" : "hold"
            output.line("  \(Wording.count(devices, "other device")) in reach \(hold) everything else.")
        } else if let time = value["lastSyncedAt"]?.integer {
            let text = CivilTime(milliseconds: time).text
            output.line("  No device in reach holds all of it; the last time that one did was \(text) UTC.")
        } else {
            output.line("  No other device has been seen to hold it: what is lost here may be lost for good.")
        }
        if value["hasPhrase"]?.boolean == true {
            output.line(
                "  Its recovery phrase goes too: `kachat-node account phrase --account …` shows it, write it down.")
        }
    }
}
