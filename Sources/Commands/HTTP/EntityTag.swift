import NodeCore

/// A document's entity tag (RFC 9110 §8.8.3): the hash of its bytes, so that equal documents are known by it whatever
/// happened in between.
struct EntityTag {
    /// With its quotes.
    package let text: String

    init(of bytes: [UInt8]) {
        text = "\"\(Blake2b.hash16(bytes).hex)\""
    }

    /// Whether `If-None-Match` names it (RFC 9110 §13.1.2: compared weakly).
    func matches(_ header: String?) -> Bool {
        guard let header else { return false }
        return header.split(separator: ",").contains { part in
            let tag = part.drop { $0 == " " }
            return tag == "*" || (tag.hasPrefix("W/") ? tag.dropFirst(2) : tag).prefix { $0 != " " } == text
        }
    }
}
