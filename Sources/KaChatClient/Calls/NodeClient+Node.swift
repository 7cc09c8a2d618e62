public import NodeModel

/// The node, its accounts and devices.
extension NodeClient {
    /// What is here, whether it is complete, and who is in reach.
    public func status() async throws(ClientError) -> NodeStatus {
        try await object(Call(.get, "status", ofAccount: false), NodeStatus.self)
    }

    /// The accounts of the node, the default one first.
    public func accounts() async throws(ClientError) -> [Account] {
        try await list(Call(.get, "accounts", ofAccount: false), of: Account.self)
    }

    /// The account's devices: when each was there, and up to when it has everything.
    public func devices() async throws(ClientError) -> [Device] {
        try await list(Call(.get, "devices"), of: Device.self)
    }

    /// Gives this device another name, for all devices to see (scope `admin`).
    ///
    /// - Parameter name: up to 128 bytes.
    public func renameDevice(_ name: String) async throws(ClientError) {
        try await callForNothing(Call(.patch, "device", ofAccount: false).field("name", name))
    }

    /// Gives a device of the account another name, for all devices to see (scope `admin`). It need not be in reach.
    ///
    /// - Parameters:
    ///   - deviceId: or the first eight digits of it.
    ///   - name: up to 128 bytes.
    public func renameDevice(_ deviceId: String, to name: String) async throws(ClientError) {
        try await callForNothing(Call(.patch, "devices", deviceId).field("name", name))
    }

    /// Lets a device go that does not come back; its messages stay (scope `admin`).
    ///
    /// - Parameter deviceId: or the first eight digits of it.
    public func forgetDevice(_ deviceId: String) async throws(ClientError) {
        try await callForNothing(Call(.delete, "devices", deviceId))
    }

    /// Sends and fetches nothing until `resume` (scope `admin`). Local calls go on.
    ///
    /// - Parameter by: who wants it, as `status` shows it.
    public func pause(by: String? = nil) async throws(ClientError) {
        try await callForNothing(Call(.post, "account", "pause").field("by", by))
    }

    /// Ends the pause (scope `admin`).
    public func resume() async throws(ClientError) {
        try await callForNothing(Call(.post, "account", "resume"))
    }

    // MARK: Making it go on

    /// Puts waiting messages into the archive now, so that the other devices get them at once.
    ///
    /// - Returns: how many segments were cut.
    @discardableResult
    public func flush() async throws(ClientError) -> Int {
        try await object(Call(.post, "flush"), Flushed.self).segments
    }

    /// Asks all devices now, and waits until those in reach hold the same.
    ///
    /// - Parameter waitSeconds: up to 60; 0 does not wait.
    @discardableResult
    public func sync(waitSeconds: Int = 0) async throws(ClientError) -> SyncResult {
        let call = Call(.post, "sync").field("wait", waitSeconds > 0 ? true : nil)
            .field("timeout", waitSeconds > 0 ? waitSeconds : nil).waiting(seconds: waitSeconds)
        return try await object(call, SyncResult.self)
    }

    /// The app goes out of sight: hands over what is new, ends all sessions and lets go of the databases, within a
    /// second (scope `admin`). Local calls go on working.
    @discardableResult
    public func background() async throws(ClientError) -> BackgroundResult {
        try await object(Call(.post, "background", ofAccount: false), BackgroundResult.self)
    }

    /// The app is back: listens again, and asks all devices (scope `admin`).
    public func foreground() async throws(ClientError) {
        try await callForNothing(Call(.post, "foreground", ofAccount: false))
    }
}
