import NodeCore

/// What the change feed is told of messages.
extension ChatState {
    /// Which messages of a segment are new here, before it is taken in. Opens the segment a second time, so only where
    /// few come: what arrives in a restore is noted by its number.
    ///
    /// - Returns: nil where the segment cannot be read.
    func news(of sealed: SealedSegment, arrival: UInt64) throws -> [ChangeGroup]? {
        try synchronise(before: arrival)
        guard let messages = try? codec.messages(of: sealed) else { return nil }
        var groups = ChangeGroups()
        for message in messages where !stubs.contains(message.txid) {
            let conversation = message.conversationID
            if let found = try index.find(message.txid, hash: index.hash(message.txid)) {
                guard let held = found.message, message.hasContent, !held.hasContent else { continue }
                groups.add(ChangeGroup(.messageResolved(message.txid, conversation: conversation)))
            } else {
                groups.add(ChangeGroup(.messageAdded(message.txid, conversation: conversation)))
            }
        }
        return groups.all
    }
}
