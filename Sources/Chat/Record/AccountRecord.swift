package import NodeCore
package import SyncState

/// The types of an account's records, stored in the sealed meta. A type unknown to this version is kept, forwarded and
/// counted. Groups have the numbers 17 to 19 (docs/PROTOCOL.md, §4.4).
package enum MetaType: UInt64, Sendable {
    case accountState = 1
    case device = 2
    case conversation = 3
    case segment = 4
    case chainFacts = 5
    case readMarker = 6
    case achievements = 7
    case groupMembership = 8
    case deletion = 9
    case forgottenDevice = 10
    case opaque = 11
    case givenName = 12
    case rowList = 13
    case persons = 14
    case groupLane = 15
    case groupEntrance = 16
}

/// The fields of an account's record: one Swift type for each `MetaType`.
package protocol AccountRecord: RecordContent {
    static var metaType: MetaType { get }
    /// The kind of records of this type.
    static var kind: RecordKind { get }

    init(fields: [UInt8], hasBlob: Bool) throws

    /// The encoding that `init(fields:hasBlob:)` reads.
    var encoded: [UInt8] { get }

    /// The name of the record's slot, in UTF-8.
    ///
    /// - Parameter lane: the lane in which the record is written.
    func slotName(in lane: LaneID) -> [UInt8]
}

extension AccountRecord {
    package static var kind: RecordKind { .register }

    /// A record without a blob.
    package init(encoded: [UInt8]) throws { try self.init(fields: encoded, hasBlob: false) }
}

extension RecordMeta {
    package init(type: MetaType, tag: Bytes16 = .zero, fields: [UInt8]) {
        self.init(number: type.rawValue, tag: tag, fields: fields)
    }
}

extension RecordContent {
    /// A record's contribution to the totals of its lane; nil if it has no blob.
    func blobSum(of record: Record) -> BlobSum? {
        record.blob.map { BlobSum(blobs: 1, messages: messages, bytes: $0.sizeBytes) }
    }
}

extension CBORReader {
    /// The conversation in a slot's name, which begins with `prefix`.
    mutating func readConversation(after prefix: String) throws(CBORError) -> String {
        let start = position
        let name = try readText(max: Limits.conversationIDBytes + prefix.utf8.count)
        // Compared by bytes: characters that combine with the dot belong to the conversation's id.
        guard name.utf8.starts(with: prefix.utf8), let id = String(name.utf8.dropFirst(prefix.utf8.count)), !id.isEmpty
        else { throw .outOfRange(at: start) }
        return id
    }

    /// An array of at most `max` txids, which ascend and are unique.
    mutating func readAscending(max: Int) throws(CBORError) -> [TxID] {
        let start = position
        var txids: [TxID] = []
        for _ in 0..<(try readArray(max: max)) {
            let txid = try read(TxID.self)
            guard txids.last.map({ $0 < txid }) ?? true else { throw .outOfRange(at: start) }
            txids.append(txid)
        }
        return txids
    }
}

/// A value that has a join: commutative, associative and idempotent, so that all devices end with the same one, in
/// whatever order and however often they hear of it.
package protocol Joinable {
    func merged(with other: Self) -> Self
}

extension Joinable where Self: Equatable {
    /// True if joining `other` changes nothing.
    package func contains(_ other: Self) -> Bool { merged(with: other) == self }
}
