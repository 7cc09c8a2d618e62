package import NodeCore
import SyncState

/// Where a device goes on scanning the chain for a conversation: bytes that only the app understands.
package struct ChainCheckpoint: RevisedValue {
    /// At most `Limits.chainCheckpointBytes`; empty where there is none.
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) throws(ConversationDetailsError) {
        guard bytes.count <= Limits.chainCheckpointBytes else { throw .checkpointTooLong }
        self.bytes = bytes
    }

    package func write(to writer: inout CBORWriter) { writer.write(bytes: bytes) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        bytes = try reader.readBytes(max: Limits.chainCheckpointBytes)
    }
}
