import JSONLines
import NodeModel
import Testing

@testable import Chat
@testable import Commands

/// Apps write tiers, dates and pairs in several ways, which all mean the same.
@Suite struct AchievementTests {
    private func read(requirements: String, progress: String) throws -> Chat.Achievement {
        let text = """
            {"id":"5d0c8a52-8a4f-4f0e-9d52-0000000000aa","category":"streaks","requirements":\(requirements),
             "progress":{"currentValue":31,"lastUpdated":1750000000000,\(progress)}}
            """
        return try Chat.Achievement(try GivenAchievement(json: Array(text.utf8)))
    }

    @Test(arguments: [
        (#"[{"tier":"gold","threshold":30}]"#, #"{"gold":"2025-01-31T12:00:00Z"}"#),
        (#"[["Gold",30]]"#, #"[{"tier":3,"date":1738324800000}]"#),
        (#"[{"tier":"3","threshold":30}]"#, #"["gold",1738324800000,3,"2025-02-01T00:00:00Z"]"#),
    ])
    func allFormsMeanTheSame(requirements: String, unlocks: String) throws {
        let read = try read(requirements: requirements, progress: #""currentTier":3,"tierUnlockDates":\#(unlocks)"#)
        let written = NodeModel.Achievement(read)
        #expect(written.requirements.map(\.tier) == ["gold"] && written.requirements.map(\.threshold) == [30])
        #expect(written.progress.tierUnlockDates == ["gold": "2025-01-31T12:00:00.000Z"])
        #expect(written.currentTier == "gold" && written.currentValue == 31)
        let again = try Chat.Achievement(try GivenAchievement(json: written.json))
        #expect(again == read)
    }

    @Test(arguments: [
        (#"[]"#, #""currentTier":"tin""#, "progress.currentTier"),
        (#"[{"tier":0,"threshold":3}]"#, #""a":0"#, "requirements"),
        (#"[{"tier":"gold"}]"#, #""a":0"#, "requirements[0].threshold"), (#"["gold"]"#, #""a":0"#, "requirements[0]"),
        (#"[]"#, #""tierUnlockDates":["gold"]"#, "progress.tierUnlockDates"),
        (#"[]"#, #""tierUnlockDates":{"gold":"soon"}"#, "progress.tierUnlockDates"),
    ])
    func whatIsWrongIsNamed(requirements: String, progress: String, field: String) throws {
        let error = #expect(throws: FieldError.self) { try read(requirements: requirements, progress: progress) }
        #expect(error?.field == field)
    }
}
