package import JSONLines
package import Node
import NodeCore
import SyncState

/// Makes the bytes of a container, part by part; its owner takes them from time to time.
package final class ContainerEncoder {
    private let kind: ContainerFormat.Kind
    private let compressor = FrameCompressor()
    private var hasher = Blake2bHasher(domain: ContainerFormat.hashDomain)
    private var waiting: [UInt8]
    private var taken = 0
    private var open: ContainerPart?
    package private(set) var parts: [ContainerPart] = []

    package init(_ kind: ContainerFormat.Kind) {
        self.kind = kind
        waiting = ContainerFormat.head(kind)
    }

    private var made: Int { taken + waiting.count }

    /// Takes the bytes made since the last time.
    package func take() -> [UInt8] {
        defer { waiting = [] }
        taken += waiting.count
        return waiting
    }

    // MARK: Parts

    package func begin(_ kind: ContainerPart.Kind, name: String) {
        open = ContainerPart(kind, name: name, offset: made)
        hasher = Blake2bHasher(domain: ContainerFormat.hashDomain)
    }

    /// Bytes in the open part; 0 if none is open.
    package var plainBytes: Int { open?.plainBytes ?? 0 }

    package func add(_ bytes: [UInt8]) throws(NodeError) {
        open?.plainBytes += bytes.count
        try compress(bytes, isLast: false)
    }

    package func addLine(_ line: [UInt8]) throws(NodeError) {
        open?.lines += 1
        try add(line + [UInt8(ascii: "\n")])
    }

    package func end() throws(NodeError) {
        guard open != nil else { return }
        try compress([], isLast: true)
        guard var part = open else { return }
        part.bytes = made - part.offset
        part.hash = hasher.finish()
        parts.append(part)
        open = nil
    }

    private func compress(_ bytes: [UInt8], isLast: Bool) throws(NodeError) {
        do {
            try bytes.withUnsafeBytes { bytes in
                try compressor.compress(bytes, isLast: isLast) { frame in
                    hasher.update(frame)
                    waiting += frame
                }
            }
        } catch {
            throw NodeError(.failed, "the compressor failed")
        }
    }

    /// Ends the last part and adds the manifest.
    ///
    /// - Parameter fields: further fields of the manifest.
    package func finish(_ fields: [String: JSONValue]) throws(NodeError) {
        try end()
        var manifest = fields
        manifest["format"] = "kachat \(kind.rawValue)"
        manifest["version"] = .number(ContainerFormat.version)
        manifest["program"] = .string(Version.current)
        manifest["parts"] = .array(parts.map(\.json))
        let json = JSONValue.object(manifest).encoded
        guard json.count <= Limits.manifestBytes else {
            throw NodeError(.failed, "too much data for one file: the list of its \(parts.count) parts is too long")
        }
        let place = (0..<8).map { UInt8(truncatingIfNeeded: made >> (56 - 8 * $0)) }
        let hash = Blake2b.hash32(json, domain: ContainerFormat.hashDomain)
        waiting += ContainerFormat.skippable(1, json)
        waiting += ContainerFormat.skippable(2, place + hash.bytes)
    }
}
