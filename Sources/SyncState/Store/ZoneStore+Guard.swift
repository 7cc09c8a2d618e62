package import NodeCore

/// Detects a store that was restored from an older copy, or copied (docs/STORAGE.md, §6).
///
/// Beside the database is a file with a random token, new at each start, and the database's place. If the store has a
/// token that the file does not know, or is at another place, this node runs on a copy.
extension ZoneStore {
    /// Compares the store with its guard, and starts afresh if they do not match.
    ///
    /// The shell makes the returned bytes durable as the guard, and only then commits: after a crash between the two,
    /// the guard knows both tokens.
    ///
    /// - Parameters:
    ///   - guardFile: the content of the file beside the database; nil if there is none.
    ///   - place: identifies where the database lies, such as by the machine's id and the inode.
    ///   - token: random.
    package func checkGuard(_ guardFile: [UInt8]?, place: [UInt8], token: Bytes16) throws -> [UInt8] {
        var known = [token]
        if let old = try guardToken {
            known.append(old)
            if try !fits(guardFile, place: place) { try startAfresh(.guardMismatch) }
        }
        try put(setting: "guard", token.bytes)
        return StoreGuard(place: Self.hash(ofPlace: place), tokens: known).encoded
    }

    /// Whether this store matches its guard, so that it may be read and served before a new token is written.
    package func fits(_ guardFile: [UInt8]?, place: [UInt8]) throws -> Bool {
        guard let token = try guardToken, let file = guardFile.flatMap({ try? StoreGuard(encoded: $0) }) else {
            return false
        }
        return file.place == Self.hash(ofPlace: place) && file.tokens.contains(token)
    }

    private var guardToken: Bytes16? {
        get throws {
            guard let stored = try setting("guard") else { return nil }
            guard let token = Bytes16(bytes: stored) else { throw StoreError.damaged("the guard's token") }
            return token
        }
    }

    private static func hash(ofPlace place: [UInt8]) -> Bytes16 { Blake2b.hash16(place, domain: "kachat guard") }
}

/// The content of a guard file: `[place, token, token?]`, each of 16 bytes.
struct StoreGuard {
    let place: Bytes16
    let tokens: [Bytes16]

    init(place: Bytes16, tokens: [Bytes16]) {
        (self.place, self.tokens) = (place, tokens)
    }

    var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.write(all: [place] + tokens)
        return writer.bytes
    }

    init(encoded: [UInt8]) throws(CBORError) {
        var reader = CBORReader(encoded)
        let count = try reader.readArray(max: 3)
        place = try reader.read(Bytes16.self)
        var tokens: [Bytes16] = []
        for _ in 1..<max(count, 1) { tokens.append(try reader.read(Bytes16.self)) }
        self.tokens = tokens
        try reader.finish()
    }
}

/// Starting afresh in a new lane (docs/PROTOCOL.md, §10).
extension ZoneStore {
    /// Part of every commit that may have changed our lane or lost a register: starts afresh if this device's lane was
    /// forked, then lets values follow from the registers that are held.
    func settle() throws {
        mustSettle = false
        let own = self.own
        if own.isForked || own.highest > own.reached { try startAfresh(.forked) }
        try content.settleValues()
        mustSettle = false
    }

    /// Takes a new device key, which the old one lets in, and rewrites the live registers there.
    package func startAfresh(_ reason: FreshStart.Reason) throws {
        try begin()
        let oldKeys = device
        let old = device.lane
        let tag = Self.newTag(&random)
        try put(setting: "device", tag.bytes)
        device = DeviceKeys(deviceSecret: deviceSecret, tag: tag)
        _ = try laneNumber(of: device.lane)
        segmentTags = SegmentTags()
        freshStarts.append(FreshStart(old: old, new: device.lane, reason: reason))
        try content.entered(after: oldKeys)
        try content.republish(from: old)
        mustSettle = true
    }
}
