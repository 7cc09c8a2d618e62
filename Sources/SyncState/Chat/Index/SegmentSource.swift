/// The store as the chat sees it: it lends sealed segments by arrival id.
///
/// An arrival id grows with each segment whose blob arrives, is never used again, and is at most 2^39 - 1.
package protocol SegmentSource: AnyObject {
    /// Lends one segment; false if its blob is not held.
    func withSegment(_ arrivalID: UInt64, _ body: (SealedSegment) throws -> Void) throws -> Bool

    /// Lends those that arrived after `arrivalID`, ascending, until `body` returns false.
    func forEachSegment(after arrivalID: UInt64, _ body: (UInt64, SealedSegment) throws -> Bool) throws

    /// The highest arrival id so far, be it of a segment or of another blob; 0 where only segments count.
    var latestArrival: UInt64 { get }
}

extension SegmentSource {
    package var latestArrival: UInt64 { 0 }
}
