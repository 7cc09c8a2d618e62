import Commands
import Node

extension Render {
    /// What commands that do something say when it is done.
    static func sentence(_ command: String) -> ((JSONValue) -> String)? {
        switch command {
        case "import": imported
        case "conversation delete": deleted
        case "conversation set": { $0["changed"]?.boolean == true ? "Set, on all devices." : "It is so already." }
        case "device forget": { "Let go: \($0["name"]?.text.map { Terminal.harmless($0) } ?? "a device")." }
        case "device rename":
            {
                let which = $0["deviceId"] == nil ? "This device" : "The device"
                return "\(which) is now \(Terminal.harmless($0["name"]?.text ?? ""))."
            }
        case "read import": readsImported
        case "read mark": marked
        case "account label": { "It is called \(name($0)) now." }
        case "account default": { "\(name($0)) is meant from now on where no account is named." }
        case "account rotate-sync-key": rotated
        case "account pause", "pause": { "\(name($0)) is paused: nothing is sent or fetched." }
        case "account resume", "resume": { "\(name($0)) goes on." }
        case "read leave": { _ in "The read position goes to the other devices." }
        case "flush": { "\(counted($0, "segments", "segment")) written." }
        case "background": { _ in "In the background: nothing is sent or fetched until `foreground`." }
        case "foreground": { _ in "In the foreground: the devices in reach are asked." }
        case "scrub": scrubbed
        case "token create": tokenCreated
        case "token list": token
        case "token revoke": { "Token \($0["id"]?.text ?? "") is good for nothing any more." }
        default: nil
        }
    }

    /// Whether the command's words tell that it is done, and nothing that somebody asked for.
    static func saysItIsDone(_ command: String) -> Bool {
        if let command = Command.named(command) { return command.endpoints.contains(where: \.answer.saysItIsDone) }
        return sentence(command) != nil && !command.hasPrefix("token ")
    }

    private static func tokenCreated(_ value: JSONValue) -> String {
        let (text, id) = (value["token"]?.text ?? "", value["id"]?.text ?? "")
        return "\(text)\nIt is shown this once. `kachat-node token revoke \(id)` ends it."
    }

    private static func token(_ value: JSONValue) -> String {
        let time: (String) -> String? = { name in value[name]?.integer.map { CivilTime(milliseconds: $0).text } }
        let account = value["accountId"]?.text.map { "account \($0.prefix(8))" } ?? "all accounts"
        let name = value["name"]?.text.map { "  " + Terminal.harmless($0) } ?? ""
        let scopes = (value["scopes"]?.elements ?? []).compactMap(\.text).joined(separator: ",")
        let end = time("expiresAt").map { "until \($0)" } ?? "for ever"
        return "\(value["id"]?.text ?? "")  \(scopes)  \(account)  \(end)\(name)"
    }

    private static func count(_ value: JSONValue, _ name: String) -> Int64 { value[name]?.integer ?? 0 }
}
