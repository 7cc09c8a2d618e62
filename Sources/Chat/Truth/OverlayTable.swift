import NodeCore
import SyncState

/// The overlays of messages, by the hash of their txids. Usually there are few, and then they cost nothing.
final class OverlayTable {
    static let schema = """
        CREATE TABLE message_overlay(
            hash INTEGER NOT NULL, txid BLOB NOT NULL, revision INTEGER, block_time INTEGER, score INTEGER,
            status INTEGER, deleted INTEGER NOT NULL, listed BLOB, touched INTEGER NOT NULL,
            unpublished INTEGER NOT NULL, PRIMARY KEY(hash, txid)) WITHOUT ROWID;
        CREATE INDEX overlay_touched ON message_overlay(touched) WHERE touched = 1;
        CREATE INDEX overlay_unpublished ON message_overlay(unpublished) WHERE unpublished = 1
        """

    private static let columns = """
        hash, txid, revision, block_time, score, status, deleted, listed, touched, unpublished
        """

    /// True while there are no overlays.
    private(set) var isEmpty = true
    /// Number of overlays changed since the index was updated; and number of facts that wait for their records.
    var touchedCount = 0
    private(set) var unpublishedCount = 0
    let farFacts: FarFacts

    private let any, touchedNumber, unpublishedNumber: Statement
    private let one, ofHash, touched, unpublished, withFact, put, setListed, settle: Statement

