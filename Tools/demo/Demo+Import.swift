import NodeDriver
import ProcessHarness

extension Demo {
    /// Each node imports its own part, all at once; one is killed in the middle and starts again.
    func importParts() throws {
        let victim = nodes[nodes.count / 2]
        display.say("2. Each imports its part at once; \(victim.name) is killed (SIGKILL) in the middle.")
        let time = Stopwatch()
        let imports = try nodes.map { try startImport($0) }
        let part = chat.messagesOfDevice[victim.name] ?? 0
        let deadline = Deadline(after: Deadline.patience)
        var heldWhenKilled = 0
        while let victimImport = imports.first(where: { $0.node === victim })?.process, victimImport.isRunning {
            heldWhenKilled = try victim.status().account?.messages ?? 0
            if heldWhenKilled >= part / 4 { break }
            if deadline.hasPassed { throw DriverError("timed out: \(victim.name) takes its messages") }
        }
        try victim.kill()
        draw(nodes.map { $0 === victim ? nil : try? $0.status() })
        display.say("   \(victim.name) is killed; it held \(Text.count(heldWhenKilled)) messages. It starts again.")
        try victim.start()

        let again = try startImport(victim)
        for job in imports where job.node !== victim { try finish(job) }
        try finish(again)
        for node in nodes { try node.run(["flush"]) }
        try watch("the nodes agree", until: agree)
        display.say("   All \(nodes.count) hold everything \(Text.duration(time.elapsed)) after the imports began.")
    }

    private struct ImportJob {
        var node: DrivenNode
        var process: ChildProcess
        var errorFile: String
    }

    private func startImport(_ node: DrivenNode) throws -> ImportJob {
        var command = binary.command(home: node.home, ["import", chat.partOfDevice[node.name] ?? ""])
        let errorFile = node.home + ".import"
        command.output = .discarded
        command.errorOutput = .file(errorFile)
        return ImportJob(node: node, process: try ChildProcess(command), errorFile: errorFile)
    }

    private func finish(_ job: ImportJob) throws {
        let deadline = Deadline(after: .seconds(300))
        while job.process.isRunning && !deadline.hasPassed {
            draw(nodes.map { try? $0.status() })
        }
        let status = try job.process.wait(within: .seconds(1))
        guard status.isSuccess else {
            let text = FileTree.read(job.errorFile).map { String(decoding: $0.suffix(1_000), as: UTF8.self) } ?? ""
            throw DriverError("\(job.node.name): import: \(status): \(text)")
        }
    }
}
