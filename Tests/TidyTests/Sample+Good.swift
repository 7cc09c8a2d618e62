extension Sample {
    /// Samples that look like violations and are none.
    static let good: [Sample] = [
        accepted(.lineLength, String(repeating: "é", count: 120)),
        accepted(.fileLength, String(repeating: "\n", count: 399)),
        accepted(.fileLength, String(repeating: "\n", count: 999), in: "Sources/Gossip/SessionMachine.swift"),
        accepted(.whitespace, "let a = 1\n\n    let b = 2"),

        accepted(.pureModules, "// import Foundation\nimport NodeCore"),
        accepted(.pureModules, "import FoundationEssentials", in: "Tools/NodeDriver/JSON.swift"),
        accepted(
            .pureModules,
            "#if canImport(FoundationEssentials)\nimport FoundationEssentials\n#else\nimport Foundation\n#endif",
            in: "Tools/NodeDriver/JSON.swift"),
        accepted(.pureModules, "import Foundation", in: "Tests/GossipTests/TrickleTests.swift"),
        accepted(.moduleArrows, "import Glibc\nimport NodeCore\npackage import SyncState"),
        accepted(.moduleArrows, "let a = \"import Transport\""),

        accepted(.traps, "let a = try read() // never try! here"),
        accepted(.traps, "let a = \"fatalError\""),
        accepted(.traps, "let a = retry"),
        accepted(.traps, "notFatalErrors()"),
        accepted(.forceUnwraps, "let a = !b && b != c && d !== e"),
        accepted(.forceUnwraps, "let a = \"Hello!\" + #\"\\(b!)\"#"),
        accepted(.forceUnwraps, "let a = \"\"\"\n    say \"no!\" \\\"x!\n    \"\"\""),
        accepted(.forceUnwraps, "let a = b!  // invariant: set in init"),
        accepted(.forceUnwraps, "// invariant: set in init,\n// and never taken away\nlet a = b!"),
        accepted(.forceUnwraps, "let a = b!", in: "Tests/GossipTests/TrickleTests.swift"),
        accepted(.forceUnwraps, "#if !os(Linux)\n#endif"),
        accepted(.forceUnwraps, "/* a! /* b! */ c! */ let d = 1"),

        accepted(.clocks, "let updated = Candidate()  // not a Date()"),
        accepted(.clocks, "clock_gettime(CLOCK_MONOTONIC, &now)", in: "Sources/NodeCore/Time/Clock.swift"),
        accepted(.randomness, "let a = Int.random(in: 0..<9, using: &random)"),
        accepted(.randomness, "let a = Int.random(\n    in: 0..<9, using: &random)"),
        accepted(.randomness, "let a = Int.random(in: 0..<9)", in: "Sources/demo/Run.swift"),
        accepted(.prints, "// print(a)\nlog.sprint(a)\nlog.print(a)\nfunc print(a: Int) {}"),
        accepted(.prints, "print(a)", in: "Sources/kachat-node/Output.swift"),

        accepted(.openEnds, "// TODO(#12): later"),
        accepted(.openEnds, "let a = \"TODO\""),
        accepted(.machinePaths, "let a = folder + \"/data/\" // Tests/home/x"),
        accepted(.namedPages, "/// docs/PROTOCOL.md, §5; and HANDBOOK.md."),
        accepted(.namedPages, "let a = \"DESIGN.md\""),
        accepted(.testMirrors, "import Testing", in: "Tests/GossipTests/TrickleVectorTests.swift"),
        accepted(.testMirrors, "import Testing", in: "Tests/GossipTests/Fixtures.swift"),
        accepted(.testMirrors, "import Testing", in: "Tests/TidyTests/Anything.swift"),
    ]
}
