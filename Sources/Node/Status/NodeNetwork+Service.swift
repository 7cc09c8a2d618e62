/// Status for the service manager, and its requests.
extension NodeNetwork {
    /// The verdict on the account, or on each account, on one line.
    package func serviceStatus() -> String {
        let accounts = node.accounts.map { account in
            let reporter = ZoneReporter(account, of: node)
            return (account.label, (try? reporter.facts().headline) ?? "the store does not answer")
        }
        let told = accounts + node.unopened.map { ($0.label, $0.error.message) }
        let text = told.count == 1 ? told[0].1 : told.map { "\($0.0): \($0.1)" }.joined(separator: "; ")
        return String(Terminal.harmless(text).prefix(Limits.serviceStatusCharacters))
    }

    /// Applies the current settings file; if it is invalid, keeps the previous settings.
    package func reload() {
        manager?.reloads {
            do throws(NodeError) {
                try node.reloadSettings()
                log.line(.info, "reloaded", "the settings were reloaded")
            } catch {
                log.line(.error, "bad-settings", error.message)
            }
        }
    }
}
