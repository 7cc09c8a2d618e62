import FoundationEssentials
package import JSONLines
import NodeCore

extension MessageLine {
    /// The fields as `import` takes them; what is absent has no field.
    package var fields: [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "txid": .string(txid.hex), "conversationId": .string(conversationID), "contact": .string(contact),
            "direction": .string(direction.rawValue), "senderTs": .number(senderTimestamp), "body": .string(body),
        ]
        if let blockTime { fields["blockTime"] = .number(blockTime) }
        if let acceptingDaaScore { fields["acceptingDaaScore"] = .number(acceptingDaaScore) }
        if let status { fields["status"] = .string(status.rawValue) }
        if let senderOrder { fields["senderOrder"] = .number(senderOrder) }
        if let device { fields["device"] = .string(device) }
        if !attachments.isEmpty { fields["attachments"] = .array(attachments.map { .object($0.fields) }) }
        return fields
    }
}

extension AttachmentLine {
    fileprivate var fields: [String: JSONValue] {
        var fields: [String: JSONValue] = ["mimeType": .string(mimeType), "sizeBytes": .number(sizeBytes)]
        if let link { fields["link"] = .string(link) }
        if let duration { fields["duration"] = .number(duration) }
        if let width { fields["width"] = .number(width) }
        if let height { fields["height"] = .number(height) }
        if let inline { fields["inline"] = .string(Data(inline).base64EncodedString()) }
        return fields
    }
}
