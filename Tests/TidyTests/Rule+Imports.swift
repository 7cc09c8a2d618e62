extension Rule {
    /// Modules that hold protocol and state only. Foundation would bring clocks, threads and 40 MB with it.
    static let pure: Set<String> = [
        "NodeCore", "Ledger", "SyncState", "Chat", "LeaderboardShare", "Gossip", "Transport", "Simulator",
    ]

    /// Modules that apps link on systems where Foundation is heavy, and the node with everything that talks to it.
    static let light: Set<String> = [
        "JSONLines", "NodeModel", "KaChatClient", "KaChatNode", "Node", "Commands", "LocalAPI", "CommandLine",
        "kachat-node",
    ]

    static let pureModules = Rule(name: "no Foundation") { file, _ in
        guard file.isSource, let target = file.target else { return [] }
        let pure = pure.union(light)
        return file.imports.compactMap { module, line in
            let reason: String? =
                switch module {
                case "FoundationEssentials", "Dispatch":
                    pure.contains(target) ? "\(target) is pure: no \(module)" : nil
                case _ where module.hasPrefix("Foundation"):
                    pure.contains(target)
                        ? "\(target) is pure: no \(module)"
                        : isFallback(file, line: line) ? nil : "FoundationEssentials only, never all of Foundation"
                default: nil
                }
            return reason.map { Violation(path: file.path, line: line, reason: $0) }
        }
    }

    /// Systems without FoundationEssentials use Foundation, after the `#else` of a check for it.
    private static func isFallback(_ file: SourceFile, line: Int) -> Bool {
        line >= 4 && file.code[line - 2] == "#else" && file.code[line - 4] == "#if canImport(FoundationEssentials)"
    }

    /// The modules of ours, and the C libraries, that each target may import. ARCHITECTURE.md has the drawing.
    static let arrows: [String: Set<String>] = [
        "CLinuxShim": [],
        "NodeCore": ["CSodium"],
        "Ledger": ["NodeCore"],
        "SyncState": ["NodeCore", "Ledger", "CSQLite", "CZstd"],
        "Chat": ["NodeCore", "Ledger", "SyncState", "CZstd"],
        "LeaderboardShare": ["NodeCore", "Ledger", "SyncState"],
        "Gossip": ["NodeCore", "Ledger", "SyncState"],
        "Transport": ["NodeCore", "CLinuxShim"],
        "JSONLines": [],
        "NodeModel": ["JSONLines"],
        "Node": stores.union(["Gossip", "Transport", "NodeModel", "JSONLines", "CLinuxShim"]),
        "Commands": stores.union(["Gossip", "Transport", "Node", "NodeModel", "JSONLines", "CLinuxShim", "CZlib"]),
        "CommandLine": [
            "NodeCore", "Transport", "Node", "Commands", "KaChatClient", "NodeModel", "JSONLines", "CLinuxShim",
        ],
        "KaChatClient": ["NodeModel", "JSONLines"],
        "KaChatNode": ["KaChatClient", "Node", "Commands", "LocalAPI"],
        "LocalAPI": ["NodeCore", "Node", "Commands", "Transport", "CMicrohttpd", "CMicrohttpdShim", "CLinuxShim"],
        "CMicrohttpdShim": ["CMicrohttpd"],
        "kachat-node": ["NodeCore", "Node", "Commands", "CommandLine", "LocalAPI", "CQREncode", "CDashboard"],

        "ChatTestKit": ["NodeCore", "Ledger", "SyncState", "Chat", "CSQLite"],
        "Simulator": stores.union(["Gossip", "Transport", "ChatTestKit", "CFaultVFS"]),
        "kachat-sim": ["Simulator", "Node", "Commands", "CommandLine"],
        "NodeBench": stores.union([
            "Gossip", "Transport", "Node", "NodeModel", "Commands", "JSONLines", "SampleData", "ProcessHarness",
            "ChatTestKit", "CSodium", "CLinuxShim", "CTrials",
        ]),
        "kachat-bench": ["NodeBench", "Node", "Commands", "CommandLine"],
        "SampleData": [],
        "VectorPages": ["NodeCore"],
        "ProcessHarness": [],
        "NodeDriver": ["ProcessHarness"],
        "demo": ["NodeDriver", "ProcessHarness", "SampleData"],
    ]

    private static let stores: Set<String> = ["NodeCore", "Ledger", "SyncState", "Chat", "LeaderboardShare"]

    private static let cModules: Set<String> = [
        "CSQLite", "CSodium", "CZlib", "CZstd", "CLinuxShim", "CMicrohttpd", "CMicrohttpdShim", "CQREncode",
        "CDashboard", "CFaultVFS", "CTrials",
    ]

    static let moduleArrows = Rule(name: "module arrows") { file, _ in
        guard file.isSource, file.isSwift, let target = file.target else { return [] }
        guard let allowed = arrows[target] else {
            return [Violation(path: file.path, line: 1, reason: "module \(target) is not in the drawing of modules")]
        }
        return file.imports.compactMap { module, line in
            let isOurs = arrows[module] != nil || cModules.contains(module)
            guard isOurs, !allowed.contains(module) else { return nil }
            return Violation(path: file.path, line: line, reason: "\(target) must not import \(module)")
        }
    }
}
