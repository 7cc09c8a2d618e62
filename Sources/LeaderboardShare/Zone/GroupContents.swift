import NodeCore
import SyncState

/// The content of a group's records, except scores: read from all of them at the start, added to as they arrive, and
/// independent of their order.
struct GroupContents {
    struct HeldGame {
        let hash: RecordHash
        let lane: LaneID
        let entry: GameEntry
    }

    struct HeldName {
        let hash: RecordHash
        let lane: LaneID
        let name: MemberName
    }

    struct HeldHandover {
        let lane: LaneID
        let handover: Handover
    }

    let group: ZoneID
    /// The control records, each once.
    private(set) var controls: [RecordHash: ControlRecord] = [:]
    /// Control records whose list of names is not here yet, by the hash of the lane's record.
    private(set) var unnamed: [RecordHash: [UInt8]] = [:]
    private(set) var games: [HeldGame] = []
    private(set) var names: [HeldName] = []
    private(set) var handovers: [HeldHandover] = []
    /// Records that no held root opens.
    private(set) var locked = 0
    /// Records of a type that this version does not know.
    private(set) var unknown = 0
    /// Invitations that this very device issued: nobody else admits with a counted one.
    var issued: Set<RecordHash> = []
    /// The epochs under which each rotation was written.
    private(set) var rotationBases: [RecordHash: Set<UInt64>] = [:]
    /// The epochs under which each admission, valid or not, was written. The admitted member received the roots up to
    /// one of these.
    private(set) var admissionEpochs: [RecordHash: Set<UInt64>] = [:]

    init(group: ZoneID) { self.group = group }

    /// Enters a record whose row is held. True if there is one control record more.
    ///
    /// - Parameter isOwn: it stands in this device's lane.
    mutating func enter(_ content: GroupRecord?, of record: Record, isOwn: Bool) -> Bool {
        switch content {
        case .control(let control):
            if isOwn, control.kind == .invite { issued.insert(control.hash) }
            if control.kind == .rotate, record.header.keyVersion != GroupEpoch.number(of: control.hash) {
                rotationBases[control.hash, default: []].insert(record.header.keyVersion)
            }
            if control.kind == .admission {
                admissionEpochs[control.hash, default: []].insert(record.header.keyVersion)
            }
            return enter(control)
        case .unnamed(let encoded): unnamed[record.hash] = encoded
        case .score: break
        case .game(let entry): games.append(HeldGame(hash: record.hash, lane: record.lane, entry: entry))
        case .name(let name): names.append(HeldName(hash: record.hash, lane: record.lane, name: name))
        case .handover(let handover): handovers.append(HeldHandover(lane: record.lane, handover: handover))
        case .locked: locked += 1
        case nil: unknown += 1
        }
        return false
    }

    /// Enters a control record whose list of names has arrived. True if there is one control record more.
    mutating func name(_ record: RecordHash, _ list: [UInt8]) -> Bool {
        guard let encoded = unnamed[record], let control = try? ControlRecord(encoded: encoded, names: list) else {
            return false
        }
        unnamed[record] = nil
        return enter(control)
    }

    private mutating func enter(_ control: ControlRecord) -> Bool {
        control.group == group && controls.updateValue(control, forKey: control.hash) == nil
    }
}
