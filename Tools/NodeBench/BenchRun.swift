import Node
import ProcessHarness

/// One run of the chosen rows. Expensive fixtures are made once.
struct BenchRun {
    private let options: BenchOptions
    private let wanted: Set<String>
    private let subject: Subject
    private(set) var report = Report()

    /// Rows that need no fixture of others.
    private static let alone: [(name: String, measure: @Sendable (Subject, BenchOptions) throws -> [Figure])] = [
        ("limits", { subject, _ in try RawLimits.figures(in: subject.folder.path) }),
        ("push", { try PushRow(subject: $0, options: $1).measure() }),
        ("hints", { try HintRow(subject: $0, options: $1).measure() }),
        ("api", { try APIRow(subject: $0, options: $1).measure() }),
        ("equal", { try MeetingRows(subject: $0, options: $1).equal() }),
        ("board", { try BoardRow(options: $1, subject: $0).measure() }),
        ("idle", { try IdleRow(subject: $0, options: $1).measure() }),
        ("ledger", { _, _ in try LedgerRow().measure() }),
        ("stranger", { _, _ in try StrangerRow().measure() }),
        ("flood", { subject, _ in try FloodRow(subject: subject).measure() }),
        ("askers", { subject, _ in try AskersRow(subject: subject).measure() }),
    ]
    private static let ofBlobs = ["restore-blobs", "diverged"]
    private static let ofMessages = ["restore-messages", "newest", "memory", "start", "search", "conversations"]
    static let rows = ofBlobs + ofMessages + alone.map(\.name)

    init(_ options: BenchOptions, rows: Set<String>) throws {
        self.options = options
        wanted = rows
        subject = try Subject()
    }

    private func wants(_ names: [String]) -> Bool { !wanted.isDisjoint(with: names) }

    mutating func measure() throws {
        if wants(Self.ofBlobs) { try measureBlobs() }
        if wants(Self.ofMessages) { try measureMessages() }
        for row in Self.alone {
            try measure(row.name) { [subject, options] in try row.measure(subject, options) }
        }
    }

    /// Measures the row if it is wanted.
    private mutating func measure(_ row: String, _ figures: () throws -> [Figure]) throws {
        guard wants([row]) else { return }
        progress(row)
        report.figures += try figures()
    }

    private mutating func measureBlobs() throws {
        progress("filling a home with \(options.records) blobs")
        let source = try FilledHome.blobs(try subject.home("blobs"), options)
        progress("restore-blobs")
        var row = RestoreRow("restore-blobs", subject, options, source)
        let figures = try row.measure()
        if wants(["restore-blobs"]) { report.figures += figures }
        try measure("diverged") { [subject, options] in
            try MeetingRows(subject: subject, options: options).diverged(source, row.restored)
        }
        subject.discard(source.home)
        subject.discard(row.restored)
    }

    private mutating func measureMessages() throws {
        progress("filling a home with messages")
        let source = try FilledHome.messages(try subject.home("messages"), options)
        if wants(["restore-messages", "newest", "memory"]) {
            progress("restore-messages")
            var row = RestoreRow("restore-messages", subject, options, source)
            report.figures += try row.measure()
            subject.discard(row.restored)
        }
        try measure("start") { [options] in try StartRow(options: options, source: source).measure() }
        try measure("search") { [options] in try SearchRow(options: options, source: source).measure() }
        try measure("conversations") { [options] in try ConversationsRow(options: options, source: source).measure() }
        subject.discard(source.home)
    }

    private func progress(_ text: String) { Output.standardError().line("bench: \(text)") }
}
