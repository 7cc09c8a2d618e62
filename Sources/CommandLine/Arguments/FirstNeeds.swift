/// The commands that a person needs first. `help` shows these, `help --all` every one.
enum FirstNeeds {
    static let groups: [(title: String, commands: [String])] = [
        ("start", ["setup", "account pair", "run"]),
        ("see how it is", ["status", "doctor", "dashboard"]),
        ("messages", ["conversation list", "message list", "message search", "import"]),
        ("leaderboards", ["group create", "group join", "score post", "leaderboard"]),
        ("be safe", ["backup", "restore", "device remove"]),
    ]

    /// For words that people try and no command has.
    private static let synonyms = [
        "send": ["message add"], "write": ["message add"], "chat": ["message list"], "chats": ["conversation list"],
        "start": ["run"], "serve": ["run"], "daemon": ["run"], "login": ["setup"], "new": ["setup"],
        "find": ["message search"], "ls": ["conversation list", "device list"], "board": ["leaderboard"],
        "lost": ["device remove"], "log": ["notices"], "notifications": ["notices"], "ui": ["dashboard"],
        "web": ["dashboard"],
    ]

    /// What was probably meant by a first word that no command has, at most four of the commands.
    static func meant(by word: String, in commands: [[String]]) -> [String] {
        let word = word.lowercased()
        let first = groups.flatMap(\.commands)
        func sorted(_ paths: [[String]]) -> [String] {
            let names = paths.map { $0.joined(separator: " ") }
            return first.filter(names.contains) + names.filter { !first.contains($0) }
        }
        let seconds = sorted(commands.filter { $0.count == 2 && $0[1] == word })
        if !seconds.isEmpty { return Array(seconds.prefix(4)) }
        if let known = synonyms[word] { return known }
        return []
    }
}
