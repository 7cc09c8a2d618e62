import CommandLine
import Commands
import Glibc
import Node
import Simulator

/// `sim`: whole nodes in virtual time, from one seed.
enum SimulationCommand {
    static let external = LocalCommand(
        spec: CommandSpec(
            "sim", summary: "Run whole nodes in virtual time under faults, from one seed, and check the invariants",
            examples: [
                "--seed 4711", "--seed 4711 --nodes 5 --hours 24 --json", "--seed 4711 --hours 0.2 --workload day",
                "--seed 4711 --hours 0.2 --disk", "--seed 4711 --hours 0.2 --liar",
            ],
            parameters: [
                ParameterSpec(
                    "--seed", .number("N", 0...UInt64(Int64.max)), help: "decides everything that happens (default 1)"),
                ParameterSpec(
                    "--nodes", .number("N", UInt64(Limits.nodes.lowerBound)...UInt64(Limits.nodes.upperBound)),
                    help: "how many (default 4)"),
                ParameterSpec("--hours", .text("H"), help: "how long faults happen (default 1)"),
                ParameterSpec(
                    "--workload", .choice("messages|day|group|soak", Simulation.Workload.allCases.map(\.rawValue)),
                    help: "what the users do (default messages)"),
                ParameterSpec("--disk", help: "disks fail, too, and homes are damaged"),
                ParameterSpec("--liar", help: "one device of the account breaks the protocol, and clocks go wrong"),
            ]),
        run: run)

    @Sendable private static func run(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        let command = context.command
        let workload = Simulation.Workload(rawValue: command.text("--workload") ?? "messages")
        guard let workload else { throw NodeError(.usage, "--workload is messages, day, group or soak") }
        guard let hours = Double(command.text("--hours") ?? "1"), hours > 0, hours <= 8_760 else {
            throw NodeError(.usage, "--hours must be a number above 0 up to 8760")
        }
        let hasFaultyDisks = command.has("--disk")
        guard !command.has("--liar") || workload != .group else {
            throw NodeError(.usage, "--liar is for accounts: members of a group who lie are in --workload group")
        }
        let simulation = Simulation(
            seed: command.number("--seed") ?? 1, nodes: Int(command.number("--nodes") ?? 4),
            hours: hours, workload: workload, hasFaultyDisks: hasFaultyDisks, hasLiar: command.has("--liar"))
        let report: SimulationReport
        do {
            report =
                try workload == .group ? simulation.runGroup() : simulation.runAccount(memoryBytes: residentBytes)
        } catch {
            throw NodeError(.failed, "the simulation could not be set up: \(error)")
        }
        if command.isJSON {
            context.output.bufferedLine(json(report).encoded)
        } else {
            context.output.raw(report.text(withStory: !command.isQuiet))
        }
        return report.isPassed ? .done : .failed
    }

    /// The memory of this process: the second field of /proc/self/statm, in pages (proc(5)).
    private static func residentBytes() -> Int {
        let statm = (try? FileDescriptor(path: "/proc/self/statm", flags: O_RDONLY).readAll(limit: 1 << 10)) ?? []
        let fields = String(decoding: statm, as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) : 0
    }

    private static func json(_ report: SimulationReport) -> JSONValue {
        .object([
            "seed": .number(report.seed), "nodes": .number(report.nodes), "hours": .double(report.hours),
            "workload": .string(report.workload.rawValue), "disk": .bool(report.hasFaultyDisks),
            "liar": .bool(report.hasLiar),
            "passed": .bool(report.isPassed),
            "trace": .string(report.traceHash),
            "failures": .array(report.failures.map { .string($0) }), "replay": .string(report.replay),
            "checks": .object(.init(report.checks.map { ($0.invariant, .number($0.count)) }) { first, _ in first }),
            "counts": .object(.init(report.counts.map { ($0.what, .number($0.count)) }) { first, _ in first }),
        ])
    }
}
