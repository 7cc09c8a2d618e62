package import Ledger
package import NodeCore
import SyncState

/// How the account and its devices come into groups.
package struct AccountInGroups {
    package let persons: PersonsPart
    package let lanes: GroupLanesPart
    package let entrances: GroupEndorsementsPart

    init(_ context: AccountContext, _ memberships: MembershipsPart) {
        persons = PersonsPart(context, memberships)
        lanes = GroupLanesPart(context)
        entrances = GroupEndorsementsPart(context)
    }
}

/// The lanes of the account's devices in its groups. Each device says which lane is its own there; a device that stands
/// in the group lets in the lanes of the others; and a device that shuts another one out knows its lanes everywhere.
package final class GroupLanesPart: AccountPart {
    private let context: AccountContext
    /// Changes with each lane that comes.
    package private(set) var revision: UInt64 = 0

    init(_ context: AccountContext) {
        self.context = context
    }

    /// Says which lane is this device's in a group.
    package func say(_ lane: GroupLane) throws {
        guard try own(in: lane.group) != lane else { return }
        try context.store.begin()
        try context.write(lane)
    }

    private func own(in group: ZoneID) throws -> GroupLane? {
        try context.store.liveRegister(of: context.lane, slotName: GroupLane.slotName(of: group)).flatMap {
            context.read($0)
        }
    }

    /// The lanes of the account's devices in a group, each with the device's lane in the account.
    package func all(in group: ZoneID) throws -> [(device: LaneID, lane: GroupLane)] {
        try context.registers(GroupLane.self, slotName: GroupLane.slotName(of: group)).map { ($0.lane, $0.content) }
    }

    func held(_ content: GroupLane, in lane: LaneID) throws { revision &+= 1 }

    func withdrawn(_ content: GroupLane, in lane: LaneID) throws { revision &+= 1 }

    func reload() throws { revision &+= 1 }
}

/// A device's lane in a group: `[group, member, lane, sealKey]`. A register of each device.
package struct GroupLane: Hashable, Sendable {
    package let group: ZoneID
    package let member: MemberID
    package let lane: LaneID
    package let sealKey: Bytes32

    package init(group: ZoneID, member: MemberID, lane: LaneID, sealKey: Bytes32) {
        (self.group, self.member, self.lane, self.sealKey) = (group, member, lane, sealKey)
    }

    static func slotName(of group: ZoneID) -> String { "group-lane.\(group.hex)" }
}

extension GroupLane: AccountRecord {
    package static var metaType: MetaType { .groupLane }
    package func slotName(in lane: LaneID) -> [UInt8] { Array(Self.slotName(of: group).utf8) }

    package var encoded: [UInt8] {
        CBORWriter.array(capacity: 160, group, member, lane, sealKey)
    }

    package init(fields: [UInt8], hasBlob: Bool) throws {
        var reader = try CBORReader(fields, array: 4)
        group = try reader.read(ZoneID.self)
        member = try reader.read(MemberID.self)
        lane = try reader.read(LaneID.self)
        sealKey = try reader.read(Bytes32.self)
        try reader.finish()
    }
}

/// The endorsements by which lanes of the account's other devices come into its groups.
package final class GroupEndorsementsPart: AccountPart {
    private let context: AccountContext
    /// Changes with each endorsement that comes.
    package private(set) var revision: UInt64 = 0

    init(_ context: AccountContext) {
        self.context = context
    }

    /// Lets a lane of another device in.
    package func put(_ endorsement: GroupLaneEndorsement) throws {
        try context.store.begin()
        try context.write(endorsement)
    }

    /// The endorsements of a lane in a group.
    package func all(of lane: LaneID, in group: ZoneID) throws -> [GroupLaneEndorsement] {
        try context.registers(slotName: GroupLaneEndorsement.slotName(of: lane, in: group)).map(\.content)
    }

    func held(_ content: GroupLaneEndorsement, in lane: LaneID) throws { revision &+= 1 }

    func reload() throws { revision &+= 1 }
}

/// Lets a lane into a group: `[group, lane, endorser, signature, path]`, where the path shows that the endorser belongs
/// to the group: control records one after the other, as many as fit.
package struct GroupLaneEndorsement: Hashable, Sendable {
    package let group: ZoneID
    package let lane: LaneID
    package let endorser: LaneID
    /// The endorser's signature of `Enter.endorsed`.
    package let signature: [UInt8]
    package let path: [[UInt8]]

    /// Keeps the first records of the path that fit.
    package init(group: ZoneID, lane: LaneID, endorser: LaneID, signature: [UInt8], path: [[UInt8]]) {
        (self.group, self.lane, self.endorser, self.signature) = (group, lane, endorser, signature)
        var sizeBytes = 0
        self.path = Array(
            path.prefix { record in
                sizeBytes += record.count + 3
                return sizeBytes <= Limits.endorsementPathBytes
            })
    }

    static func slotName(of lane: LaneID, in group: ZoneID) -> String { "group-entrance.\(group.hex).\(lane.hex)" }
}

extension GroupLaneEndorsement: AccountRecord {
    package static var metaType: MetaType { .groupEntrance }
    package func slotName(in lane: LaneID) -> [UInt8] { Array(Self.slotName(of: self.lane, in: group).utf8) }

    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 1_024)
        writer.writeArray(5)
        writer.write(group, lane, endorser, signature)
        writer.write(all: path)
        return writer.bytes
    }

    package init(fields: [UInt8], hasBlob: Bool) throws {
        var reader = try CBORReader(fields, array: 5)
        group = try reader.read(ZoneID.self)
        lane = try reader.read(LaneID.self)
        endorser = try reader.read(LaneID.self)
        signature = try reader.readBytes(max: Ed25519.signatureBytes)
        let count = try reader.readArray(max: SyncState.Limits.shownRecords)
        path = try (0..<count).map { _ in try reader.readBytes(max: Ledger.Limits.recordBytes) }
        try reader.finish()
    }
}
