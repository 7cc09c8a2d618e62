import NodeCore
import SyncState

/// The code and state of one family of an account's records, with its tables.
///
/// `AccountZone` hands each record to the part of its type, within the store's transaction. A part is in the zone's
/// list of parts, and its records have a number in `MetaType`; nothing else knows of it.
protocol AccountPart<Content>: AnyObject {
    associatedtype Content: AccountRecord

    /// The row of a record is now held.
    func held(_ content: Content, in lane: LaneID) throws
    /// The row of a register is gone, or that of another record does not count any more.
    func lost(_ content: Content, in lane: LaneID) throws
    /// The row of a record does not count any more.
    func withdrawn(_ content: Content, in lane: LaneID) throws
    /// Whether all that follows from a record whose row is held is here: a log that was lost may have left the file
    /// between two commits. Otherwise the record is taken once more.
    func isTaken(_ content: Content, in lane: LaneID) throws -> Bool
    /// Rows of a lane are lost, and perhaps nobody else has them. No value may stay that others cannot know.
    func rowsLost(in lane: LaneID) throws
    /// The blob of a record came from a peer.
    func blobCame(_ blob: UnsafeRawBufferPointer, of record: Record) throws
    /// Part of a commit: derives values from the rows that are held.
    func settle() throws
    /// This device leaves a lane: writes the values of the lane's registers again.
    func republish(from old: LaneID) throws
    /// Reads durable state, at the start and after a rollback; changes that were only in memory are discarded.
    func reload() throws
}

extension AccountPart {
    func held(_ content: Content, in lane: LaneID) throws {}
    func lost(_ content: Content, in lane: LaneID) throws {}
    func withdrawn(_ content: Content, in lane: LaneID) throws { try lost(content, in: lane) }
    func isTaken(_ content: Content, in lane: LaneID) throws -> Bool { true }
    func rowsLost(in lane: LaneID) throws {}
    func blobCame(_ blob: UnsafeRawBufferPointer, of record: Record) throws {}
    func settle() throws {}
    func republish(from old: LaneID) throws {}
    func reload() throws {}

    /// The records that the part takes.
    var recordType: any AccountRecord.Type { Content.self }

    // For callers with content as returned by `open`. The zone only calls the part of that type.
    func held(opened content: any RecordContent, in lane: LaneID) throws {
        if let content = content as? Content { try held(content, in: lane) }
    }

    func lost(opened content: any RecordContent, in lane: LaneID) throws {
        if let content = content as? Content { try lost(content, in: lane) }
    }

    func withdrawn(opened content: any RecordContent, in lane: LaneID) throws {
        if let content = content as? Content { try withdrawn(content, in: lane) }
    }

    func isTaken(opened content: any RecordContent, in lane: LaneID) throws -> Bool {
        if let content = content as? Content { try isTaken(content, in: lane) } else { true }
    }
}

extension AccountPart {
    /// After a lane lost registers, this device writes its own again. Nobody can do that for another device.
    func settle(_ registers: [Content], in lane: LaneID, _ context: AccountContext) throws {
        for content in registers {
            let slotName = String(decoding: content.slotName(in: lane), as: UTF8.self)
            guard try context.store.liveRegister(of: lane, slotName: slotName) == nil else { continue }
            if lane == context.lane { try context.write(content) } else { try lost(content, in: lane) }
        }
    }
}

/// The parts of an account's zone.
struct AccountParts {
    /// In the order in which they settle.
    let all: [any AccountPart]
    /// In the order in which a freshly started device rewrites its registers.
    let republished: [any AccountPart]
    private let ofType: [ObjectIdentifier: any AccountPart]

    init(_ all: [any AccountPart], republishingFirst first: [any AccountPart], last: [any AccountPart]) {
        self.all = all
        republished = first + all.filter { part in !(first + last).contains { $0 === part } } + last
        ofType = Dictionary(uniqueKeysWithValues: all.map { (ObjectIdentifier($0.recordType), $0) })
    }

    /// The types of the parts' records, by `MetaType`.
    var recordTypes: [UInt64: any AccountRecord.Type] {
        Dictionary(uniqueKeysWithValues: all.map { ($0.recordType.metaType.rawValue, $0.recordType) })
    }

    /// The part of a record's type; nil for a type unknown to this version.
    func part(for content: any RecordContent) -> (any AccountPart)? {
        ofType[ObjectIdentifier(type(of: content))]
    }
}

/// The subject of a register that an account has once.
struct WholeAccount: Hashable, Comparable {
    static func < (one: WholeAccount, other: WholeAccount) -> Bool { false }
}

/// A family of joined registers: each device writes its own, and the effective value is the join of those that are held
/// (docs/PROTOCOL-CHAT.md, §4.9).
protocol JoinedPart: AccountPart {
    associatedtype Subject: Hashable & Comparable
    associatedtype Value

    var context: AccountContext { get }
    /// Subjects whose registers changed since the last commit.
    var suspects: Set<Subject> { get set }

