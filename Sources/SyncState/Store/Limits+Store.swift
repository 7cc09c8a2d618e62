import NodeCore

extension Limits {
    /// Longest record on the wire and in the store. What is longer goes into a blob.
    package static let recordSizeBytes = 4_096
    /// Longest blob: a segment of 128 KiB of messages with its inline attachments, sealed.
    package static let blobSizeBytes = 262_144
    /// Lanes of one zone. A lane is a device key; fresh starts and new devices make more, very slowly.
    package static let lanes = 4_096
    /// Of these, kept for this device: one for each fresh start.
    package static let lanesKept = 64
    /// Highest seq: 44 bits of a row's id. At a thousand records a second it lasts 550 years.
    package static let highestSeq: UInt64 = (1 << 44) - 1
    /// Records held at one seq of one lane. Two mean a fork; more come only from a home cloned over and over.
    package static let forksPerSeq = 128
    package static let highestKeyVersion: UInt64 = 0xffff_ffff
    /// Rows of one page.
    package static let pageRows = 1_024
    /// Slot entries kept in memory (2 MiB) before they go to the packed index in one sorted batch.
    package static let slotTailEntries = 32_768
    /// Bits of the filter before the slot index (256 KiB; a power of two): of 200,000 slots one in thirty passes for
    /// another, of a million a third.
    static let slotFilterBits: UInt64 = 1 << 21
}
