import NodeCore
import SyncState

/// What a peer asked for and gets piece by piece, as the connection takes it: a small question may make much work.
///
/// Each stands for itself, so the latest is answered first: a range whose parts differ is then gone through in depth,
/// and what both ends have to remember stays small.
enum Question {
    /// The newest rows of a lane.
    case newest(LaneID, count: Int)
    /// Fingerprints to be compared; of the first one the rows may have been read in part.
    case ranges(LaneID, [RangeSum], read: PartedSum? = nil)
    /// Names to be compared.
    case keys(LaneID, low: UInt64, high: UInt64, [KeyName])
    /// Rows to be sent.
    case rows(LaneID, ArraySlice<KeyName>)
    /// Segments that hold these messages; with their blobs where somebody waits for a few.
    case holders(ArraySlice<TxID>, withBlobs: Bool)

    /// About what it takes in memory.
    var sizeBytes: Int {
        switch self {
        case .newest: 128
        case .ranges(_, let ranges, let read):
            128 + ranges.count * MemoryLayout<RangeSum>.stride + (read?.sizeBytes ?? 0)
        case .keys(_, _, _, let keys): 128 + keys.count * MemoryLayout<KeyName>.stride
        case .rows(_, let keys): 128 + keys.count * MemoryLayout<KeyName>.stride
        case .holders(let txids, _): 128 + txids.count * TxID.byteCount
        }
    }
}
