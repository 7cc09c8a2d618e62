import ProcessHarness
import Testing

/// The worked examples are readable with docs/PROTOCOL.md alone: scripts that know no line of this program read them.
@Suite(.timeLimit(.minutes(30))) struct ScriptTests {
    static let hasPython = (try? Command("python3", ["-c", "pass"]).run().status.isSuccess) == true
    static let hasGit = (try? Command("git", ["--version"]).run().status.isSuccess) == true
    private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    private static let folder = root + "/Scripts"

    @Test(.enabled(if: hasPython, "needs python3"), arguments: ["check-vectors.py", "check-groups.py"])
    func theExamplesAreWhatThePageSays(script: String) throws {
        let result = try Command("python3", ["-B", "\(Self.folder)/\(script)"]).run()
        #expect(result.status.isSuccess, "\(result.errorOutput)")
        #expect(result.output.contains("are what docs/PROTOCOL.md says"))
    }

    /// `make mutants` checks whether each is noticed.
    @Test(.enabled(if: hasGit, "needs git"))
    func thePlantedBugsApply() throws {
        let patches = FileTree.names(in: Self.root + "/Tests/Mutants").map { "Tests/Mutants/\($0)" }
        #expect(patches.count >= 40)
        for path in patches {
            let text = String(decoding: try #require(FileTree.read("\(Self.root)/\(path)")), as: UTF8.self)
            let head = text.split(separator: "\n").prefix(3)
            #expect(zip(["Rule: ", "Test: ", "Seeds: "], head).allSatisfy { $1.hasPrefix($0) }, "\(path)")
            var command = Command("git", ["-C", Self.root, "apply", "--check", path])
            // The sources may be in a repository or not.
            command.environment = ["GIT_DIR": "/nonexistent"]
            #expect(try command.run().status.isSuccess, "\(path) does not apply to the code as it is")
        }
    }

    @Test(.enabled(if: hasPython, "needs python3"))
    func theHouseIsInOrder() throws {
        let result = try Command("python3", ["-B", "\(Self.folder)/check-rooms.py"]).run()
        #expect(result.status.isSuccess, "\(result.output)\(result.errorOutput)")
    }

    /// The page on the client's types matches the sources, and a change of them is noticed.
    @Test(.enabled(if: hasPython, "needs python3"))
    func theClientsPageIsMadeOfTheSources() throws {
        let script = "\(Self.folder)/client-reference.py"
        let result = try Command("python3", ["-B", script, "--check"]).run()
        #expect(result.status.isSuccess, "\(result.output)\(result.errorOutput)")
        let house = try TemporaryFolder()
        for folder in ["Sources/KaChatClient", "docs"] { _ = try Command("mkdir", ["-p", house.file(folder)]).run() }
        let declared = "/// One thing.\npublic struct Thing {\n    /// In metres.\n    public var size = 0\n"
        try FileTree.write(Array((declared + "}\n").utf8), to: house.file("Sources/KaChatClient/Thing.swift"))
        #expect(try Command("python3", ["-B", script, house.path]).run().status.isSuccess)
        let page = String(decoding: try #require(FileTree.read(house.file("docs/CLIENT.md"))), as: UTF8.self)
        #expect(page.contains("## `Thing`\n\nOne thing.\n\n- `var size: Int`: In metres.\n"))
        #expect(try Command("python3", ["-B", script, "--check", house.path]).run().status.isSuccess)
        let more = declared + "    public func grow(\n        by share: Double\n    ) {}\n}\n"
        try FileTree.write(Array(more.utf8), to: house.file("Sources/KaChatClient/Thing.swift"))
        let changed = try Command("python3", ["-B", script, "--check", house.path]).run()
        #expect(!changed.status.isSuccess && changed.output.contains("func grow(by share: Double)"))
    }

    /// Two folders that name each other, a folder and a file beside it that do, two folders of which one names a member
    /// that the other adds to a type, and a type of 41 methods in two files: all are found.
    @Test(.enabled(if: hasPython, "needs python3"))
    func aCircleAndALargeTypeAreSeen() throws {
        let house = try TemporaryFolder()
        func write(_ path: String, _ text: String) throws {
            _ = try Command("mkdir", ["-p", house.file("Sources/Room/" + path.prefix { $0 != "/" })]).run()
            try FileTree.write(Array(text.utf8), to: house.file("Sources/Room/" + path))
        }
        let methods = (0..<41).map { "    func method\($0)() {}" }
        try write(
            "One/A.swift", "struct A {\n    let b: (B, Base)\n" + methods[..<20].joined(separator: "\n") + "\n}\n")
        try write(
            "Two/B.swift",
            "struct B { let face: Face }\nextension A {\n" + methods[20...].joined(separator: "\n") + "\n}\n")
        try write("Three/C.swift", "struct C { let d = D.made }\n")
        try write("Four/D.swift", "struct D {}\n")
        try write("Five/D+Made.swift", "extension D {\n    static let made = C()\n}\n")
        // Each folder may name the file below them, and the file above them each folder.
        for (name, member) in [("Face", "let b: B"), ("Base", ""), ("Top", "let a: A")] {
            try FileTree.write(Array("struct \(name) { \(member) }".utf8), to: house.file("Sources/Room/\(name).swift"))
        }
        let result = try Command("python3", ["-B", "\(Self.folder)/check-rooms.py", house.path]).run()
        #expect(!result.status.isSuccess)
        #expect(result.output.contains("circle of folders: One -> Two: One/A.swift names B"))
        #expect(result.output.contains("circle of folders: Face.swift -> Two: Face.swift names B"))
        #expect(result.output.contains("circle of folders: Three -> Five: Three/C.swift names D.made"))
        #expect(!result.output.contains("Base") && !result.output.contains("Top"))
        #expect(result.output.contains("Room.A has 41 methods and 1 stored members"))
    }
}
