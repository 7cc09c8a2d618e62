import Testing

/// The pages for app developers show Swift that is built and run: they quote the examples word for word.
@Suite struct PageTests {
    static let pages = ["docs/CHAT-APP.md", "docs/SCORE-APP.md", "docs/IOS.md"]
    private let tree = SourceTree.package
    private var examples: [SourceFile] { tree.files.filter { $0.path.hasPrefix("Examples/") } }

    @Test(arguments: pages + ["docs/FROM-CLOUDKIT.md"]) func itsSwiftStandsInTheExamples(path: String) throws {
        let blocks = Page(try #require(SourceTree.text(of: path))).swiftBlocks
        #expect(blocks.count >= 3)
        for block in blocks {
            #expect(
                examples.contains { $0.holds(block) }, "\(path): not in Examples:\n\(block.joined(separator: "\n"))")
        }
    }

    /// A reader who pastes a line has the programs it names.
    @Test(arguments: pages + ["docs/API.md", "docs/FROM-CLOUDKIT.md"]) func itsLinesNeedNoProgramThatNothingInstalls(
        path: String
    ) throws {
        let text = try #require(SourceTree.text(of: path))
        #expect(!text.contains("jq "))
    }

    @Test(arguments: pages) func itsTablesNameCallsThatThereAre(path: String) throws {
        let calls = Page(try #require(SourceTree.text(of: path))).calls
        #expect(!calls.isEmpty)
        let library = tree.files.filter { $0.target == "KaChatClient" || $0.target == "KaChatNode" }
        for call in calls {
            #expect(library.contains { $0.mentions(["func \(call)("]) }, "\(path): there is no \(call)()")
        }
    }

    @Test func contributingNamesFilesAndTypesThatThereAre() throws {
        let names = Page(try #require(SourceTree.text(of: "CONTRIBUTING.md"))).names
        #expect(names.count > 40)
        for name in names {
            let isThere =
                SourceTree.exists(name) || tree.files.contains { $0.path.contains(name) || $0.mentions([name]) }
            #expect(isThere, "CONTRIBUTING.md: there is no \(name)")
        }
    }

    @Test func whatDiffersIsSeen() {
        let file = SourceFile(
            path: "Examples/x.swift", text: "func f() {\n    let a = 1\n\n    if a > 0 {\n        g()\n")
        #expect(file.holds(["let a = 1", "", "if a > 0 {", "    g()"]))
        #expect(!file.holds(["let a = 2"]))
        #expect(!file.holds(["let a = 1", "if a > 0 {"]))
        #expect(!file.holds(["if a > 0 {", "g()"]))
        let page = Page("`no()`\n| x | `yes(_:at:)`, `.tryAgain` |\n```swift\nlet a = 1\n```\n```sh\nls\n```\n")
        #expect(page.swiftBlocks == [["let a = 1"]])
        #expect(page.calls == ["yes"])
        #expect(
            Page("`Sources/Chat`, `LimitsOf.swift`: `done`, `MAX`, `run X`").names == [
                "Sources/Chat", "LimitsOf.swift",
            ])
    }
}

/// A page of Markdown, as far as the tests need it.
private struct Page {
    private let lines: [String]

    init(_ text: String) { lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

    /// The lines between ```` ```swift ```` and ```` ``` ````.
    var swiftBlocks: [[String]] {
        var blocks: [[String]] = []
        var isInside = false
        for line in lines {
            if line == "```swift" {
                isInside = true
                blocks.append([])
            } else if line.hasPrefix("```") {
                isInside = false
            } else if isInside {
                blocks[blocks.count - 1].append(line)
            }
        }
        return blocks
    }

    /// The files, folders and types in backticks.
    var names: [String] {
        lines.flatMap { line in
            line.matches(of: /`([A-Z][A-Z0-9]*[a-z][A-Za-z0-9.\/+-]*)`/).map { String($0.output.1) }
        }
    }

    /// The functions that the second cell of a table's row names.
    var calls: [String] {
        lines.filter { $0.hasPrefix("|") }.flatMap { line in
            let cell = line.split(separator: "|").dropFirst().first ?? ""
            return cell.matches(of: /`(?:node\.)?([a-z][A-Za-z]*)\(/).map { String($0.output.1) }
        }
    }
}

extension SourceFile {
    /// Whether the lines occur in it consecutively, all with the same extra indentation.
    fileprivate func holds(_ block: [String]) -> Bool {
        guard let first = block.first, lines.count >= block.count, mentions([first]) else { return false }
        return (0...(lines.count - block.count)).contains { start in
            guard lines[start].hasSuffix(first) else { return false }
            let indent = lines[start].dropLast(first.count)
            return indent.allSatisfy { $0 == " " }
                && zip(lines[start...], block).allSatisfy { $0 == ($1.isEmpty ? "" : indent + $1) }
        }
    }
}
