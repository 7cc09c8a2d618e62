package import JSONLines
package import NodeCore

/// The file format of archives and backups (docs/STORAGE.md, §10): zstd frames (RFC 8878), then a list of them. All
/// else is in skippable frames, so `zstd -dc` shows an archive's lines.
///
/// ```
/// file     = head *part manifest tail
/// head     = skippable 0: "kachat archive 1" or "kachat backup 1"
/// part     = a zstd frame
/// manifest = skippable 1: JSON
/// tail     = skippable 2: place of the manifest's frame (8 bytes, big-endian) ‖ BLAKE2b-256 of the JSON
/// ```
package enum ContainerFormat {
    package static let version = 1
    static let hashDomain = "kachat container"
    /// The header of a skippable frame: magic number and size.
    static let skippableBytes = 8
    /// The first bytes of a zstd frame.
    static let frameMagic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]
    static let tailBytes = skippableBytes + 8 + 32

    package enum Kind: String {
        case archive
        case backup
    }

    package static func head(_ kind: Kind) -> [UInt8] { skippable(0, Array("kachat \(kind.rawValue) \(version)".utf8)) }

    static func skippable(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
        let size = UInt32(content.count)
        return [0x50 + number, 0x2A, 0x4D, 0x18] + (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) } + content
    }

    /// The content's size of a skippable frame with this number; nil if the bytes do not begin one.
    package static func skippableSize(_ bytes: ArraySlice<UInt8>, number: UInt8) -> Int? {
        guard bytes.count >= skippableBytes, bytes.prefix(4).elementsEqual([0x50 + number, 0x2A, 0x4D, 0x18]) else {
            return nil
        }
        return bytes.dropFirst(4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

/// One part of a container, as its manifest lists it.
package struct ContainerPart: Equatable {
    package enum Kind: String {
        /// Lines of messages, as `export` writes them.
        case messages
        /// Lines of read positions, deletions and details of conversations.
        case state
        /// The database of a zone.
        case database
        /// The file `identity`.
        case identity
        /// The file `config.json`.
        case settings
        /// Lines of the user's own results in a group that was left.
        case results
    }

    package var kind: Kind
    /// Unique in its container.
    package var name: String
    /// The start and size of its frame.
    package var offset = 0
    package var bytes = 0
    /// The size of its content.
    package var plainBytes = 0
    /// 0 if the content has no lines.
    package var lines = 0
    /// BLAKE2b-256 of the frame.
    package var hash = Bytes32.zero

    package var json: JSONValue {
        [
            "kind": .string(kind.rawValue), "name": .string(name), "offset": .number(offset), "bytes": .number(bytes),
            "plainBytes": .number(plainBytes), "lines": .number(lines), "blake2b": .string(hash.hex),
        ]
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
