import Glibc
package import JSONLines
package import Node
package import NodeCore
package import NodeModel

/// The content of a backup, piece by piece: the identity, the settings, the user's results in groups that were left,
/// and copies of the stores, each of which is deleted once it is added.
package struct BackupContent {
    private enum Source {
        case identity
        case file(limit: Int)
        case copy
    }

    private struct Part {
        let kind: ContainerPart.Kind
        let name: String
        let path: String
        let source: Source
    }

    private let home: HomeFolder
    private var parts: ArraySlice<Part>
    /// In the copy that is being added.
    private var offset = 0
    /// Of the manifest.
    package let fields: [String: JSONValue]

    package init(of home: HomeFolder, _ stores: [CopiedStore], hasKeys: Bool, at time: WallTime) {
        self.home = home
        var parts: [Part] = []
        if hasKeys { parts.append(Part(kind: .identity, name: "identity", path: home.path, source: .identity)) }
        if Files.exists(home.settingsPath) {
            let source = Source.file(limit: Node.Limits.settingsFileBytes)
            parts.append(Part(kind: .settings, name: "config.json", path: home.settingsPath, source: source))
        }
        for name in LeftScores.files(home) {
            let source = Source.file(limit: Node.Limits.leftScoresBytes)
            parts.append(Part(kind: .results, name: name, path: home.leftScoresPath + "/" + name, source: source))
        }
        parts += stores.map { Part(kind: .database, name: Self.name(of: $0), path: $0.file, source: .copy) }
        self.parts = parts[...]
        fields = [
            "createdAt": .number(time.milliseconds),
            "accounts": .array(stores.filter { $0.groupId == nil }.map(Self.described)),
            "groups": .array(stores.filter { $0.groupId != nil }.map(Self.described)),
        ]
    }

    private static func name(of store: CopiedStore) -> String { String(store.file.split(separator: "/").last ?? "") }

    /// The manifest's entry for an account or a group.
    private static func described(_ store: CopiedStore) -> JSONValue {
        var fields = store.jsonFields
        fields["store"] = .string(name(of: store))
        fields["file"] = nil
        return .object(fields)
    }

    /// Adds the next piece.
    ///
    /// - Returns: how many bytes of stores it added; nil if there is nothing more.
    package mutating func addNext(to encoder: ContainerEncoder) throws(NodeError) -> Int? {
        guard let part = parts.first else { return nil }
        switch part.source {
        case .identity:
            // A copy outlives the phrase, which no device is to keep.
            var bytes = try IdentityFile.load(from: home).withoutPersons.encoded()
            defer { wipe(&bytes) }
            try addWhole(part, bytes, to: encoder)
        case .file(let limit):
            try addWhole(
                part, try read(part.path) { file throws(FileError) in try file.readAll(limit: limit) }, to: encoder)
        case .copy:
            if offset == 0 { encoder.begin(part.kind, name: part.name) }
            let place = offset
            let bytes = try read(part.path) { file throws(FileError) in
                try file.read(at: place, count: Limits.containerReadBytes)
            }
            try encoder.add(bytes)
            offset += bytes.count
            guard bytes.isEmpty else { return bytes.count }
            try encoder.end()
            unlink(part.path)
        }
        parts.removeFirst()
        offset = 0
        return 0
    }

    private func addWhole(_ part: Part, _ bytes: [UInt8], to encoder: ContainerEncoder) throws(NodeError) {
        encoder.begin(part.kind, name: part.name)
        try encoder.add(bytes)
        try encoder.end()
    }

    private func read(
        _ path: String, _ body: (borrowing FileDescriptor) throws(FileError) -> [UInt8]
    ) throws(NodeError) -> [UInt8] {
        do {
            return try body(try FileDescriptor(path: path, flags: O_RDONLY))
        } catch {
            throw NodeError(.failed, "cannot read \(path): \(error.reason)")
        }
    }
}
