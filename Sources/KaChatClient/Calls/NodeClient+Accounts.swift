public import NodeModel

/// Accounts of the node. They are made and opened with secrets, so these calls work for the app that contains the node
/// and on the home's socket, and with no token. A client of one account comes from `NodeClient(…, account:)`.
extension NodeClient {
    /// Creates an account on this node.
    ///
    /// - Parameter label: its name on this device; nil: `account 2` and so on.
    /// - Returns: the account with its recovery phrase. Show it and ask for two of its words: `confirmPhrase` wipes it.
    public func createAccount(label: String? = nil) async throws(ClientError) -> NewAccount {
        try await object(Call(.post, "accounts", ofAccount: false).field("label", label))
    }

    /// Adds an account that other devices, or a backup, have.
    ///
    /// - Parameters:
    ///   - phrase: its 12 or 24 words; used and not kept.
    ///   - label: its name on this device.
    /// - Returns: its id.
    /// - Throws: `bad-phrase`, which names the wrong word; `account-exists`.
    @discardableResult
    public func importAccount(phrase: String, label: String? = nil) async throws(ClientError) -> String {
        try await importAccount("phrase", phrase, label)
    }

    /// Adds the account of a wallet app.
    ///
    /// - Parameters:
    ///   - walletKey: the wallet's key, 64 hexadecimal digits; used and not kept.
    ///   - label: its name on this device.
    /// - Returns: its id.
    /// - Throws: `bad-phrase`, `account-exists`.
    @discardableResult
    public func importAccount(walletKey: String, label: String? = nil) async throws(ClientError) -> String {
        try await importAccount("wallet-key", walletKey, label)
    }

    private func importAccount(_ kind: String, _ secret: String, _ label: String?) async throws(ClientError) -> String {
        let call = Call(.post, "accounts", kind, ofAccount: false).query("label", label).text(secret)
        return try await object(call, AccountDetails.self).accountId
    }

    /// Makes an account the one that clients without a named account use.
    public func setDefaultAccount(_ accountId: String) async throws(ClientError) {
        try await callForNothing(Call(.post, "accounts", accountId, "default", ofAccount: false))
    }

    /// Removes an account from this device, with its messages and keys. Other devices keep it.
    public func removeAccount(_ accountId: String) async throws(ClientError) {
        try await callForNothing(Call(.delete, "accounts", accountId, ofAccount: false).query("confirmed", true))
    }
}
