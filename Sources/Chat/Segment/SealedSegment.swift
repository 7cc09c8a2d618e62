package import NodeCore

/// All that is needed to open one segment.
package struct SealedSegment {
    /// The record's name: names the conversation, and is what the key is derived for.
    package var name: SegmentName
    /// The record's clear header: the seal's associated data.
    package var header: [UInt8]
    /// The archive key of the record's key version.
    package var archiveKey: Secret
    /// nonce ‖ ciphertext ‖ tag; lent for the call it is given to.
    package var ciphertext: UnsafeRawBufferPointer
    /// What the record says of the payload; a newer one is not even opened.
    package var payloadVersion: UInt64

    package init(
        name: SegmentName, header: [UInt8], archiveKey: Secret, ciphertext: UnsafeRawBufferPointer,
        payloadVersion: UInt64 = 1
    ) {
        self.payloadVersion = payloadVersion
        self.name = name
        self.header = header
        self.archiveKey = archiveKey
        self.ciphertext = ciphertext
    }
}
