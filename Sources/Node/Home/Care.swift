package import NodeCore
import SyncState

/// The user's precautions against losing data with this device.
package struct Care: Equatable {
    /// The time of this home's last backup.
    package var backupAt: WallTime?

    /// One sentence about what is left to do; nil if nothing is.
    ///
    /// - Parameters:
    ///   - accounts: labels of those whose phrase is still on this device; each nil if the node has only one account.
    ///   - canBackUp: false if a store is damaged: a backup of it would fail.
    package func reminder(unwritten accounts: [String?], canBackUp: Bool) -> String? {
        let which = accounts.compactMap(\.self)
        let phrase =
            accounts.isEmpty
            ? nil
            : "write down the recovery phrase\(which.isEmpty ? "" : " of " + which.joined(separator: ", ")), then wipe "
                + "it from here"
        let backup = backupAt == nil && canBackUp ? "make a backup" : nil
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
        guard let text = try? Files.readText(home.carePath, limit: Limits.careFileBytes) else { return Care() }
        return Care(backupAt: JSONValue(json: text.utf8)?["backupAt"]?.integer.map(WallTime.init(milliseconds:)))
    }

    /// Notes a backup, atomically.
    package static func note(backupAt time: WallTime, in home: HomeFolder) throws(NodeError) {
        let fields = JSONValue.object(["backupAt": .number(time.milliseconds)])
        do {
            try Files.replace(home.carePath, with: fields.encoded + [0x0A])
        } catch {
            throw home.notWritable(error)
        }
    }
}
