package import NodeCore
package import SyncState

/// What a record of an account is, inside its sealed meta. A type that this version does not know is kept, forwarded
/// and counted.
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
    case retire = 10
    case opaque = 11
    case givenName = 12

    var record: any AccountRecord.Type {
        switch self {
        case .accountState: AccountState.self
        case .device: DeviceDescription.self
        case .conversation: ConversationDetails.self
        case .segment: SegmentMeta.self
        case .chainFacts: ChainFacts.self
        case .readMarker: ReadMarker.self
        case .achievements: AchievementRecord.self
        case .groupMembership: GroupMembership.self
        case .deletion: Deletion.self
        case .retire: Retirement.self
        case .opaque: OpaqueName.self
        case .givenName: GivenName.self
        }
    }
}

/// The fields of a record of an account: a type of its own for each `MetaType`.
package protocol AccountRecord: RecordContent {
    static var metaType: MetaType { get }
    /// How records of this type are kept.
    static var kind: RecordKind { get }

    init(fields: [UInt8], hasBlob: Bool) throws

    /// What `init(fields:hasBlob:)` reads.
    var encoded: [UInt8] { get }

    /// What the slot is about, in UTF-8.
    ///
    /// - Parameter lane: the one that the record is written in.
    func slotName(in lane: LaneID) -> [UInt8]
}

extension RecordMeta {
    package init(type: MetaType, tag: Bytes16 = .zero, fields: [UInt8]) {
        self.init(number: type.rawValue, tag: tag, fields: fields)
    }
}

extension Retirement: AccountRecord {
    package static var metaType: MetaType { .retire }
    package static var kind: RecordKind { .retire }
    package init(fields: [UInt8], hasBlob: Bool) throws { try self.init(encoded: fields) }
    package func slotName(in lane: LaneID) -> [UInt8] { Array(slotName.utf8) }
}
