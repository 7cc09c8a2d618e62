import Commands
import Node
import NodeCore

/// `export --archive FILE`: the node sends lines and this process writes them to the archive.
enum ArchiveExport {
    /// The archive being written.
    private final class Writing {
        private let file: ContainerWriter
        var fields: [String: JSONValue] = [:]
        var kind = ContainerPart.Kind.messages

        init(_ file: ContainerWriter) { self.file = file }

        private func begin(_ encoder: ContainerEncoder) {
            encoder.begin(kind, name: "\(kind.rawValue) \(encoder.parts.count { $0.kind == kind } + 1)")
        }

        func add(_ line: [UInt8]) throws(NodeError) {
            try file.write { encoder throws(NodeError) in
                if encoder.plainBytes >= Limits.archivePartBytes {
                    try encoder.end()
                    begin(encoder)
                }
                try encoder.addLine(line)
            }
        }

        /// The node announces which kind of lines follows.
        func follow(_ value: JSONValue) throws(NodeError) {
            guard let next = value["part"]?.text.flatMap(ContainerPart.Kind.init) else { return }
            if case .object(let said)? = value["account"] { fields.merge(said) { _, new in new } }
            kind = next
            try file.write { encoder throws(NodeError) in
                try encoder.end()
                begin(encoder)
            }
        }

        func end() throws(NodeError) { try file.write { encoder throws(NodeError) in try encoder.end() } }

        func finish(_ fields: [String: JSONValue]) throws(NodeError) -> Int { try file.finish(fields) }

        var parts: Int { file.parts.count }

        func lines(_ kind: ContainerPart.Kind) -> Int { file.parts.reduce(0) { $0 + ($1.kind == kind ? $1.lines : 0) } }
    }

    static func run(_ path: String, _ context: ToolContext) throws(NodeError) -> ExitStatus {
        let home = try context.initialisedHome()
        guard path != "-" else { throw NodeError(.usage, "--archive needs a file name") }
        let writing = Writing(try ContainerWriter(path: path, kind: .archive, replaces: context.command.has("--force")))
        let progress = ProgressLine(context)
        let status = try NodeCommand.exchange(Invocation(context.accountCommand), input: nil, home, context) { client in
            client.take = { line throws(NodeError) in try writing.add(line) }
            client.progress = { value, _ throws(NodeError) in
                progress?.show(value)
                try writing.follow(value)
            }
        }
        progress?.clear()
        guard status == .done else { return status }
        try writing.end()
        var fields = writing.fields
        fields["createdAt"] = .number(context.clock.wall().milliseconds)
        fields["messages"] = .number(writing.lines(.messages))
        fields["states"] = .number(writing.lines(.state))
        let bytes = try writing.finish(fields)
        fields["bytes"] = .number(bytes)
        fields["file"] = .string(path)
        fields["parts"] = .number(writing.parts)
        context.show(.object(fields)) {
            context.output.line(
                "\(Wording.count(writing.lines(.messages), "message")) in \(path), \(Wording.bytes(bytes)). Anyone who "
                    + "can read this file can read them: they are not encrypted.")
        }
        return .done
    }
}
