import NodeCore

/// Tells of nearly every slot that is not in the packed index that it is not, without a look: a Bloom filter of two
/// probes. A restore asks for each of its records, and nearly always for nothing.
///
/// A slot is a keyed hash, so its own bits are the hashes. What is in the filter is never taken out again.
struct SlotFilter {
    private static let mask: UInt64 = Limits.slotFilterBits - 1
    private var words = [UInt64](repeating: 0, count: Int(Limits.slotFilterBits / 64))

    mutating func insert(_ slot: Slot) {
        set(slot.storage.w0)
        set(slot.storage.w1)
    }

    /// False: it was never put in.
    func mayHold(_ slot: Slot) -> Bool { isSet(slot.storage.w0) && isSet(slot.storage.w1) }

    private mutating func set(_ word: UInt64) { words[Int((word & Self.mask) / 64)] |= 1 << (word % 64) }

    private func isSet(_ word: UInt64) -> Bool { words[Int((word & Self.mask) / 64)] & 1 << (word % 64) != 0 }
}
