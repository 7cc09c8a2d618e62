import Chat
import SyncState

/// What the user has set, and who goes by it.
extension LocalNode {
    /// Reads the file anew, since a person may have changed it meanwhile, changes it, and goes by it from now on.
    package func changeSettings(_ change: (inout NodeSettings) -> Void) throws(NodeError) {
        var changed = try SettingsFile.load(from: home, environment: environment)
        change(&changed)
        try SettingsFile.save(changed, to: home)
        apply(changed)
    }

    /// Goes by what the file says now.
    func reloadSettings() throws(NodeError) {
        apply(try SettingsFile.load(from: home, environment: environment))
    }

    private func apply(_ changed: NodeSettings) {
        settings = changed
        for account in accounts { account.apply(changed) }
    }
}

extension NodeAccount {
    /// Goes by these settings from now on.
    func apply(_ settings: NodeSettings) {
        self.settings = settings
        zone.archivePolicy = ArchivePolicy(
            messages: settings.archiveMessages, bytes: settings.archiveBytes, age: settings.archiveAge)
        // A store that cannot even be asked says so with its next turn.
        try? database.setMost(bytes: settings.storageQuota)
        for group in groups + departing { try? group.database.setMost(bytes: settings.storageQuota) }
        zone.policy = AccountPolicy(quiet: settings.readQuiet, retireAfterDays: settings.retireAfterDays)
    }
}
