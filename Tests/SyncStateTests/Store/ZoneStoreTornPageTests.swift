import Chat
import ChatTestKit
import SyncState
import Testing

/// The power failed while a page of rows was moved from the log, and then the log was lost. Of the page, the first
/// sectors are there, which list the rows, but not those with the rows.
@Suite("A page of rows that is there in part", .timeLimit(.minutes(30))) struct ZoneStoreTornPageTests {
    /// A home of ten facts.
    ///
    /// - Parameter whole: how many of its first rows the page had before.
    private func torn(_ whole: Int) throws -> TestZone {
        let sound = try TestZone(device: 1)
        for number in 0..<10 { try sound.writeFact("fact \(number)") }
        try sound.zone.commit()
        let size = Int(try sound.database.prepare("PRAGMA page_size").number())
        let schema = try sound.database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'record'")
        let start = (Int(try schema.number()) - 1) * size
        var image = try sound.database.snapshot()
        // A leaf; rows that are added lie below those before them.
        #expect(image[start] == 13)
        let places = (0..<whole).map { row in
            let at = start + 8 + 2 * row
            return start + Int(image[at]) << 8 + Int(image[at + 1])
        }
        for at in start + 512..<(places.min() ?? start + size) { image[at] = 0 }
        return try TestZone(device: 1, database: Database(snapshot: image), life: 1)
    }

    @Test("A scrub drops none of its rows: the file is damaged", arguments: [0, 5])
    func scrubbed(whole: Int) throws {
        let error = #expect(throws: DatabaseError.self) {
            let zone = try torn(whole).zone
            var cursor = ZoneStore.ScrubCursor()
            while try zone.store.scrub(&cursor) { try zone.commit() }
        }
        #expect(error?.isCorrupt == true)
    }
}
