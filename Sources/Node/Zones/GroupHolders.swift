package import LeaderboardShare
package import Ledger
package import NodeCore
import SyncState

/// The members known to have this member's results: those with a device that was seen to be level. This member is one
/// of them, if that device is another one of its own.
package struct GroupHolders {
    /// For each member, the highest record that it holds of each lane of this member's devices.
    private var heads: [MemberID: [LaneID: UInt64]] = [:]

    private static let key = "holders"

    init(_ zone: GroupZone) {
        guard let stored = try? zone.store.setting(Self.key) else { return }
        heads = (try? Self.read(stored)) ?? [:]
    }

    /// Notes that the device of that lane holds everything held here. True if that is new.
    package mutating func note(level lane: LaneID, _ zone: GroupZone) -> Bool {
        let state = zone.state
        let own = state.lanes(of: zone.member).map(\.lane)
        var isNew = false
        let members = state.keys(of: lane, onlyEntered: true).map(\.member)
        for member in members where member != zone.member || lane != zone.lane {
            for device in own {
                let head = zone.store.lane(device)?.head ?? 0
                guard head > heads[member]?[device] ?? 0 else { continue }
                heads[member, default: [:]][device] = head
                isNew = true
            }
        }
        return isNew
    }

    /// Stores it for the next start; after a crash it is observed again.
    package func store(in zone: GroupZone) { try? zone.store.put(setting: Self.key, encoded) }

    /// Members known to have the record, ascending.
    package func members(holding lane: LaneID, seq: UInt64) -> [MemberID] {
        heads.filter { $0.value[lane] ?? 0 >= seq }.map(\.key).sorted()
    }

    /// Whether each result that this member posted is with some other member; if there is none, with another device.
    package func haveAll(of zone: GroupZone) -> Bool {
        // Nobody passes on to the group what a former member has.
        let members = zone.state.members
        let isAlone = !members.keys.contains { $0 != zone.member }
        let counted = heads.filter { members[$0.key] != nil && (isAlone || $0.key != zone.member) }.values
        return zone.state.lanes(of: zone.member).allSatisfy { own in
            let posted = zone.store.lane(own.lane)?.head ?? 0
            return posted == 0 || counted.contains { $0[own.lane] ?? 0 >= posted }
        }
    }

    /// `[* [member, [* [lane, seq]]]]`
    private var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.writeArray(heads.count)
        for (member, lanes) in heads.sorted(by: { $0.key < $1.key }) {
            writer.writeArray(2)
            writer.write(member)
            writer.writeArray(lanes.count)
            for (lane, seq) in lanes.sorted(by: { $0.key < $1.key }) {
                writer.write(array: lane, seq)
            }
        }
        return writer.bytes
    }

    private static func read(_ stored: [UInt8]) throws -> [MemberID: [LaneID: UInt64]] {
        var reader = CBORReader(stored)
        var heads: [MemberID: [LaneID: UInt64]] = [:]
        for _ in 0..<(try reader.readArray(max: Limits.groupMembers)) {
            try reader.readArray(of: 2)
            let member = try reader.read(MemberID.self)
            for _ in 0..<(try reader.readArray(max: SyncState.Limits.lanes)) {
                try reader.readArray(of: 2)
                let lane = try reader.read(LaneID.self)
                heads[member, default: [:]][lane] = try reader.readUInt()
            }
        }
        try reader.finish()
        return heads
    }
}
