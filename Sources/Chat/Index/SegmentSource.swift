/// The store as the chat sees it: it lends sealed segments by arrival id.
///
/// An arrival id grows with each segment whose blob arrives, is never used again, and is at most 2^39 - 1.
package protocol SegmentSource: AnyObject {
    /// Lends one segment; false if its blob is not held.
    func withSegment(_ arrivalID: UInt64, _ body: (SealedSegment) throws -> Void) throws -> Bool

    /// Lends those that arrived after `arrivalID`, ascending, until `body` returns false.
    func forEachSegment(after arrivalID: UInt64, _ body: (UInt64, SealedSegment) throws -> Bool) throws

    /// A copy of one segment, for a `SegmentOpener`; nil if its blob is not held.
    func copy(_ arrivalID: UInt64) throws -> SegmentCopy?

    func makeOpener() -> any SegmentOpener

    /// The highest arrival id so far, be it of a segment or of another blob; 0 where only segments count.
    var latestArrival: UInt64 { get }
}

/// A segment as it is stored.
package struct SegmentCopy: Sendable {
    package let arrivalID: UInt64
    /// What the blob is opened by; the source's affair.
    package let record: [UInt8]
    package let blob: [UInt8]

    package init(arrivalID: UInt64, record: [UInt8], blob: [UInt8]) {
        self.arrivalID = arrivalID
        self.record = record
        self.blob = blob
    }
}

/// Opens copies without the source, on any thread; used by one at a time.
package protocol SegmentOpener: AnyObject {
    /// Lends what is needed to open a segment; false where its record cannot be read.
    func withSegment(_ copy: SegmentCopy, _ body: (SealedSegment) -> Void) -> Bool
}

extension SegmentSource {
    package var latestArrival: UInt64 { 0 }
}
