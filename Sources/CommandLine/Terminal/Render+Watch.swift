import Commands
import Node
import NodeModel

extension Render {
    /// Shows the status over and over: on a terminal in the same place, else a line of each account that changed.
    static func watch() -> (JSONValue, Output) -> Void {
        var shown: [String: String] = [:]
        return { value, output in
            guard let status = try? NodeStatus(json: value) else { return }
            guard !output.isTerminal else {
                // Home, and clear what is there.
                output.raw("\u{1B}[H\u{1B}[2J")
                return StatusText.status(status, output)
            }
            for account in status.accounts {
                let line = StatusText.watchLine(account)
                if shown.updateValue(line, forKey: account.accountId) != line { output.line(line) }
            }
        }
    }
}
