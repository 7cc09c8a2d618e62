import NodeCore

/// A Bloom filter with two probes that rules out nearly every slot that is not in the packed index, without a look-up.
/// A restore asks for each of its records, and nearly always finds nothing.
///
/// A slot is a keyed hash, so its own bits serve as hashes. Nothing is ever removed from the filter.
struct SlotFilter {
    private static let mask: UInt64 = Limits.slotFilterBits - 1
    private var words = [UInt64](repeating: 0, count: Int(Limits.slotFilterBits / 64))

    mutating func insert(_ slot: Slot) {
        set(slot.storage.w0)
        set(slot.storage.w1)
    }

    /// If false, it was never inserted.
    func mayHold(_ slot: Slot) -> Bool { isSet(slot.storage.w0) && isSet(slot.storage.w1) }

    private mutating func set(_ word: UInt64) { words[Int((word & Self.mask) / 64)] |= 1 << (word % 64) }

    private func isSet(_ word: UInt64) -> Bool { words[Int((word & Self.mask) / 64)] & 1 << (word % 64) != 0 }
}
