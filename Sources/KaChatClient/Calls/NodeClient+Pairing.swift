public import NodeModel

/// Handing an account to another device in the room. Both show six digits, and each user types those of the other
/// device. A device that gets the account keeps it for good, so these calls work only in the app that contains the node
/// and on the home's socket, not with a token.
///
/// ```swift
/// for try await status in client.pair() {
///     if let digits = status.digits { show(digits) }      // and await client.confirmPairing(typed)
/// }
/// ```
extension NodeClient {
    /// Gives the account to another device.
    ///
    /// - Parameter timeoutSeconds: how long other devices see this one, at most 120.
    public func pair(timeoutSeconds: Int = 120) -> PairingSequence {
        PairingSequence(client: self, call: Call(.post, "pairing").field("timeout", timeoutSeconds))
    }

    /// Gets an account from another device; the last status has its id.
    ///
    /// - Parameters:
    ///   - label: the account's name on this device.
    ///   - timeoutSeconds: how long other devices see this one, at most 120.
    public func joinByPairing(label: String? = nil, timeoutSeconds: Int = 120) -> PairingSequence {
        let call = Call(.post, "pairing", "join", ofAccount: false).field("label", label)
            .field("timeout", timeoutSeconds)
        return PairingSequence(client: self, call: call)
    }

    /// The state of the pairing.
    public func pairing() async throws(ClientError) -> PairingStatus {
        try await object(Call(.get, "pairing", ofAccount: false))
    }

    /// Chooses one of several devices in sight.
    ///
    /// - Parameter tag: its `tag` in the status.
    /// - Throws: `not-found`.
    @discardableResult
    public func choosePairing(_ tag: String) async throws(ClientError) -> PairingStatus {
        try await object(Call(.post, "pairing", "choose", ofAccount: false).field("tag", tag))
    }

    /// Confirms the digits that the other device shows.
    ///
    /// - Throws: `not-allowed` if this device shows others: that ends the attempt.
    @discardableResult
    public func confirmPairing(_ digits: String) async throws(ClientError) -> PairingStatus {
        try await object(Call(.post, "pairing", "confirm", ofAccount: false).field("digits", digits))
    }

    /// Refuses: the digits differ, or it is the wrong device.
    @discardableResult
    public func refusePairing() async throws(ClientError) -> PairingStatus {
        try await object(Call(.post, "pairing", "refuse", ofAccount: false))
    }

    /// Ends the pairing on both devices.
    public func stopPairing() async throws(ClientError) {
        try await callForNothing(Call(.delete, "pairing", ofAccount: false))
    }
}
