package import NodeCore

/// A place in the list of a conversation's messages: order, then txid. It stays good while messages come and go.
package struct MessageCursor: Sendable, Hashable, Comparable {
    package let order: MessageOrder
    package let txid: TxID

    package init(order: MessageOrder, txid: TxID) {
        self.order = order
        self.txid = txid
    }

    /// `<order, hexadecimal>-<txid>`.
    package var text: String { "\(String(order.word, radix: 16))-\(txid.hex)" }

    package init?(text: String) {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let word = UInt64(parts[0], radix: 16), let txid = TxID(hex: String(parts[1])) else {
            return nil
        }
        self.init(order: MessageOrder(word: word), txid: txid)
    }

    package static func < (left: MessageCursor, right: MessageCursor) -> Bool {
        left.order != right.order ? left.order < right.order : left.txid < right.txid
    }
}
