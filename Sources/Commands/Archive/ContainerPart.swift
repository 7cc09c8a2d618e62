package import JSONLines
package import NodeCore

/// One part of a container, as its manifest lists it.
package struct ContainerPart: Equatable {
    package enum Kind: String {
        /// Lines of messages, as `export` gives them.
        case messages
        /// Lines of read positions and whatever else an account's chat has beside messages.
        case state
        /// The database of a zone.
        case database
        /// The file `identity`.
        case identity
        /// The file `config.json`.
        case settings
        /// Lines of own results in a group that was left.
        case results
    }

    package var kind: Kind
    /// Unique in its container.
    package var name: String
    /// Where its frame begins, and how long that is.
    package var offset = 0
    package var bytes = 0
    /// Of the content.
    package var plainBytes = 0
    /// 0 where the content has none.
    package var lines = 0
    /// BLAKE2b-256 of the frame.
    package var hash = Bytes32.zero

    package var json: JSONValue {
        .object([
            "kind": .string(kind.rawValue), "name": .string(name), "offset": .number(offset), "bytes": .number(bytes),
            "plainBytes": .number(plainBytes), "lines": .number(lines), "blake2b": .string(hash.hex),
        ])
    }

    init(_ kind: Kind, name: String, offset: Int) {
        self.kind = kind
        self.name = name
        self.offset = offset
    }

    init?(json: JSONValue) {
        func count(_ name: String) -> Int? { json[name]?.integer.flatMap { $0 >= 0 ? Int($0) : nil } }
        guard let kind = json["kind"]?.text.flatMap(Kind.init), let name = json["name"]?.text,
            let offset = count("offset"), let bytes = count("bytes"), let plainBytes = count("plainBytes"),
            let lines = count("lines"), let hash = json["blake2b"]?.text.flatMap({ Bytes32(hex: $0) })
        else { return nil }
        self.init(kind, name: name, offset: offset)
        self.bytes = bytes
        self.plainBytes = plainBytes
        self.lines = lines
        self.hash = hash
    }
}
