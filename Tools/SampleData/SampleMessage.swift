/// One message of a made-up history, with the fields of the import format.
package struct SampleMessage: Sendable, Equatable {
    /// 32 bytes.
    package var txid: [UInt8]
    package var conversationID: String
    package var contact: String
    package var isSent: Bool
    /// Seconds since 1970.
    package var senderTs: Int64
    /// Milliseconds since 1970.
    package var blockTime: Int64
    package var acceptingDaaScore: UInt64
    package var body: String
    /// The owner's device that saw it.
    package var device: String

    package var txidHex: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: txid.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The line for `kachat-node import`, without a newline.
    package var jsonLine: String {
        """
        {"txid": "\(txidHex)", "conversationId": \(Self.quoted(conversationID)), "contact": \(Self.quoted(contact)), \
        "direction": "\(isSent ? "sent" : "received")", "senderTs": \(senderTs), "blockTime": \(blockTime), \
        "acceptingDaaScore": \(acceptingDaaScore), "body": \(Self.quoted(body)), "device": \(Self.quoted(device))}
        """
    }

    /// RFC 8259 §7.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20:
                let hex = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
