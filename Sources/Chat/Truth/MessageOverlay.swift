import NodeCore

/// What is known of a message beside its copies: the fact that counts, and whether it is deleted.
///
/// The message that is shown is the preferred copy under its overlay. An overlay may be there before any copy, and
/// stays when the last one goes.
struct MessageOverlay {
    /// Where the listing has the message.
    enum Listing: Equatable {
        /// Where its copy alone says: the index was not told of the overlay yet.
        case asCopy
        case nowhere
        case at(MessageKey)
    }

    let txid: TxID
    let hash: UInt64
    var fact: ChainFact?
    var isDeleted = false
    var listing = Listing.asCopy
    /// It changed since the index was told.
    var isTouched = false
    /// The fact was made here, and no record of it is written yet.
    var isUnpublished = false

    init(txid: TxID, hash: UInt64) {
        self.txid = txid
        self.hash = hash
    }

    /// The message as it is to be shown; nil if it is deleted.
    func applied(to copy: ChatMessage) -> ChatMessage? {
        isDeleted ? nil : fact?.applied(to: copy) ?? copy
    }
}
