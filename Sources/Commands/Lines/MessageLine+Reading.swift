import FoundationEssentials
import Node
import NodeCore

extension MessageLine {
    /// Reads and checks one line.
    package init(json line: [UInt8]) throws(MessageLineError) {
        guard line.count <= Limits.controlLineBytes else { throw MessageLineError("is longer than 1 MiB") }
        do {
            self = try JSONDecoder().decode(MessageLine.self, from: Data(line))
        } catch let error as MessageLineError {
            throw error
        } catch {
            throw MessageLineError("is no JSON object")
        }
    }
}

extension MessageLine: Decodable {
    enum CodingKeys: String, CodingKey {
        case txid
        case conversationID = "conversationId"
        case contact
        case direction
        case senderTimestamp = "senderTs"
        case blockTime
        case acceptingDaaScore
        case status
        case body
        case attachments
        case device
        case senderOrder
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let hex = try fields.text(.txid, upTo: 1024)
        guard let txid = TxID(hex: hex) else {
            let found = hex.count == 64 ? "other characters" : "\(hex.count) characters"
            throw MessageLineError("`txid` must have 64 hexadecimal digits, not \(found)")
        }
        self.txid = txid
        conversationID = try fields.text(.conversationID, upTo: Node.Limits.nameBytes)
        // No command line and no address could name the conversation.
        guard !conversationID.utf8.contains(0) else { throw MessageLineError("`conversationId` holds a character 0") }
        contact = try fields.text(.contact, upTo: Node.Limits.nameBytes)
        let way = try fields.text(.direction, upTo: Node.Limits.nameBytes)
        guard let direction = Direction(rawValue: way) else {
            throw MessageLineError("`direction` must be `sent` or `received`, not `\(way)`")
        }
        self.direction = direction
        senderTimestamp = try fields.count(.senderTimestamp)
        senderOrder = try fields.countIfPresent(.senderOrder)
        blockTime = try fields.countIfPresent(.blockTime)
        acceptingDaaScore = try fields.countIfPresent(.acceptingDaaScore)
        let state = try fields.textIfPresent(.status, upTo: Node.Limits.nameBytes)
        status = try state.map { text in
            guard let status = Status(rawValue: text) else {
                throw MessageLineError("`status` must be `pending`, `seen`, `confirmed` or `reorged`, not `\(text)`")
            }
            return status
        }
        body = try fields.textIfPresent(.body, upTo: Limits.bodyBytes, orEmpty: true) ?? ""
        device = try fields.textIfPresent(.device, upTo: Node.Limits.nameBytes)
        attachments = []
        guard fields.isPresent(.attachments) else { return }
        attachments = try fields.value(.attachments, as: [AttachmentLine].self, "must be a list of attachments")
        guard attachments.count <= Limits.attachments else {
            throw MessageLineError("`attachments` has more than \(Limits.attachments)")
        }
    }
}

extension AttachmentLine: Decodable {
    enum CodingKeys: String, CodingKey {
        case link, mimeType, sizeBytes, duration, width, height, inline
        /// What `sizeBytes` was called at first.
        case size
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        link = try fields.textIfPresent(.link, upTo: Limits.linkBytes)
        mimeType = try fields.text(.mimeType, upTo: Node.Limits.nameBytes)
        duration = try fields.countIfPresent(.duration)
        width = try fields.countIfPresent(.width)
        height = try fields.countIfPresent(.height)
        if let text = try fields.textIfPresent(.inline, upTo: Limits.controlLineBytes) {
            guard let bytes = Data(base64Encoded: text) else { throw MessageLineError("`inline` must be base64") }
            guard bytes.count <= Limits.inlineAttachmentBytes else {
                throw MessageLineError("`inline` has \(bytes.count) bytes, more than \(Limits.inlineAttachmentBytes)")
            }
            inline = Array(bytes)
        }
        sizeBytes =
            try fields.countIfPresent(.sizeBytes) ?? fields.countIfPresent(.size) ?? UInt64(inline?.count ?? 0)
        guard link != nil || inline != nil else { throw MessageLineError("an attachment lacks `link` and `inline`") }
    }
}

/// Fields read one by one, with a reason that names the field.
extension KeyedDecodingContainer {
    fileprivate func isPresent(_ key: Key) -> Bool {
        contains(key) && (try? decodeNil(forKey: key)) != true
    }

    fileprivate func value<Value: Decodable>(_ key: Key, as type: Value.Type, _ rule: String) throws -> Value {
        guard isPresent(key) else { throw MessageLineError("lacks `\(key.stringValue)`") }
        do {
            return try decode(type, forKey: key)
        } catch let error as MessageLineError {
            throw error
        } catch {
            throw MessageLineError("`\(key.stringValue)` \(rule)")
        }
    }

    fileprivate func text(_ key: Key, upTo limit: Int, orEmpty: Bool = false) throws -> String {
        let text = try value(key, as: String.self, "must be a text")
        guard orEmpty || !text.isEmpty else { throw MessageLineError("`\(key.stringValue)` is empty") }
        guard text.utf8.count <= limit else {
            throw MessageLineError("`\(key.stringValue)` has \(text.utf8.count) bytes, more than \(limit)")
        }
        return text
    }

    fileprivate func textIfPresent(_ key: Key, upTo limit: Int, orEmpty: Bool = false) throws -> String? {
        isPresent(key) ? try text(key, upTo: limit, orEmpty: orEmpty) : nil
    }

    /// A whole number that is not negative and fits 63 bits, as the store keeps them.
    fileprivate func count(_ key: Key) throws -> UInt64 {
        let number = try value(key, as: Int64.self, "must be a whole number from 0 to 2^63 - 1")
        guard number >= 0 else { throw MessageLineError("`\(key.stringValue)` is negative") }
        return UInt64(number)
    }

    fileprivate func countIfPresent(_ key: Key) throws -> UInt64? {
        isPresent(key) ? try count(key) : nil
    }
}
