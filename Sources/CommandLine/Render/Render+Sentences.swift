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
        case "sync": synced
        default: nil
        }
    }

    /// Whether the command's words tell that it is done, and nothing that somebody asked for.
    static func saysItIsDone(_ command: String) -> Bool {
        if let command = Command.named(command) { return command.endpoints.contains(where: \.answer.saysItIsDone) }
        return sentence(command) != nil
    }

    private static func readsImported(_ value: JSONValue) -> String {
        "\(counted(value, "lines", "line")): \(counted(value, "advanced", "conversation")) read further."
    }

    private static func imported(_ value: JSONValue) -> String {
        var text =
            "\(counted(value, "lines", "line")): \(grouped(value, "added")) new, "
            + "\(grouped(value, "known")) here already"
        for name in ["completed", "placeholders", "skipped", "refused"] where count(value, name) > 0 {
            text += ", \(grouped(value, name)) \(name)"
        }
        if count(value, "states") > 0 { text += "; \(counted(value, "states", "line")) about conversations" }
        return text
    }

    private static func deleted(_ value: JSONValue) -> String {
        // A device that is off deletes it when it is back: nobody can say that all have.
        let place = "here; other devices of the account follow when they sync."
        var text = value["result"]?.text == "known" ? "It was deleted already." : "Deleted \(place)"
        if value["txid"] == nil { text = "\(counted(value, "messages", "message")) deleted \(place)" }
        if count(value, "cutAnew") > 0 {
            let isOne = count(value, "cutAnew") == 1
            text +=
                " \(counted(value, "cutAnew", "segment")) of this device \(isOne ? "is" : "are") cut anew without the "
                + (isOne && value["txid"] != nil ? "body." : "bodies.")
        }
        let waitFor = value["waitFor"]?.elements ?? []
        if !waitFor.isEmpty {
            let names = waitFor.compactMap { $0["deviceId"]?.text?.prefix(8) }.joined(separator: ", ")
            text += " The bodies leave the archive when the deletion reaches \(names)."
        }
        if count(value, "staySealed") > 0 {
            text += " In \(counted(value, "staySealed", "segment")) they stay, sealed: their writer is gone."
        }
        return text
    }

    private static func marked(_ value: JSONValue) -> String {
        let unread = grouped(value, "unread")
        let isNew = ["advanced", "cleared"].contains { value[$0]?.boolean == true }
        return isNew ? "Marked; \(unread) unread." : "Nothing new to mark; \(unread) unread."
    }

    private static func scrubbed(_ value: JSONValue) -> String {
        let damaged = ["damagedRows", "damagedBlobs", "lanesDiffering", "damagedIndexes", "lostMessages"]
            .reduce(0) { $0 + count(value, $1) }
        let seen = "\(counted(value, "rows", "record")) and \(counted(value, "blobs", "blob")) read"
        return damaged == 0
            ? "\(seen): all good."
            : "\(seen): \(counted(value, "damagedRows", "record")) and "
                + "\(counted(value, "damagedBlobs", "blob")) damaged, "
                + "lanes that differ: \(count(value, "lanesDiffering")); what is missing comes from the other devices."
    }

    private static func synced(_ value: JSONValue) -> String {
        let peers = count(value, "peers")
        guard peers > 0 else { return "No device of the account is in reach." }
        let devices = Wording.count(Int(peers), "device")
        return value["caughtUp"]?.boolean == true
            ? "Caught up with \(devices) in reach." : "Asked \(devices) in reach."
    }

    private static func rotated(_ value: JSONValue) -> String {
        "The keys are at version \(count(value, "syncKeyVersion")) now. Your other devices follow when they meet this "
            + "one; who only has older keys is left out."
    }

    private static func name(_ value: JSONValue) -> String { Terminal.harmless(value["label"]?.text ?? "") }

    private static func counted(_ value: JSONValue, _ name: String, _ what: String) -> String {
        Wording.count(Int(count(value, name)), what)
    }

    /// `12,345`
    private static func grouped(_ value: JSONValue, _ name: String) -> String {
        Wording.grouped(Int(count(value, name)))
    }

    private static func count(_ value: JSONValue, _ name: String) -> Int64 { value[name]?.integer ?? 0 }
}
