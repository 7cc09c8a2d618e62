extension Sample {
    private static func blankLines(_ count: Int) -> String {
        String(repeating: "\n", count: count - 1)
    }

    /// Samples that the rules must reject.
    static let bad: [Sample] = layout + imports + traps + seams + text

    private static let layout = [
        Sample(.lineLength, "let a = 1\n" + String(repeating: "é", count: 121), line: 2),
        Sample(.fileLength, blankLines(401), line: 401),
        Sample(.fileLength, blankLines(1_001), in: "Sources/Gossip/SessionMachine.swift", line: 1_001),
        Sample(.whitespace, "let a = 1\n\tlet b = 2", line: 2),
        Sample(.whitespace, "let a = 1 ", line: 1),
        Sample(.whitespace, "let a = 1¶", line: 1),
    ]

    private static let imports = [
        Sample(.pureModules, "import Foundation"),
        Sample(.pureModules, "import FoundationEssentials", in: "Sources/NodeCore/Bytes.swift"),
        Sample(.pureModules, "@preconcurrency package import struct Foundation.Date"),
        Sample(.pureModules, "import Dispatch", in: "Sources/Transport/Poller.swift"),
        Sample(.pureModules, "import Foundation", in: "Sources/kachat-node/main.swift"),
        Sample(
            .pureModules, "#if os(Linux)\n#else\nimport FoundationNetworking\n#endif", in: "Sources/demo/a.swift",
            line: 3),
        Sample(.moduleArrows, "import NodeCore", in: "Sources/SampleData/Chat.swift"),
        Sample(.moduleArrows, "import NodeCore\nimport Transport", line: 2),
        Sample(.moduleArrows, "package import SyncState", in: "Sources/NodeCore/Bytes.swift"),
        Sample(.moduleArrows, "import CSQLite", in: "Sources/kachat-node/main.swift"),
        Sample(.moduleArrows, "let a = 1", in: "Sources/Unheard/a.swift"),
    ]

    private static let traps = [
        Sample(.traps, "let a = try! read()"),
        Sample(.traps, "let a = b as! Int"),
        Sample(.traps, "let a = 1\nfatalError()", line: 2),
        Sample(.traps, "\"\\(try! read())\""),
        Sample(.forceUnwraps, "let a = b!"),
        Sample(.forceUnwraps, "let a = b[0]!.c"),
        Sample(.forceUnwraps, "var a: Int!"),
        Sample(.forceUnwraps, "let a = \"\\(b.first!)\""),
        Sample(.forceUnwraps, "// it is never nil\nlet a = b!", line: 2),
        Sample(.forceUnwraps, "// invariant: of another line\n\nlet a = b!", line: 3),
    ]

    private static let seams = [
        Sample(.clocks, "clock_gettime(CLOCK_MONOTONIC, &now)"),
        Sample(.clocks, "let now = Date()", in: "Sources/kachat-node/main.swift"),
        Sample(.clocks, "let now = ContinuousClock.now"),
        Sample(.randomness, "let a = Int.random(in: 0..<9)"),
        Sample(.randomness, "peers.shuffle()"),
        Sample(.randomness, "var source = SystemRandomNumberGenerator()"),
        Sample(.prints, "print(\"hello\")"),
        Sample(.prints, "Swift.print(a)"),
        Sample(.prints, "debugPrint(a)", in: "Sources/kachat-node/main.swift"),
    ]

    private static let text = [
        Sample(.openEnds, "// TODO: later"),
        Sample(.openEnds, "let a = 1  // FIXME this"),
        Sample(.openEnds, "/* XXX */"),
        Sample(.machinePaths, "let a = \"/" + "home/ada/chat.jsonl\""),
        Sample(.machinePaths, "// see /" + "Users/ada/notes"),
        Sample(.namedPages, "/// As the model wants it (DESIGN §5)."),
        Sample(.namedPages, "let a = 1\n// see STYLE.md.", line: 2),
        Sample(.namedPages, "// see PROTOCOL.md, which lies elsewhere"),
        Sample(.testMirrors, "import Testing", in: "Tests/GossipTests/BeaconTests.swift"),
        Sample(.testMirrors, "import Testing", in: "Tests/UnheardTests/BeaconTests.swift"),
    ]
}
