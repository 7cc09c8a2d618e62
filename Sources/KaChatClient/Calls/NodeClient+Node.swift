import JSONLines
public import NodeModel

/// The node, its accounts and devices.
extension NodeClient {
    /// The stored data, whether it is complete, and the devices in reach.
    public func status() async throws(ClientError) -> NodeStatus {
        try await object(Call(.get, "status", ofAccount: false))
    }

    /// The node's accounts, the default one first.
    public func accounts() async throws(ClientError) -> [Account] {
        try await list(Call(.get, "accounts", ofAccount: false))
    }

    /// The account's devices: when each was last seen, and how far each is synced.
    public func devices() async throws(ClientError) -> [Device] { try await list(Call(.get, "devices")) }

    /// Explains where a message or a conversation is, how it came here, and what is still missing.
    ///
    /// - Parameter subject: a txid or a conversation's id.
    /// - Throws: `not-found`.
    public func explain(_ subject: String) async throws(ClientError) -> Explanation {
        try await object(Call(.get, "explain").query("what", subject))
    }

    /// Data for a bug report, as JSON: no names, no addresses, no messages, no secrets (scope `admin`).
    public func diagnostics() async throws(ClientError) -> String {
        try await call(Call(.get, "diagnostics", ofAccount: false)) { value throws(FieldError) in
            String(decoding: value.encoded, as: UTF8.self)
        }
    }

    /// The other devices that the node knows of.
    public func peers() async throws(ClientError) -> [Peer] { try await list(Call(.get, "peers")) }

    /// Renames this device, for all devices to see (scope `admin`).
    ///
    /// - Parameter name: up to 128 bytes.
    public func renameDevice(_ name: String) async throws(ClientError) {
        try await callForNothing(Call(.patch, "device", ofAccount: false).field("name", name))
    }

    /// Renames a device of the account, for all devices to see (scope `admin`). It need not be in reach.
    ///
    /// - Parameters:
    ///   - deviceId: or the first eight digits of it.
    ///   - name: up to 128 bytes.
    public func renameDevice(_ deviceId: String, to name: String) async throws(ClientError) {
        try await callForNothing(Call(.patch, "devices", deviceId).field("name", name))
    }

    /// Forgets a device that is gone for good; its messages stay (scope `admin`).
    ///
    /// - Parameter deviceId: or the first eight digits of it.
    public func forgetDevice(_ deviceId: String) async throws(ClientError) {
        try await callForNothing(Call(.delete, "devices", deviceId))
    }

    /// Shows that a new account's recovery phrase is written down: it is wiped from this device, and no device has it
    /// any more. Only for the app that contains the node, and on the home's socket.
    ///
    /// - Parameter words: at least two of the words that the user typed, by their numbers, counted from 1.
    /// - Throws: `bad-phrase` if one is wrong, `not-found` if the phrase is not on this device.
    public func confirmPhrase(_ words: [Int: String]) async throws(ClientError) {
        let typed = words.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: " ")
        try await callForNothing(Call(.post, "account", "phrase", "confirmation").field("words", typed))
    }

    /// Pauses sync until `resume` (scope `admin`). Local calls keep working.
    ///
    /// - Parameter by: the name of the person who paused, which `status` shows.
    public func pause(by: String? = nil) async throws(ClientError) {
        try await callForNothing(Call(.post, "account", "pause").field("by", by))
    }

    /// Resumes sync (scope `admin`).
    public func resume() async throws(ClientError) { try await callForNothing(Call(.post, "account", "resume")) }

    // MARK: Syncing

    /// Archives waiting messages now, so that other devices get them at once.
    ///
    /// - Returns: the number of segments written.
    @discardableResult
    public func flush() async throws(ClientError) -> Int {
        try await object(Call(.post, "flush"), Flushed.self).segments
    }

    /// Syncs with all devices now, also of groups, and waits until those in reach hold the same.
    ///
    /// - Parameter waitSeconds: up to 120; 0 does not wait.
    @discardableResult
    public func sync(waitSeconds: Int = 0) async throws(ClientError) -> SyncResult {
        let call = Call(.post, "sync").field("wait", waitSeconds > 0 ? true : nil)
            .field("timeout", waitSeconds > 0 ? waitSeconds : nil).waiting(seconds: waitSeconds)
        return try await object(call)
    }

    /// Call it when the app goes to the background: sends what is new, ends all sessions and closes the databases
    /// within a second (scope `admin`). Local calls keep working.
    @discardableResult
    public func background() async throws(ClientError) -> BackgroundResult {
        try await object(Call(.post, "background", ofAccount: false))
    }

    /// Call it when the app is back: listens again and asks all devices (scope `admin`).
    public func foreground() async throws(ClientError) {
        try await callForNothing(Call(.post, "foreground", ofAccount: false))
    }
}
