package import Chat
package import LeaderboardShare
package import NodeCore
package import NodeModel
import SyncState

/// The member's own results from a group that was left, kept as lines for `score import`.
package struct LeftScores {
    private let home: HomeFolder
    package let path: String

    /// - Parameter handle: the handle of the member's zone, since two accounts of one node may have been in the same
    ///   group.
    package init(home: HomeFolder, handle: PlaceID) {
        self.home = home
        path = home.leftScoresPath + "/" + String(handle.hex.prefix(16)) + Self.suffix
    }

    /// The kept results of a group that an account left: one file for each member that the account was there, latest
    /// first.
    package static func all(of membership: GroupMembership, in home: HomeFolder) -> [LeftScores] {
        ([membership.member] + membership.former).map { member in
            LeftScores(home: home, handle: GroupZone.handle(group: membership.group, member: member.id))
        }.filter { Files.exists($0.path) }
    }

    private static let suffix = ".jsonl"

    /// The names of all files of kept results in a home.
    package static func files(_ home: HomeFolder) -> [String] {
        Files.names(in: home.leftScoresPath).filter { isFile($0) }.sorted()
    }

    /// True for the name of such a file; no other name is accepted.
    package static func isFile(_ name: String) -> Bool { HomeFolder.isHex(name, suffix: suffix) }

    /// Merges a member's results with those kept earlier; the later revision of a result wins. Durable when it returns.
    package func write(_ group: NodeGroup) throws {
        var results: [String: Score] = [:]
        let own = try OwnResults(of: group.zone).all.filter { !$0.score.isRemoved }
        for line in (lines() ?? []) + own.map({ Score($0.score) }) {
            guard let id = line.scoreId else { continue }
            if results[id]?.revision ?? 0 <= line.revision ?? 0 { results[id] = line }
        }
        var bytes: [UInt8] = []
        for (_, line) in results.sorted(by: { $0.key < $1.key }) {
            line.json.write(into: &bytes)
            bytes.append(UInt8(ascii: "\n"))
        }
        guard !bytes.isEmpty else { return }
        try Files.makeFolders(home.leftScoresPath)
        try Files.replace(path, with: bytes)
    }

    /// Nil if nothing was kept.
    package func lines() -> [Score]? {
        guard let text = try? Files.readText(path, limit: Limits.leftScoresBytes) else { return nil }
        return text.split(separator: "\n").compactMap { try? Score(json: $0.utf8) }
    }
}

extension Score {
    /// The model that `score list` returns and `score import` reads.
    package init(_ score: DailyScore) {
        self.init()
        scoreId = score.id
        userId = score.member.hex
        dateInt = score.day.dateInt
        gameId = score.game.uuid
        gameName = score.gameName
        self.score = score.score.map { Int($0) }
        maxAttempts = Int(score.maxAttempts)
        completed = score.isCompleted
        currentStreak = score.currentStreak.map { Int($0) }
        updatedAt = Int(score.updatedAt.milliseconds)
        revision = Int(score.revision)
    }
}
