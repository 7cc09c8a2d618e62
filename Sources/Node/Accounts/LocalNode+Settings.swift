import Chat
import SyncState

/// The user's settings, and applying them.
extension LocalNode {
    /// Reads the file again, since a person may have edited it meanwhile, changes it, and applies it.
    package func changeSettings(_ change: (inout NodeSettings) -> Void) throws(NodeError) {
        var changed = try SettingsFile.load(from: home, environment: environment)
        change(&changed)
        try SettingsFile.save(changed, to: home)
        apply(changed)
    }

    /// Applies the current content of the file.
    func reloadSettings() throws(NodeError) {
        apply(try SettingsFile.load(from: home, environment: environment))
    }

    private func apply(_ changed: NodeSettings) {
        settings = changed
        for account in accounts { account.apply(changed) }
    }
}

extension NodeAccount {
    /// Applies these settings.
    func apply(_ settings: NodeSettings) {
        self.settings = settings
        zone.archivePolicy = ArchivePolicy(
            messages: settings.archiveMessages, bytes: settings.archiveBytes, age: settings.archiveAge)
        // A store that cannot even be queried reports that with its next turn.
        try? database.setMost(bytes: settings.storageQuota)
        for group in groups + departing { try? group.database.setMost(bytes: settings.storageQuota) }
        zone.policy = AccountPolicy(quiet: settings.readQuiet, retireAfterDays: settings.retireAfterDays)
    }
}
