package import NodeCore
import SyncState

/// The user's precautions against losing data with this device: written-down phrases and backups.
package struct Care: Equatable {
    /// The time of this home's last backup.
    package var backupAt: WallTime?
    /// The accounts whose phrase the user has confirmed.
    package private(set) var confirmed: [AccountID: WallTime] = [:]

    package func isConfirmed(_ account: AccountID) -> Bool { confirmed[account] != nil }

    package mutating func confirm(_ account: AccountID, at time: WallTime) {
        confirmed[account] = confirmed[account] ?? time
    }

    /// One sentence about what is left to do; nil if nothing is.
    ///
    /// - Parameters:
    ///   - accounts: those that have a phrase, with their labels if there are several.
    ///   - program: the way to write commands in advice.
    package func reminder(of accounts: [(id: AccountID, label: String)], program: Program) -> String? {
        let open = accounts.filter { !isConfirmed($0.id) }
        let which = accounts.count > 1 && !open.isEmpty ? " of \(open.map(\.label).joined(separator: ", "))" : ""
        let commands = open.map { account in
            program.command("account phrase --confirm", account: accounts.count > 1 ? account.label : nil)
        }
        let phrase =
            open.isEmpty ? nil : "write down the recovery phrase\(which) (\(commands.joined(separator: ", ")))"
        let backup = backupAt == nil ? "make a backup (\(program.command("backup FILE")))" : nil
        let parts = [phrase, backup].compactMap(\.self)
        guard !parts.isEmpty else { return nil }
        return "If this device were lost, whatever exists only here would be lost too: "
            + parts.joined(separator: ", and ")
    }
}

/// Reads and writes a home's `care.json`.
package enum CareFile {
    /// The recorded precautions; none if there is no readable file.
    package static func load(from home: HomeFolder) -> Care {
        var care = Care()
        guard let text = try? Files.readText(home.carePath, limit: Limits.careFileBytes),
            let value = JSONValue(json: text.utf8)
        else { return care }
        care.backupAt = value["backupAt"]?.integer.map(WallTime.init(milliseconds:))
        if case .object(let confirmed)? = value["phraseConfirmed"] {
            for (id, time) in confirmed {
                guard let account = AccountID(hex: id), let time = time.integer else { continue }
                care.confirm(account, at: WallTime(milliseconds: time))
            }
        }
        return care
    }

    /// Changes the file, atomically.
    package static func change(_ home: HomeFolder, _ body: (inout Care) -> Void) throws(NodeError) {
        let before = load(from: home)
        var care = before
        body(&care)
        guard care != before else { return }
        let confirmed = care.confirmed.map { ($0.key.hex, JSONValue.int($0.value.milliseconds)) }
        let fields: [String: JSONValue] = [
            "backupAt": .optional(care.backupAt?.milliseconds),
            "phraseConfirmed": .object(.init(confirmed) { first, _ in first }),
        ]
        do {
            try Files.replace(home.carePath, with: JSONValue.object(fields).encoded + [0x0A])
        } catch {
            throw home.notWritable(error)
        }
    }
}
