package import NodeCore
import SyncState

/// Changes of one kind about one subject, combined into one event.
package struct ChangeGroup: Equatable, Sendable {
    /// Two changes with the same key are the same event.
    struct Key: Hashable, Sendable {
        var kind: ChangeKind
        var conversation: String?
        var device: LaneID?
        var group: ZoneID?
    }

    package var kind: ChangeKind { key.kind }
    package var conversation: String? { key.conversation }
    package var device: LaneID? { key.device }
    package var group: ZoneID? { key.group }
    /// How often it happened; for messages, their number.
    package internal(set) var count = 1
    /// The messages: all of them, or none if they are too many to name or were not examined.
    package internal(set) var txids: [TxID] = []
    /// The latest state, for `ChangeKind.sync`.
    package internal(set) var state: String?
    var key: Key

    init(
        of kind: ChangeKind, _ txid: TxID? = nil, conversation: String? = nil, device: LaneID? = nil,
        group: ZoneID? = nil, count: Int = 1, state: String? = nil
    ) {
        key = Key(kind: kind, conversation: conversation, device: device, group: group)
        self.count = count
        if let txid { txids = [txid] }
        self.state = state
    }

    /// Whether it is about a single, named message.
    var isSingle: Bool { count == 1 && txids.count == 1 }

    /// Merges a later one with the same key.
    mutating func merge(_ later: ChangeGroup) {
        let areNamed = txids.count == count && later.txids.count == later.count
        count += later.count
        txids = areNamed && count <= Limits.namedMessages ? txids + later.txids : []
        state = later.state ?? state
    }
}

// MARK: - Stored form

extension ChangeGroup {
    /// The ids other than the conversation's: txids, a device, a group, or the state's name, depending on the kind.
    var about: [UInt8] {
        if let device { return device.bytes }
        if let group { return group.bytes }
        if let state { return Array(state.utf8) }
        return txids.flatMap(\.bytes)
    }

    init?(kind number: Int64, conversation: String?, count: Int64, about: [UInt8]) {
        guard let kind = UInt8(exactly: number).flatMap(ChangeKind.init(rawValue:)), count > 0 else { return nil }
        self.init(of: kind, conversation: conversation, count: Int(count))
        switch kind {
        case .device:
            guard let device = LaneID(bytes: about) else { return nil }
            key.device = device
        case .groupJoined, .group:
            guard let group = ZoneID(bytes: about) else { return nil }
            key.group = group
        case .sync: state = String(decoding: about, as: UTF8.self)
        default:
            guard about.count % TxID.byteCount == 0 else { return nil }
            txids = stride(from: 0, to: about.count, by: TxID.byteCount)
                .compactMap { TxID(bytes: Array(about[$0..<$0 + TxID.byteCount])) }
        }
    }

    /// `[kind, conversation, count, about]`
    func write(to writer: inout CBORWriter) {
        writer.write(array: Int(kind.rawValue), conversation, count, about)
    }

    init(from reader: inout CBORReader) throws {
        try reader.readArray(of: 4)
        let kind = try reader.readUInt()
        let conversation = try reader.readNullIfPresent() ? nil : reader.readText(max: Limits.conversationIDBytes)
        let count = try reader.readInt()
        let about = try reader.readBytes(max: Limits.changeAboutBytes)
        guard let group = Self(kind: Int64(clamping: kind), conversation: conversation, count: count, about: about)
        else { throw StoreError.damaged("a held change") }
        self = group
    }
}

/// Groups in order of their first change, one per key.
struct ChangeGroups {
    private(set) var all: [ChangeGroup] = []
    private var places: [ChangeGroup.Key: Int] = [:]

    var isEmpty: Bool { all.isEmpty }

    mutating func add(_ group: ChangeGroup) {
        if let place = places[group.key] {
            all[place].merge(group)
        } else {
            places[group.key] = all.count
            all.append(group)
        }
    }

    mutating func take() -> [ChangeGroup] {
        defer {
            all.removeAll(keepingCapacity: true)
            places.removeAll(keepingCapacity: true)
        }
        return all
    }
}