    func subject(of content: Content) -> Subject
    /// The value of the live registers, as a new device would compute it. Nil if there is none.
    func live(_ subject: Subject) throws -> Value?
    /// Takes the value of the live registers for the effective one.
    func follow(_ live: Value?, about subject: Subject) throws
}

extension JoinedPart {
    func suspect(_ subject: Subject) {
        suspects.insert(subject)
        context.store.mustSettle = true
    }

    func lost(_ content: Content, in lane: LaneID) throws { suspect(subject(of: content)) }

    func settle() throws {
        defer { suspects = [] }
        for subject in suspects.sorted() { try follow(try live(subject), about: subject) }
    }

    /// Writes only this device's own values, since the others' records may stop counting.
    func republish(from old: LaneID) throws {
        try context.rewrite(Content.self, from: old)
    }
}

extension JoinedPart where Value == Content, Value: Joinable {
    /// The join of the registers that the store holds in a slot.
    func joined(slotName: String) throws -> Value? {
        try context.registers(Content.self, slotName: slotName).reduce(nil) { joined, register in
            joined?.merged(with: register.content) ?? register.content
        }
    }
}

extension JoinedPart where Value == Content {
    func write(_ value: Value) throws { try context.write(value) }
}

/// The held registers of a family, in their own table: one per subject and lane.
struct LiveRows<Content: AccountRecord> {
    /// The names of a table's columns. They are the same in all released schemas.
    struct Layout {
        let table: String
        let subject: String
        let value: String
        /// Whether subjects have the type TEXT, not BLOB.
        let isText: Bool
    }

    private let layout: Layout
    private let putRow, deleteRow, one, ofSubject, byLane, ofLane, every, between: Statement

    init(_ database: Database, _ layout: Layout) throws {
        self.layout = layout
        let (table, subject, value) = (layout.table, layout.subject, layout.value)
        putRow = try database.prepare("INSERT OR REPLACE INTO \(table) VALUES(?, ?, ?)")
        deleteRow = try database.prepare("DELETE FROM \(table) WHERE \(subject) = ? AND lane = ?")
        one = try database.prepare("SELECT \(value) FROM \(table) WHERE \(subject) = ? AND lane = ?")
        ofSubject = try database.prepare("SELECT \(value) FROM \(table) WHERE \(subject) = ? ORDER BY lane")
        byLane = try database.prepare(
            "SELECT lane, \(value) FROM \(table) WHERE \(subject) = ? ORDER BY lane")
        ofLane = try database.prepare("SELECT \(value) FROM \(table) WHERE lane = ? ORDER BY \(subject)")
        between = try database.prepare(
            "SELECT \(value) FROM \(table) WHERE \(subject) >= ? AND \(subject) < ? ORDER BY \(subject), lane")
        every = try database.prepare("SELECT \(value) FROM \(table) ORDER BY \(subject), lane")
    }

    func put(_ content: Content, of subject: String, lane: LaneID) throws {
        bind(subject, to: putRow)
        putRow.bind(2, lane.bytes)
        putRow.bind(3, content.encoded)
        try putRow.run()
    }

    func remove(_ subject: String, lane: LaneID) throws {
        bind(subject, to: deleteRow)
        deleteRow.bind(2, lane.bytes)
        try deleteRow.run()
    }

    /// Whether a lane's row is this one.
    func holds(_ content: Content, of subject: String, lane: LaneID) throws -> Bool {
        bind(subject, to: one)
        one.bind(2, lane.bytes)
        return try one.all { $0.blob(0) }.first == content.encoded
    }

    /// Ascending by lane.
    func all(of subject: String) throws -> [Content] {
        bind(subject, to: ofSubject)
        return try contents(ofSubject)
    }

    /// Each lane's, ascending by lane.
    func byLane(of subject: String) throws -> [(lane: LaneID, content: Content)] {
        bind(subject, to: byLane)
        return try byLane.all { row in
            guard let lane = LaneID(bytes: row.blob(0)) else { return nil }
            return (lane, try Content(fields: row.blob(1), hasBlob: false))
        }
    }

    /// Ascending by subject.
    func all(in lane: LaneID) throws -> [Content] {
        ofLane.bind(1, lane.bytes)
        return try contents(ofLane)
    }

    /// Ascending by subject, then by lane.
    func all() throws -> [Content] { try contents(every) }

    /// The same for the subjects from one up to another, where subjects are not text.
    func all(from low: String, to high: String) throws -> [Content] {
        between.bind(1, Array(low.utf8))
        between.bind(2, Array(high.utf8))
        return try contents(between)
    }

    private func bind(_ subject: String, to statement: Statement) {
        if layout.isText { statement.bind(1, subject) } else { statement.bind(1, Array(subject.utf8)) }
    }

    private func contents(_ query: Statement) throws -> [Content] {
        try query.all { try Content(fields: $0.blob(0), hasBlob: false) }
    }
}
