/// The prepared statements of a zone's store.
struct ZoneStatements {
    let putSetting, getSetting: Statement
    let putLane, allLanes, highestRow: Statement
    let insertRecord, record, recordsBetween, newest, deleteRecord, registersBetween: Statement
    let setBlob, clearBlob, blobOfRecord, insertBlob, blob, deleteBlob, highestBlob, blobsFrom: Statement
    let held, wanted, wantedCount, newestWanted, oldestWanted: Statement
    let blobsOfLane, blobNote, rowOfBlob, latestBlobs, putPeer, peer, segmentsAfter: Statement
    let addRepair, repairs: Statement

    init(_ database: Database) throws(DatabaseError) {
        putSetting = try database.prepare("INSERT OR REPLACE INTO setting(name, value) VALUES(?, ?)")
        getSetting = try database.prepare("SELECT value FROM setting WHERE name = ?")
        // A replacement would also write the page of the index of ids, with each commit.
        putLane = try database.prepare(
            """
            INSERT INTO lane(number, id, head, target, rows, fingerprint, forked, slotted, content)
            VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            ON CONFLICT(number) DO UPDATE SET
                head = ?3, target = ?4, rows = ?5, fingerprint = ?6, forked = ?7, slotted = ?8, content = ?9
            """)
        allLanes = try database.prepare(
            """
            SELECT number, id, head, target, rows, fingerprint, forked, slotted, content
            FROM lane ORDER BY number
            """)
        highestRow = try database.prepare("SELECT max(id) FROM record WHERE id BETWEEN ? AND ?")
        insertRecord = try database.prepare("INSERT INTO record(id, kind, want, rec, at) VALUES(?, ?, ?, ?, ?)")
        record = try database.prepare("SELECT rec FROM record WHERE id = ?")
        recordsBetween = try database.prepare("SELECT id, rec, at FROM record WHERE id BETWEEN ? AND ? ORDER BY id")
        newest = try database.prepare("SELECT rec FROM record WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT ?")
        deleteRecord = try database.prepare("DELETE FROM record WHERE id = ?")
        registersBetween = try database.prepare("SELECT id FROM record WHERE id BETWEEN ? AND ? AND kind = 1")
        setBlob = try database.prepare(
            "UPDATE record SET blob = ?, want = NULL WHERE id = ? AND blob IS NULL")
        clearBlob = try database.prepare("UPDATE record SET blob = NULL, want = ? WHERE id = ?")
        blobOfRecord = try database.prepare("SELECT blob, at FROM record WHERE id = ?")
        insertBlob = try database.prepare("INSERT INTO blob(id, record, data, at, giver) VALUES(?, ?, ?, ?, ?)")
        blob = try database.prepare("SELECT data FROM blob WHERE id = ?")
        deleteBlob = try database.prepare("DELETE FROM blob WHERE id = ?")
        highestBlob = try database.prepare("SELECT max(id) FROM blob")
        blobsFrom = try database.prepare("SELECT id, record, data FROM blob WHERE id > ? ORDER BY id LIMIT 1")
        held = try database.prepare(
            """
            SELECT record.rec, blob.data FROM blob JOIN record ON record.id = blob.record AND record.blob = blob.id
            WHERE blob.id = ?
            """)
        rowOfBlob = try database.prepare("SELECT record FROM blob WHERE id = ?")
        wanted = try database.prepare(
            """
            SELECT id, want, rec, at FROM record WHERE want IS NOT NULL AND (want, id) < (?, ?)
            ORDER BY want DESC, id DESC LIMIT ?
            """)
        wantedCount = try database.prepare("SELECT count(*) FROM record WHERE want IS NOT NULL")
        newestWanted = try database.prepare(
            // The highest number of all means a blob that goes before those with a time.
            "SELECT coalesce(max(want), 0) FROM record WHERE want IS NOT NULL AND want < \(Int64.max)")
        oldestWanted = try database.prepare(
            "SELECT coalesce(min(want), 0) FROM record WHERE want > 0 AND want < \(Int64.max)")
        blobsOfLane = try database.prepare("SELECT rec, blob FROM record WHERE id BETWEEN ? AND ?")
        putPeer = try database.prepare(
            """
            INSERT INTO peer(lane, seen, level) VALUES(?1, ?2, ?3)
            ON CONFLICT(lane) DO UPDATE SET seen = ?2, level = coalesce(?3, level)
            """)
        peer = try database.prepare("SELECT seen, level FROM peer WHERE lane = ?")
        segmentsAfter = try database.prepare(
            """
            SELECT id, rec, blob FROM record WHERE id > ? AND kind = \(RecordKind.segment.rawValue)
            ORDER BY id LIMIT ?
            """
        )
        blobNote = try database.prepare("SELECT record, at, giver FROM blob WHERE id = ?")
        // Blobs aside have negative rows.
        latestBlobs = try database.prepare(
            """
            SELECT count(*), sum(iif(record BETWEEN ?3 AND ?4, 0, size)) FROM (
                SELECT record, length(data) AS size FROM blob INDEXED BY blob_at
                WHERE at > ?1 AND record >= 0 LIMIT ?2)
            """)
        addRepair = try database.prepare("INSERT INTO repair(at, what) VALUES(?, ?)")
        repairs = try database.prepare("SELECT at, what FROM repair ORDER BY id DESC LIMIT ?")
    }
}
