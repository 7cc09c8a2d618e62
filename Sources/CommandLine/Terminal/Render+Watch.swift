import Commands
import Node
import NodeModel

extension Render {
    /// Keeps showing the status: on a terminal in place, otherwise one line for each account that changed.
    static func watch() -> (JSONValue, Output) -> Void {
        var shown: [String: String] = [:]
        return { value, output in
            guard let status = try? NodeStatus(json: value) else { return }
            guard !output.isTerminal else {
                // Cursor home, clear the screen.
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
