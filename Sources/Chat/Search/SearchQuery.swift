import SyncState

/// A search query: words that must all be in a message, and phrases in double quotes that must be in it literally. A
/// word also matches inside longer ones. Compared after `SearchFold`.
package struct SearchQuery: Sendable, Equatable {
    /// Folded, longest first: most messages lack the longest.
    let terms: [[UInt8]]

    /// - Throws: `SearchQueryError` if the query is empty or too long.
    package init(_ text: String) throws(SearchQueryError) {
        var terms: [[UInt8]] = []
        for part in Self.parts(of: text) {
            var folded: [UInt8] = []
            let count = Array(part.utf8).withUnsafeBytes { SearchFold.fold($0, into: &folded) }
            let term = Self.trimmed(folded[..<count])
            guard !term.isEmpty else { continue }
            guard term.count <= Limits.searchTermBytes else { throw .termTooLong(bytes: term.count) }
            if !terms.contains(term) { terms.append(term) }
        }
        guard !terms.isEmpty else { throw .empty }
        guard terms.count <= Limits.searchTerms else { throw .tooManyTerms(terms.count) }
        self.terms = terms.sorted { $0.count == $1.count ? $0.lexicographicallyPrecedes($1) : $0.count > $1.count }
    }

    /// Words and quoted phrases. An unclosed quote extends to the end.
    private static func parts(of text: String) -> [Substring] {
        let sections = text.split(omittingEmptySubsequences: false) { "\"“”„".contains($0) }
        return sections.enumerated().flatMap { number, section in
            number % 2 == 1 ? [section] : section.split { $0.isWhitespace }
        }
    }

    private static func trimmed(_ term: ArraySlice<UInt8>) -> [UInt8] {
        let start = term.firstIndex { $0 != 0x20 } ?? term.count
        let end = term.lastIndex { $0 != 0x20 } ?? start
        return start < term.count ? Array(term[start...end]) : []
    }

    /// True if every term is in the text, UTF-8. `scratch` provides memory.
    func matches(_ text: UnsafeRawBufferPointer, scratch: inout [UInt8]) -> Bool {
        let count = SearchFold.fold(text, into: &scratch)
        return scratch.withUnsafeBytes { scratch in
            let folded = UnsafeRawBufferPointer(rebasing: scratch[..<count])
            return terms.allSatisfy { Self.contains(folded, $0) }
        }
    }

    package func matches(_ text: String) -> Bool {
        var scratch: [UInt8] = []
        return Array(text.utf8).withUnsafeBytes { matches($0, scratch: &scratch) }
    }

    private static func contains(_ text: UnsafeRawBufferPointer, _ term: [UInt8]) -> Bool {
        term.withUnsafeBytes { term in
            guard text.count >= term.count, let base = text.baseAddress,
                let needle = term.baseAddress
            else { return false }
            let first = needle.load(as: UInt8.self)
            let last = needle.load(fromByteOffset: term.count - 1, as: UInt8.self)
            for start in 0...(text.count - term.count) {
                guard base.load(fromByteOffset: start, as: UInt8.self) == first,
                    base.load(fromByteOffset: start + term.count - 1, as: UInt8.self) == last
                else { continue }
                let candidate = UnsafeRawBufferPointer(start: base + start, count: term.count)
                if candidate.elementsEqual(term) { return true }
            }
            return false
        }
    }
}

/// Why a text is not a valid query.
package enum SearchQueryError: Error, Equatable, Sendable, CustomStringConvertible {
    /// It contains no letter.
    case empty
    case tooManyTerms(Int)
    case termTooLong(bytes: Int)

    package var description: String {
        switch self {
        case .empty: "a search must have at least one word"
        case .tooManyTerms(let count):
            "a search must have at most \(Limits.searchTerms) words and phrases, not \(count)"
        case .termTooLong(let bytes): "a word or phrase must have at most \(Limits.searchTermBytes) bytes, not \(bytes)"
        }
    }
}

/// A stretch of a conversation's messages of one class (with a score, in a block, in neither), walked from its newest
/// end, with some entries read ahead.
///
/// Within a class, list order and time nearly always agree, so the newest of the entries read ahead tells how new a
/// further message of this stretch can be.
struct SearchCursor {
    struct Entry {
        var location: MessageLocation
        /// Milliseconds in the upper 56 bits, flags in the lower 8.
        var timeAndFlags: UInt64

        var time: UInt64 { timeAndFlags >> 8 }
    }

    let conversation: UInt32
    /// The first key of the entries read ahead, so that they can be read again.
    private(set) var start: MessageKey
    /// The key below the entries read ahead; nil at the end of the stretch.
    private(set) var next: MessageKey?
    private(set) var entries: [Entry] = []
    /// The newest time among the entries read ahead.
    private(set) var newest: UInt64 = 0

    init(conversation: UInt32, from start: MessageKey) {
        self.conversation = conversation
        self.start = start
        next = start
    }

    var messageClass: UInt64 { start.order.word >> 62 }
    var isAtEnd: Bool { entries.isEmpty && next == nil }

    /// Reads the next entries. The class of the stretch is that of the first one found.
    mutating func advance(_ index: MessageIndex, limit: Int) throws {
        guard let next else {
            entries = []
            return
        }
        start = next
        try read(index, limit: limit)
    }

    /// Reads the same stretch again, after its messages have moved.
    mutating func reload(_ index: MessageIndex) throws {
        try read(index, limit: max(entries.count, Limits.searchFirstEntries))
    }

    private mutating func read(_ index: MessageIndex, limit: Int) throws {
        entries.removeAll(keepingCapacity: true)
        newest = 0
        var last: MessageKey?
        try index.scan(from: start, descending: true) { key, timeAndFlags in
            guard entries.count < limit, last.map({ $0.order.word >> 62 == key.order.word >> 62 }) ?? true else {
                return false
            }
            if last == nil { start = key }
            last = key
            entries.append(Entry(location: key.location, timeAndFlags: timeAndFlags))
            newest = max(newest, timeAndFlags >> 8)
            return true
        }
        next = entries.count < limit ? nil : last?.predecessor
    }

    /// The stretch of the classes below this one; nil after the last.
    var below: SearchCursor? {
        guard !entries.isEmpty, messageClass > 0 else { return nil }
        let order = MessageOrder(word: messageClass << 62 - 1)
        return SearchCursor(conversation: conversation, from: .last(of: conversation, upTo: order))
    }
}
