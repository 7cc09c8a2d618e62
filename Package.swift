// swift-tools-version: 6.3
import PackageDescription

/// The settings under which every Swift target of the package compiles (docs/TESTING.md says why each is on).
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// What reads bytes from outside.
let doors: [Target.Dependency] = [
    "NodeCore", "Ledger", "SyncState", "Chat", "LeaderboardShare", "Gossip", "Transport", "JSONLines", "NodeModel",
    "Node",
    "Commands", "ChatTestKit",
]

let package = Package(
    name: "kachat-node",
    // What `Synchronization` needs, for the client library; the node itself runs on Linux.
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .executable(name: "kachat-node", targets: ["kachat-node"]),
        .library(name: "Node", targets: ["Node"]),
        .library(name: "KaChatClient", targets: ["KaChatClient"]),
        .library(name: "KaChatNode", targets: ["KaChatNode"]),
    ],
    targets: [
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(
            name: "CSodium", pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
        .systemLibrary(
            name: "CZstd", pkgConfig: "libzstd",
            providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
        .systemLibrary(
            name: "CMicrohttpd", pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
        .systemLibrary(
            name: "CQREncode", pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]),
        .systemLibrary(
            name: "CZlib", pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .target(name: "CLinuxShim"),
        .target(name: "CMicrohttpdShim", dependencies: ["CMicrohttpd"]),
        .target(name: "CDashboard", exclude: ["Files"]),

        .target(name: "NodeCore", dependencies: ["CSodium"], swiftSettings: strict),
        .target(name: "Ledger", dependencies: ["NodeCore"], swiftSettings: strict),
        .target(name: "SyncState", dependencies: ["NodeCore", "Ledger", "CSQLite", "CZstd"], swiftSettings: strict),
        .target(name: "Chat", dependencies: ["NodeCore", "Ledger", "SyncState", "CZstd"], swiftSettings: strict),
        .target(name: "LeaderboardShare", dependencies: ["NodeCore", "Ledger", "SyncState"], swiftSettings: strict),
        .target(name: "Gossip", dependencies: ["NodeCore", "Ledger", "SyncState"], swiftSettings: strict),
        .target(name: "Transport", dependencies: ["NodeCore", "CLinuxShim"], swiftSettings: strict),
        .target(name: "JSONLines", swiftSettings: strict),
        .target(name: "NodeModel", dependencies: ["JSONLines"], swiftSettings: strict),
        .target(
            name: "Node",
            dependencies: [
                "NodeCore", "Ledger", "SyncState", "Chat", "LeaderboardShare", "Gossip", "Transport", "JSONLines",
                "NodeModel", "CLinuxShim",
            ],
            swiftSettings: strict),
        .target(
            name: "Commands",
            dependencies: [
                "NodeCore", "Ledger", "SyncState", "Chat", "LeaderboardShare", "Gossip", "Transport", "Node",
                "NodeModel",
                "JSONLines",
                "CLinuxShim", "CZlib",
            ],
            swiftSettings: strict),
        .target(
            name: "CommandLine",
            dependencies: [
                "NodeCore", "Transport", "Node", "Commands", "KaChatClient", "NodeModel", "JSONLines", "CLinuxShim",
            ],
            swiftSettings: strict),
        .target(name: "KaChatClient", dependencies: ["NodeModel", "JSONLines"], swiftSettings: strict),
        .target(
            name: "KaChatNode",
            dependencies: [
                "KaChatClient", "Node", "Commands",
                .target(name: "LocalAPI", condition: .when(platforms: [.linux, .macOS])),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "chat-example", dependencies: ["KaChatClient"], path: "Examples/chat-example", swiftSettings: strict),
        .executableTarget(
            name: "score-example", dependencies: ["KaChatClient"], path: "Examples/score-example", swiftSettings: strict
        ),
        .executableTarget(
            name: "observable-example", dependencies: ["KaChatClient"], path: "Examples/observable-example",
            swiftSettings: strict),
        .executableTarget(
            name: "cloudkit-example", dependencies: ["KaChatClient"], path: "Examples/cloudkit-example",
            swiftSettings: strict),
        .executableTarget(
            name: "embedded-example", dependencies: ["KaChatClient", "KaChatNode"], path: "Examples/embedded-example",
            swiftSettings: strict),
        .target(
            name: "LocalAPI",
            dependencies: [
                "NodeCore", "Node", "Commands", "Transport", "CMicrohttpd", "CMicrohttpdShim", "CLinuxShim",
            ],
            swiftSettings: strict),
        .target(name: "CTrials", path: "Tools/CTrials"),
        .target(name: "CFaultVFS", dependencies: ["CSQLite"], path: "Tools/CFaultVFS"),
        .target(
            name: "Simulator",
            dependencies: [
                "NodeCore", "Ledger", "SyncState", "Chat", "LeaderboardShare", "Gossip", "Transport", "ChatTestKit",
                "CFaultVFS",
            ],
            path: "Tools/Simulator", swiftSettings: strict),
        .target(name: "SampleData", path: "Tools/SampleData", swiftSettings: strict),
        .target(name: "VectorPages", dependencies: ["NodeCore"], path: "Tools/VectorPages", swiftSettings: strict),
        .target(
            name: "NodeBench",
            dependencies: [
                "Ledger",
                "NodeCore", "SyncState", "Chat", "LeaderboardShare", "Transport", "Gossip", "Node", "Commands",
                "SampleData", "ChatTestKit",
                "ProcessHarness",
                "CSodium", "CLinuxShim", "CTrials",
            ], path: "Tools/NodeBench", swiftSettings: strict),
        .target(name: "ProcessHarness", path: "Tools/ProcessHarness", swiftSettings: strict),
        .target(name: "NodeDriver", dependencies: ["ProcessHarness"], path: "Tools/NodeDriver", swiftSettings: strict),
        .executableTarget(
            name: "demo", dependencies: ["NodeDriver", "ProcessHarness", "SampleData"], path: "Tools/demo",
            swiftSettings: strict),
        .executableTarget(
            name: "kachat-sim", dependencies: ["Simulator", "Node", "Commands", "CommandLine"],
            path: "Tools/kachat-sim",
            swiftSettings: strict),
        .executableTarget(
            name: "kachat-bench", dependencies: ["NodeBench", "Node", "CommandLine"], path: "Tools/kachat-bench",
            swiftSettings: strict),
        .executableTarget(
            name: "kachat-node",
            dependencies: [
                "NodeCore", "Node", "Commands", "CommandLine", "LocalAPI", "CQREncode", "CDashboard",
            ],
            swiftSettings: strict),

        .target(name: "TestScale", dependencies: ["NodeCore"], path: "Tests/TestScale", swiftSettings: strict),
        .testTarget(
            name: "NodeCoreTests", dependencies: ["NodeCore", "TestScale"], resources: [.copy("Vectors")],
            swiftSettings: strict),
        .testTarget(
            name: "LedgerTests", dependencies: ["Ledger", "NodeCore", "TestScale", "JSONLines", "ProcessHarness"],
            swiftSettings: strict),
        .target(
            name: "ChatTestKit", dependencies: ["Chat", "Ledger", "SyncState", "NodeCore", "CSQLite"],
            path: "Tools/ChatTestKit",
            swiftSettings: strict),
        .testTarget(
            name: "SyncStateTests",
            dependencies: ["Ledger", "SyncState", "Chat", "ChatTestKit", "NodeCore", "ProcessHarness", "TestScale"],
            swiftSettings: strict),
        .testTarget(
            name: "ChatTests", dependencies: ["Ledger", "Chat", "SyncState", "ChatTestKit", "NodeCore", "TestScale"],
            swiftSettings: strict),
        .testTarget(
            name: "LeaderboardShareTests",
            dependencies: [
                "LeaderboardShare", "Ledger", "SyncState", "ChatTestKit", "Gossip", "NodeCore", "VectorPages",
                "TestScale",
            ],
            resources: [.copy("Vectors")], swiftSettings: strict),
        .testTarget(
            name: "GossipTests",
            dependencies: [
                "Ledger", "Gossip", "Chat", "ChatTestKit", "SyncState", "NodeCore", "VectorPages", "TestScale",
            ],
            exclude: ["Vectors"],
            swiftSettings: strict),
        .testTarget(
            name: "TransportTests",
            dependencies: [
                "Transport", "NodeCore", "CLinuxShim", "CTrials", "ProcessHarness", "VectorPages", "TestScale",
            ],
            resources: [.copy("Vectors")], swiftSettings: strict),
        .testTarget(name: "JSONLinesTests", dependencies: ["JSONLines"], swiftSettings: strict),
        .testTarget(name: "NodeModelTests", dependencies: ["NodeModel", "JSONLines"], swiftSettings: strict),
        .testTarget(
            name: "KaChatClientTests", dependencies: ["KaChatClient", "NodeModel", "JSONLines"], swiftSettings: strict),
        .testTarget(
            name: "NodeTests",
            dependencies: [
                "Node", "NodeModel", "Chat", "ChatTestKit", "Ledger", "LeaderboardShare", "SyncState", "Gossip",
                "Transport",
                "NodeCore", "ProcessHarness", "TestScale",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CommandsTests",
            dependencies: [
                "Commands", "Node", "NodeModel", "Chat", "SyncState", "Gossip", "Transport", "NodeCore",
                "ChatTestKit", "ProcessHarness", "TestScale",
            ], swiftSettings: strict),
        .testTarget(
            name: "CommandLineTests",
            dependencies: ["CommandLine", "Commands", "Node", "NodeModel", "NodeCore", "ProcessHarness", "TestScale"],
            swiftSettings: strict),
        .testTarget(name: "SampleDataTests", dependencies: ["SampleData"], swiftSettings: strict),
        .testTarget(name: "ProcessHarnessTests", dependencies: ["ProcessHarness"], swiftSettings: strict),
        .testTarget(
            name: "NodeDriverTests", dependencies: ["NodeDriver", "ProcessHarness"], swiftSettings: strict),
        .testTarget(
            name: "SimulatorTests",
            dependencies: [
                "Ledger",
                "Simulator", "LeaderboardShare", "Chat", "Gossip", "SyncState", "Transport", "NodeCore", "TestScale",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ProcessTests",
            dependencies: [
                "Ledger",
                "kachat-node", "kachat-sim", "kachat-bench", "chat-example", "score-example", "embedded-example",
                "KaChatClient", "KaChatNode",
                "NodeDriver", "ProcessHarness", "SampleData", "ChatTestKit", "Gossip", "Chat", "SyncState", "Transport",
                "NodeCore",
                "TestScale", "CTrials",
            ],
            swiftSettings: strict),
        .testTarget(name: "DoorTests", dependencies: doors + ["TestScale"], swiftSettings: strict),
        .testTarget(name: "TidyTests", dependencies: ["ProcessHarness"], swiftSettings: strict),
    ]
)

// The fuzzer links libFuzzer's loop, which nothing else may: only `make fuzz` builds it, of the doors that tests try.
if Context.environment["KACHAT_FUZZ"] != nil {
    package.targets.removeAll { $0.name == "DoorTests" }
    package.targets += [
        .target(name: "Doors", dependencies: doors, path: "Tests/DoorTests/Doors", swiftSettings: strict),
        .executableTarget(
            name: "fuzz", dependencies: ["Doors"], path: "Fuzz", exclude: ["Corpus"], swiftSettings: strict),
    ]
}
