import Node
import ProcessHarness

/// One run of the chosen rows. Expensive fixtures are made once.
struct BenchRun {
    private let options: BenchOptions
    private let rows: Set<String>
    private let subject: Subject
    private(set) var report = Report()

    init(_ options: BenchOptions, rows: Set<String>) throws {
        self.options = options
        self.rows = rows
        subject = try Subject()
    }

    private func wants(_ names: String...) -> Bool { names.contains { rows.contains($0) } }

    mutating func measure() throws {
        if wants("limits") {
            progress("limits of this machine")
            report.figures += try RawLimits.figures(in: subject.folder.path)
        }
        if wants("restore-blobs", "diverged") { try measureBlobs() }
        if wants("restore-messages", "newest", "memory", "start", "search", "conversations") {
            try measureMessages()
        }
        if wants("push") {
            progress("push")
            report.figures += try PushRow(subject: subject, options: options).measure()
        }
        if wants("hints") {
            progress("hints during a restore")
            report.figures += try HintRow(subject: subject, options: options).measure()
        }
        if wants("api") {
            progress("the local API")
            report.figures += try APIRow(subject: subject, options: options).measure()
        }
        if wants("equal") {
            progress("equal zones")
            report.figures += try MeetingRows(subject: subject, options: options).equal()
        }
        if wants("board") {
            progress("a group of \(options.members) members and a year of results")
            report.figures += try BoardRow(options: options, subject: subject).measure()
        }
        if wants("idle") {
            progress("idle")
            report.figures += try IdleRow(subject: subject, options: options).measure()
        }
        if wants("ledger") { report.figures += try LedgerRow().measure() }
        if wants("stranger") { report.figures += try StrangerRow().measure() }
        if wants("flood") {
            progress("floods of strangers")
            report.figures += try FloodRow(subject: subject).measure()
        }
        if wants("askers") {
            progress("questions of a member")
            report.figures += try AskersRow(subject: subject).measure()
        }
    }

    private mutating func measureBlobs() throws {
        progress("filling a home with \(options.records) blobs")
        let source = try FilledHome.blobs(try subject.home("blobs"), options)
        progress("restore of blobs")
        var row = RestoreRow("restore-blobs", subject, options, source)
        let figures = try row.measure()
        if wants("restore-blobs") { report.figures += figures }
        if wants("diverged") {
            progress("diverged zones")
            report.figures += try MeetingRows(subject: subject, options: options).diverged(source, row.restored)
        }
        subject.discard(source.home)
        subject.discard(row.restored)
    }

    private mutating func measureMessages() throws {
        progress("filling a home with messages")
        let source = try FilledHome.messages(try subject.home("messages"), options)
        if wants("restore-messages", "newest", "memory") {
            progress("restore of messages")
            var row = RestoreRow("restore-messages", subject, options, source)
            report.figures += try row.measure()
            subject.discard(row.restored)
        }
        if wants("start") {
            progress("start")
            report.figures += try StartRow(
                subject: subject, options: options, home: source.home, messages: source.messages
            ).measure()
        }
        if wants("search") {
            progress("search")
            report.figures += try SearchRow(options: options, home: source.home, messages: source.messages).measure()
        }
        if wants("conversations") {
            progress("conversation list")
            report.figures += try ConversationsRow(
                options: options, home: source.home, messages: source.messages
            ).measure()
        }
        subject.discard(source.home)
    }

    private func progress(_ text: String) { Output.standardError().line("bench: \(text)") }
}
