import KaChatClient

/// The records of an app that kept its data in CloudKit, as its last version writes them to a file: one per line, with
/// the fields of its `CKRecord`s. Dates are seconds since 1970.
enum CloudRecord: Decodable {
    /// An archive segment: the messages that were in its asset.
    case segment([CloudMessage])
    case readMarker(conversation: String, txid: String?, blockTime: Int)
    case achievement(CloudAchievement)
    /// Of a type that has no place here, such as `Device`: the node keeps its own.
    case other(String)

    private enum Key: String, CodingKey {
        case recordType, messages, conversationId, txId, blockTime
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        switch try fields.decode(String.self, forKey: .recordType) {
        case "ArchiveSegment": self = .segment(try fields.decode([CloudMessage].self, forKey: .messages))
        case "ReadMarker":
            self = .readMarker(
                conversation: try fields.decode(String.self, forKey: .conversationId),
                txid: try fields.decodeIfPresent(String.self, forKey: .txId),
                blockTime: try fields.decode(Int.self, forKey: .blockTime))
        case "Achievement": self = .achievement(try CloudAchievement(from: decoder))
        case let type: self = .other(type)
        }
    }
}

struct CloudMessage: Decodable {
    var txId: String
    var conversationId: String
    var contactAddress: String
    var isOutgoing: Bool
    /// Seconds since 1970, with a fraction.
    var sentAt: Double
    /// In milliseconds since 1970.
    var blockTime: Int?
    var acceptingBlueScore: Int?
    var text: String
}

struct CloudAchievement: Decodable {
    var recordName: String
    var category: String
    var value: Int
    var tier: String?
    /// Seconds since 1970.
    var modifiedAt: Double
}

extension NewMessage {
    init(_ message: CloudMessage) {
        // The old app showed this text in place of a body that had not come: here it is a message that is missing, and
        // comes with the import of the device that has it.
        let isHere = message.text != "Sent via another device"
        self.init(
            txid: message.txId, conversationId: message.conversationId, contact: message.contactAddress,
            direction: message.isOutgoing ? .sent : .received, senderTs: Int(message.sentAt),
            body: isHere ? message.text : nil, blockTime: message.blockTime,
            acceptingDaaScore: message.acceptingBlueScore)
    }
}

extension NewAchievement {
    init(_ achievement: CloudAchievement) {
        self.init(
            id: achievement.recordName, category: achievement.category, currentValue: achievement.value,
            currentTier: achievement.tier, lastUpdated: Int(achievement.modifiedAt * 1_000))
    }
}
