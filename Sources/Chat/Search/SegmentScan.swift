import NodeCore

/// Looks through the messages of segments, with all that this takes: a thread has one of its own.
final class SegmentScan: @unchecked Sendable {
    // Sendable because one thread at a time uses it: `PairWorker.run` hands it over and back.

    /// A message in which all that is looked for is.
    struct Hit: Sendable {
        let location: MessageLocation
        let txid: TxID
    }

    private let query: SearchQuery
    private let opener: (any SegmentOpener)?
    private let codec = SegmentCodec()
    private var scratch: [UInt8] = []
    private var contacts: [Range<Int>] = []
    /// Of what was looked through since it was taken.
    private var found: [Hit] = []

    init(_ query: SearchQuery, opener: (any SegmentOpener)?) {
        self.query = query
        self.opener = opener
    }

    func takeHits() -> [Hit] {
        defer { found.removeAll(keepingCapacity: true) }
        return found
    }

    /// Segments that cannot be read have none.
    func look(through copies: ArraySlice<SegmentCopy>) {
        for copy in copies { _ = opener?.withSegment(copy) { look(through: $0, copy.arrivalID) } }
    }

    func look(through sealed: SealedSegment, _ arrival: UInt64) { try? scan(sealed, arrival) }

    private func scan(_ sealed: SealedSegment, _ arrival: UInt64) throws(SegmentError) {
        // Out of the object while they are in use: each access to one of its own would be checked.
        var (places, text): ([Range<Int>], [UInt8]) = ([], [])
        swap(&places, &contacts)
        swap(&text, &scratch)
        defer { swap(&text, &scratch) }
        let query = query
        var hits: [Hit] = []
        places = try codec.open(sealed) { (payload) throws(SegmentError) in
            var scanner = try PayloadScanner(payload, reusing: places)
            var message = ScannedMessage()
            var position = 0
            while try scanner.next(&message) {
                if query.matches(scanner.cursor.slice(message.body), scratch: &text) {
                    let txid = TxID(loading: scanner.cursor.base + message.txidStart)
                    hits.append(Hit(location: .segment(arrival, position: position), txid: txid))
                }
                position += 1
            }
            return scanner.contacts
        }
        swap(&places, &contacts)
        found += hits
    }
}
