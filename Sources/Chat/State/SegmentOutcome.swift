/// What became of a segment that arrived.
package enum SegmentOutcome: Sendable, Equatable {
    /// So many messages were indexed, those among them that are held already included.
    case indexed(messages: Int)
    /// It was read already, when the memory was derived from the store anew.
    case known
    /// It cannot be read. The record stays; nothing of it is listed.
    case refused(SegmentError)
}
