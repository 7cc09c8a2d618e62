package import Chat
import Ledger
import NodeCore
package import SyncState

/// A real account zone in memory, with helpers for writing to it.
package final class TestZone {
    package static let signer = AccountSigner(seed: Secret(bytes: [UInt8](repeating: 1, count: 64)))
    package static let keys = signer.keys

    package let database: Database
    package let zone: AccountZone
    private let device: UInt8
    private var now = MonotonicTime.zero
    /// How often it was opened: none of its lives draws what another one drew.
    private let life: UInt64

    /// The devices of the account that tests have: each knows that the others belong to it.
    private static let family = Result {
        try (1...12 as ClosedRange<UInt8>).flatMap { device in
            try open(device, emptyDatabase(), signer, life: 0).membership.records.records.map(\.encoded)
        }
    }

    /// A database in memory with the tables of an account and nothing in them.
    package static func emptyDatabase() throws -> Database { try Database(snapshot: emptyTables.get()) }

    /// Creating them in each database would take longer than most tests.
    private static let emptyTables = Result {
        let database = try Database(path: ":memory:")
        try open(1, database, signer, life: 0).commit()
        let names = try database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'migration'")
        var tables: [String] = []
        while try names.step() { tables.append(names.text(0)) }
        try database.transaction { for table in tables { try database.execute("DELETE FROM \(table)") } }
        return try database.snapshot()
    }

    package init(
        device: UInt8, database: Database? = nil, signer: AccountSigner = TestZone.signer, life: UInt64 = 0
    ) throws {
        (self.device, self.life) = (device, life)
        self.database = try database ?? Self.emptyDatabase()
        zone = try Self.open(device, self.database, signer, life: life)
        if signer.keys.zone == Self.keys.zone { _ = try zone.membership.records.take(Self.family.get()) }
        try zone.commit()
    }

    private static func open(
        _ device: UInt8, _ database: Database, _ signer: AccountSigner, life: UInt64
    ) throws -> AccountZone {
        try AccountZone(
            database: database, keys: signer.keys, deviceSecret: Secret(bytes: [UInt8](repeating: device, count: 32)),
            entrance: .words(signer), random: SeededRandom(seed: UInt64(device) + life << 8), now: .zero)
    }

    package var store: ZoneStore { zone.store }

    /// The same home after a crash: only committed data is left.
    package func reopened() throws -> TestZone {
        if database.inTransaction { database.rollback() }
        return try TestZone(device: device, database: Database(snapshot: database.snapshot()), life: life + 1)
    }

    /// Runs the node for this long; it does what is due.
    package func run(for time: Duration) throws {
        store.setTime(now: now, wall: store.wall)
        now += time
        store.setTime(now: now, wall: store.wall)
        try zone.work(now: now)
        try zone.commit()
    }

    @discardableResult
    package func writeFact(_ name: String) throws -> Record {
        let fields = OpaqueName(name)
        return try store.write(
            RecordMeta(type: .opaque, fields: fields.encoded), slotName: fields.slotName, kind: .immutable)
    }

    @discardableResult
    package func writeBlob(_ name: String, _ payload: [UInt8]) throws -> Record {
        try zone.opaque.add(name: name, payload)
        guard let record = store.takeWritten().last?.record else { throw TestError.nothingWritten }
        return record
    }

    @discardableResult
    package func read(_ conversation: String, score: UInt64) throws -> Record {
        let marker = ReadMarker(
            conversationID: conversation, bounds: [ReadBound(Self.message(conversation, score: score))],
            readAt: WallTime(milliseconds: 0))
        return try store.write(
            RecordMeta(type: .readMarker, fields: marker.encoded), slotName: marker.slotName, kind: .register)
    }

    /// The message that `read` marks.
    private static func message(_ conversation: String, score: UInt64) -> ChatMessage {
        .sample(1 << 32 + score, conversation: conversation, score: score)
    }

    /// The score up to which a conversation is read, once the messages that the registers name are held.
    package func position(_ conversation: String) throws -> UInt64? {
        for record in try store.liveRegisters(slotName: ReadMarker.name(conversationID: conversation)) {
            for bound in (try zone.open(record) as? ReadMarker)?.bounds ?? [] {
                let score = bound.acceptingDaaScore ?? 0
                _ = try zone.accept(Self.message(conversation, score: score), now: .zero)
            }
        }
        try zone.commit()
        return try zone.chat.reads.position(of: conversation).scorePoint?.acceptingDaaScore
    }

    package enum TestError: Error { case nothingWritten }
}
