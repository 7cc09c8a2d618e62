import NodeCore

/// Gives the message at a location, and keeps the latest opened segments.
final class MessageReader {
    private struct Opened {
        var arrivalID: UInt64
        var conversationID: String
        var payload: [UInt8]
        var contacts: [Range<Int>]
        /// Where each message starts.
        var starts: [Int]
    }

    private weak var source: (any SegmentSource)?
    private let queue: ArchiveQueue
    private let codec: SegmentCodec
    /// The latest used stands last.
    private var opened: [Opened] = []
    private var openedBytes = 0
    /// Segments that are held and could not be opened; the store is to look at them.
    private(set) var suspects: [UInt64] = []
    /// Those among them that were told already.
    private var told: Set<UInt64> = []

    init(source: any SegmentSource, queue: ArchiveQueue, codec: SegmentCodec) {
        self.source = source
        self.queue = queue
        self.codec = codec
    }

    /// nil if it is not there (any more), or cannot be read.
    func message(at location: MessageLocation) throws -> ChatMessage? {
        if location.isQueued { return try queue.message(row: location.queueRow) }
        guard let segment = try open(location.id), location.position < segment.starts.count else { return nil }
        return try segment.payload.withUnsafeBytesThrowing { (payload) throws(SegmentError) in
            var scanner = PayloadScanner(payload, messageAt: segment.starts[location.position])
            let scanned = try scanner.read(contacts: segment.contacts.count)
            return scanned.message(in: payload, contacts: segment.contacts, conversationID: segment.conversationID)
        }
    }

    func takeSuspects() -> [UInt64] {
        defer { suspects = [] }
        return suspects
    }

    private func suspect(_ arrivalID: UInt64) {
        guard told.count < Limits.suspectedSegments, told.insert(arrivalID).inserted else { return }
        suspects.append(arrivalID)
    }

    /// Forgets a segment whose blob goes, or all.
    func forget(_ arrivalID: UInt64? = nil) {
        if let arrivalID { told.remove(arrivalID) } else { told = [] }
        opened.removeAll { arrivalID == nil || $0.arrivalID == arrivalID }
        openedBytes = opened.reduce(0) { $0 + $1.payload.count }
    }

    private func open(_ arrivalID: UInt64) throws -> Opened? {
        if let place = opened.lastIndex(where: { $0.arrivalID == arrivalID }) {
            if place == opened.count - 1 { return opened[place] }
            let found = opened.remove(at: place)
            opened.append(found)
            return found
        }
        var result: Opened?
        let isHeld = try source?.withSegment(arrivalID) { sealed in
            result = try? read(sealed, arrivalID)
        }
        guard let result else {
            if isHeld == true { suspect(arrivalID) }
            return nil
        }
        opened.append(result)
        openedBytes += result.payload.count
        while opened.count > 1, opened.count > Limits.openSegments || openedBytes > Limits.openSegmentBytes {
            openedBytes -= opened.removeFirst().payload.count
        }
        return result
    }

    private func read(_ sealed: SealedSegment, _ arrivalID: UInt64) throws(SegmentError) -> Opened {
        let name = sealed.name
        return try codec.open(sealed) { (payload) throws(SegmentError) in
            var scanner = try PayloadScanner(payload)
            var scanned = ScannedMessage()
            var starts = [scanner.position]
            while try scanner.next(&scanned) { starts.append(scanner.position) }
            starts.removeLast()
            return Opened(
                arrivalID: arrivalID, conversationID: name.conversationID, payload: [UInt8](payload),
                contacts: scanner.contacts, starts: starts)
        }
    }
}

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
