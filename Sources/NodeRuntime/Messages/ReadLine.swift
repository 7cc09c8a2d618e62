package import NodeCore

/// One line of an old app's read state: `{"conversationId","lastReadTxId","lastReadBlockTime"}`.
package struct ReadLine: Sendable, Hashable {
    package let conversationID: String
    /// Nil where the app did not keep it.
    package let txid: TxID?
    /// Milliseconds since 1970.
    package let blockTime: UInt64

    package init(json line: [UInt8]) throws(ReadLineError) {
        guard let value = JSONValue(json: line) else { throw ReadLineError("is no JSON object") }
        guard let id = value["conversationId"]?.text, !id.isEmpty else { throw ReadLineError("lacks `conversationId`") }
        conversationID = id
        guard let time = value["lastReadBlockTime"]?.integer, time >= 0 else {
            throw ReadLineError("lacks `lastReadBlockTime` in milliseconds")
        }
        blockTime = UInt64(time)
        switch value["lastReadTxId"] {
        case nil, .null: txid = nil
        case .some(let given):
            guard let hex = given.text, let read = TxID(hex: hex) else {
                throw ReadLineError("`lastReadTxId` must have 64 hexadecimal digits")
            }
            txid = read
        }
    }
}

/// Why a line of read state is not taken.
package struct ReadLineError: Error {
    package let reason: String
    /// The store is to blame, not the line.
    let fault: NodeError?

    init(_ reason: String) {
        self.reason = reason
        fault = nil
    }

    init(fault: NodeError) {
        reason = fault.message
        self.fault = fault
    }
}
