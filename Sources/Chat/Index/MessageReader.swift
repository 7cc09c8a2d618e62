import NodeCore

/// Reads the message at a location, and caches the latest opened segments.
final class MessageReader {
    private struct Opened {
        var arrivalID: UInt64
        var conversationID: String
        var payload: [UInt8]
        var contacts: [Range<Int>]
        /// The start of each message.
        var starts: [Int]
    }

    private weak var source: (any SegmentSource)?
    private let queue: ArchiveQueue
    private let codec: SegmentCodec
    /// The most recently used one is last.
    private var opened: [Opened] = []
    private var openedBytes = 0
    /// Segments that are held and could not be opened; the store must check them.
    private(set) var suspects: [UInt64] = []
    /// The suspects already reported.
    private var told: Set<UInt64> = []

    init(source: any SegmentSource, queue: ArchiveQueue, codec: SegmentCodec) {
        (self.source, self.queue, self.codec) = (source, queue, codec)
    }

    /// Nil if it does not exist (any more) or cannot be read.
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

    /// Forgets a segment whose blob is removed, or all.
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

/// The store as seen by the chat: provides sealed segments by arrival id.
///
/// Arrival ids increase with each segment whose blob arrives, are never reused, and are at most 2^39 - 1.
package protocol SegmentSource: AnyObject {
    /// Passes one segment to `body`; false if its blob is not held.
    func withSegment(_ arrivalID: UInt64, _ body: (SealedSegment) throws -> Void) throws -> Bool

    /// Passes segments that arrived after `arrivalID` to `body`, ascending, until it returns false.
    func forEachSegment(after arrivalID: UInt64, _ body: (UInt64, SealedSegment) throws -> Bool) throws

    /// A copy of one segment, for a `SegmentOpener`; nil if its blob is not held.
    func copy(_ arrivalID: UInt64) throws -> SegmentCopy?

    func makeOpener() -> any SegmentOpener

    /// Whether this device wrote a segment, under its present key.
    func isOwn(_ arrivalID: UInt64) throws -> Bool

    /// The highest arrival id so far, of a segment or any other blob; 0 if only segments count.
    var latestArrival: UInt64 { get }
}

/// A segment as it is stored.
package struct SegmentCopy: Sendable {
    package let arrivalID: UInt64
    /// The data for opening the blob, in the source's own format.
    package let record: [UInt8]
    package let blob: [UInt8]
}

/// Opens copies without the source, on any thread; used by one at a time.
package protocol SegmentOpener: AnyObject {
    /// Passes the opened segment to `body`; false if its record is unreadable.
    func withSegment(_ copy: SegmentCopy, _ body: (SealedSegment) -> Void) -> Bool
}

extension SegmentSource {
    package var latestArrival: UInt64 { 0 }
}
