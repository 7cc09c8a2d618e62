import NodeCore
import SyncState

extension GroupZone {
    /// Rewrites records of this device under the newest valid root, if they were written under the root of a void
    /// rotation, such as one by an owner who had meanwhile transferred the group: nobody else can read those.
    func rewriteFromVoidEpochs() throws {
        let void = ring.epochs.filter { contents.controls[$0.record] != nil && !state.roots.contains($0.record) }
        let numbers = Set(void.map(\.number))
        guard numbers != rewrittenEpochs, !numbers.contains(ring.current.number), state.members[member] != nil else {
            return
        }
        rewrittenEpochs = numbers
        guard !numbers.isEmpty else { return }
        var readable: Set<[UInt8]> = []
        var lost: [(key: [UInt8], content: GroupRecord)] = []
        for record in try store.records(of: lane) {
            guard let content = try? read(record), isOfUse(content), let meta = content.meta else { continue }
            let key = [UInt8(truncatingIfNeeded: meta.type)] + meta.fields
            if numbers.contains(record.header.keyVersion) {
                lost.append((key, content))
            } else {
                readable.insert(key)
            }
        }
        for (key, content) in lost where readable.insert(key).inserted {
            if case .control(let control) = content { try put(control) } else { try put(content) }
        }
    }

    /// True if others need the record. The void rotation itself and the seals of its root are of no use to anyone.
    private func isOfUse(_ content: GroupRecord) -> Bool {
        switch content {
        case .control(let control):
            control.kind != .rotate && control.kind != .seal && state.isValid(control.hash)
        case .score, .game, .name, .handover: true
        case .unnamed, .locked: false
        }
    }
}