    init(_ database: Database) throws {
        any = try database.prepare("SELECT EXISTS(SELECT 1 FROM message_overlay)")
        touchedNumber = try database.prepare("SELECT count(*) FROM message_overlay WHERE touched = 1")
        unpublishedNumber = try database.prepare("SELECT count(*) FROM message_overlay WHERE unpublished = 1")
        one = try database.prepare("SELECT \(Self.columns) FROM message_overlay WHERE hash = ? AND txid = ?")
        ofHash = try database.prepare("SELECT 1 FROM message_overlay WHERE hash = ? LIMIT 1")
        touched = try database.prepare(
            "SELECT \(Self.columns) FROM message_overlay WHERE touched = 1 ORDER BY hash, txid")
        unpublished = try database.prepare(
            "SELECT \(Self.columns) FROM message_overlay WHERE unpublished = 1 ORDER BY hash, txid LIMIT ?")
        withFact = try database.prepare(
            "SELECT \(Self.columns) FROM message_overlay WHERE revision IS NOT NULL ORDER BY hash, txid")
        put = try database.prepare(
            "INSERT OR REPLACE INTO message_overlay(\(Self.columns)) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        setListed = try database.prepare("UPDATE message_overlay SET listed = ?3 WHERE hash = ?1 AND txid = ?2")
        settle = try database.prepare("UPDATE message_overlay SET touched = 0 WHERE touched = 1")
        farFacts = try FarFacts(database)
    }

    /// Recounts them, at the start and after a rollback.
    func load() throws {
        isEmpty = try any.number() == 0
        touchedCount = isEmpty ? 0 : Int(try touchedNumber.number())
        unpublishedCount = isEmpty ? 0 : Int(try unpublishedNumber.number())
    }

    func find(_ txid: TxID, hash: UInt64) throws -> MessageOverlay? {
        guard !isEmpty else { return nil }
        return try one.first(Int64(bitPattern: hash), txid.bytes, read: Self.overlay)
    }

    /// Whether there is an overlay of a message with this hash.
    func hasAny(hash: UInt64) throws -> Bool {
        guard !isEmpty else { return false }
        return try ofHash.hasRow(Int64(bitPattern: hash))
    }

    /// Whether a fact was joined with what is known, or waits since it is too far ahead.
    func hasMerged(_ fact: ChainFact, hash: UInt64) throws -> Bool {
        let overlay = try find(fact.txid, hash: hash)
        guard fact.revision <= (overlay ?? MessageOverlay(txid: fact.txid, hash: hash)).reach else {
            return try farFacts.holds(fact)
        }
        guard let known = overlay?.fact else { return false }
        return !fact.isPreferred(over: known) && known.completed(by: fact) == nil
    }

    /// Overlays changed since the index was updated.
    func touchedOverlays() throws -> [MessageOverlay] { touchedCount == 0 ? [] : try touched.all(read: Self.overlay) }

    /// Overlays whose facts wait for their record, up to `limit`.
    func unpublishedOverlays(limit: Int) throws -> [MessageOverlay] {
        unpublishedCount == 0 ? [] : try unpublished.all(limit, read: Self.overlay)
    }

    /// All overlays with facts.
    func overlaysWithFacts() throws -> [MessageOverlay] { isEmpty ? [] : try withFact.all(read: Self.overlay) }

    /// - Parameter old: the previously stored overlay of this message, if any.
    func store(_ overlay: MessageOverlay, replacing old: MessageOverlay?) throws {
        try put.run(
            Int64(bitPattern: overlay.hash), overlay.txid.bytes, overlay.fact.map { Int64(bitPattern: $0.revision) },
            overlay.fact?.blockTime.map { Int64(bitPattern: $0) },
            overlay.fact?.acceptingDaaScore.map { Int64(bitPattern: $0) },
            overlay.fact.map { Int64($0.status.rawValue) }, overlay.isDeleted ? 1 : 0, overlay.listing.encoded,
            overlay.isTouched ? 1 : 0, overlay.isUnpublished ? 1 : 0)
        isEmpty = false
        touchedCount += (overlay.isTouched ? 1 : 0) - (old?.isTouched == true ? 1 : 0)
        unpublishedCount += (overlay.isUnpublished ? 1 : 0) - (old?.isUnpublished == true ? 1 : 0)
    }

    /// Records where the listing now has a message.
    func noteListing(of overlay: MessageOverlay) throws {
        try setListed.run(Int64(bitPattern: overlay.hash), overlay.txid.bytes, overlay.listing.encoded)
    }

    /// Notes that the index has been updated with all of them.
    func settleTouched() throws {
        guard touchedCount > 0 else { return }
        try settle.run()
        touchedCount = 0
    }

    private static func overlay(_ row: Statement) -> MessageOverlay? {
        guard let txid = TxID(bytes: row.blob(1)) else { return nil }
        var overlay = MessageOverlay(txid: txid, hash: UInt64(bitPattern: row.int(0)))
        if !row.isNull(2), let status = MessageStatus(rawValue: UInt8(truncatingIfNeeded: row.int(5))) {
            overlay.fact = ChainFact(
                txid: txid, revision: UInt64(bitPattern: row.int(2)),
                blockTime: row.optionalInt(3).map { UInt64(bitPattern: $0) },
                acceptingDaaScore: row.optionalInt(4).map { UInt64(bitPattern: $0) }, status: status)
        }
        overlay.isDeleted = row.int(6) != 0
        if !row.isNull(7) {
            overlay.listing = row.withBlob(7) { key in
                guard key.count == MessageKey.layout.keyBytes, let base = key.baseAddress else { return .nowhere }
                return .at(MessageKey(loading: base))
            }
        }
        overlay.isTouched = row.int(8) != 0
        overlay.isUnpublished = row.int(9) != 0
        return overlay
    }
}

extension MessageOverlay.Listing {
    /// Nil for the copy's own position, empty for nowhere, otherwise the key.
    fileprivate var encoded: [UInt8]? {
        switch self {
        case .asCopy: nil
        case .nowhere: []
        case .at(let key): key.bytes
        }
    }
}

/// Data about a message apart from its copies: the effective fact, and whether it is deleted.
///
/// The message shown is the preferred copy with its overlay applied. An overlay may exist before any copy, and stays
/// when the last one is gone.
struct MessageOverlay {
    /// The place of the message in the listing.
    enum Listing: Equatable {
        /// At its copy's own position: the index was not told of the overlay yet.
        case asCopy
        case nowhere
        case at(MessageKey)
    }

    let txid: TxID
    let hash: UInt64
    var fact: ChainFact?
    var isDeleted = false
    var listing = Listing.asCopy
    /// Whether it changed since the index was updated.
    var isTouched = false
    /// Whether the fact was made here, and no record of it has been written yet.
    var isUnpublished = false

    /// The highest revision that counts if it comes now. A copy's own data has revision 0; a fact made here is of use
    /// to others only when its record is written.
    var reach: UInt64 { (fact?.revision ?? 0) - (isUnpublished ? 1 : 0) + SyncState.Limits.revisionGap }

    /// The message as shown; nil if it is deleted.
    func applied(to copy: ChatMessage) -> ChatMessage? {
        isDeleted ? nil : fact?.applied(to: copy) ?? copy
    }
}

extension MessageOverlay? {
    /// The message as shown, whether or not it has an overlay; nil if it is deleted.
    func shown(_ copy: ChatMessage) -> ChatMessage? {
        if let self { self.applied(to: copy) } else { copy }
    }
}
