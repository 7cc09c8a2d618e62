import JSONLines
package import NodeCore

/// One line of an old app's read state: `{"conversationId","lastReadTxId","lastReadBlockTime"}`.
package struct ReadLine: Sendable, Hashable {
    package let conversationID: String
    /// Nil where the app did not keep it.
    package let txid: TxID?
    /// Milliseconds since 1970.
    package let blockTime: UInt64

    package init(json line: [UInt8]) throws(LineError) {
        guard let value = JSONValue(json: line) else { throw LineError("is no JSON object") }
        guard let id = value["conversationId"]?.text, !id.isEmpty else { throw LineError("lacks `conversationId`") }
        conversationID = id
        guard let time = value["lastReadBlockTime"]?.integer, time >= 0 else {
            throw LineError("lacks `lastReadBlockTime` in milliseconds")
        }
        blockTime = UInt64(time)
        switch value["lastReadTxId"] {
        case nil, .null: txid = nil
        case .some(let given):
            guard let hex = given.text, let read = TxID(hex: hex) else {
                throw LineError("`lastReadTxId` must have 64 hexadecimal digits")
            }
            txid = read
        }
    }
}
