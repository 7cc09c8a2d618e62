import LeaderboardShare
import NodeCore
import SyncState

/// What stays of a group that was left: the member's own results, as lines that `score import` takes.
struct LeftScores {
    private let folder: String
    let path: String

    init(home: HomeFolder, group: ZoneID) {
        folder = home.path + "/left"
        path = folder + "/" + String(group.hex.prefix(16)) + ".jsonl"
    }

    /// Durable when it returns.
    func write(_ group: NodeGroup) throws {
        var bytes: [UInt8] = []
        for stored in try group.zone.results(of: group.zone.member) where !stored.score.isRemoved {
            ScoreLine(stored.score).json.write(into: &bytes)
            bytes.append(UInt8(ascii: "\n"))
        }
        guard !bytes.isEmpty else { return }
        try Files.makeFolders(folder)
        try Files.replace(path, with: bytes)
    }

    /// Nil where nothing was left behind.
    func lines() -> [JSONValue]? {
        guard let text = try? Files.readText(path, limit: Limits.leftScoresBytes) else { return nil }
        return text.split(separator: "\n").compactMap { JSONValue(json: Array($0.utf8)) }
    }
}
