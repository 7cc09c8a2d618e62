import Node
import NodeCore

extension Render {
    /// Shows the status over and over: on a terminal in the same place, else a line of each account that changed.
    static func watch(_ output: Output) -> (JSONValue, Output) -> Void {
        guard !output.isTerminal else {
            return { value, output in
                // Home, and clear what is there.
                output.raw("\u{1B}[H\u{1B}[2J")
                status(value, output)
            }
        }
        var shown: [String: String] = [:]
        return { value, output in
            for account in value["accounts"]?.elements ?? [] {
                let line = watchLine(account)
                guard shown.updateValue(line, forKey: account["accountId"]?.text ?? "") != line else { continue }
                output.line(line)
            }
        }
    }

    /// `main: Syncing with 1 device: 1,204 messages still to come  [####....]  57 %  …`
    static func watchLine(_ account: JSONValue) -> String {
        let label = Terminal.harmless(account["label"]?.text ?? "")
        let sentence = Terminal.harmless(account["sentence"]?.text ?? account["state"]?.text ?? "")
        guard let progress = account["progress"], account["wantedBlobs"]?.integer ?? 0 > 0 else {
            return "\(label): \(sentence)"
        }
        return "\(label): \(sentence)  \(bar(progress))"
    }
}
