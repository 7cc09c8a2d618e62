import Glibc
import NodeCore
import ProcessHarness
import TestScale
import Testing

@testable import Commands
@testable import Node

@Suite struct ContainerTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/file" }

    init() throws { folder = try TemporaryFolder() }

    /// Writes a container with three parts, and returns its bytes.
    private func write(_ kind: ContainerFormat.Kind = .archive) throws -> [UInt8] {
        let writer = try ContainerWriter(path: path, kind: kind, replaces: true)
        for number in 1...2 {
            try writer.write { encoder throws(NodeError) in
                encoder.begin(.messages, name: "messages \(number)")
                for line in 0..<40 * number { try encoder.addLine(Array("line \(line) of part \(number)".utf8)) }
                try encoder.end()
            }
        }
        try writer.write { $0.begin(.state, name: "state 1") }
        let size = try writer.finish(["accountId": .string("me")])
        let bytes = try #require(content())
        #expect(bytes.count == size)
        return bytes
    }

    private func content() -> [UInt8]? {
        try? FileDescriptor(path: path, flags: O_RDONLY).readAll(limit: 1 << 20)
    }

    private func put(_ bytes: [UInt8]) throws { try Files.replace(path, with: bytes) }

    private func message(_ body: () throws(NodeError) -> Void) -> String {
        do throws(NodeError) {
            try body()
            return ""
        } catch {
            return "\(error.code.rawValue): \(error.message)"
        }
    }

    @Test func whatWasWrittenIsRead() throws {
        _ = try write()
        let reader = try ContainerReader(path: path, kind: .archive)
        #expect(reader.parts.map(\.name) == ["messages 1", "messages 2", "state 1"])
        #expect(reader.parts.map(\.lines) == [40, 80, 0])
        #expect(reader.manifest["accountId"] == .string("me"))
        #expect(reader.damagedParts().isEmpty)
        let text = String(decoding: try reader.content(reader.parts[1], limit: 1 << 20), as: UTF8.self)
        #expect(text.hasPrefix("line 0 of part 2\nline 1") && text.hasSuffix("line 79 of part 2\n"))
        #expect(try reader.content(reader.parts[2], limit: 0).isEmpty)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(Files.names(in: folder.path) == ["file"])
        #expect(ContainerReader.isContainer(path) && !ContainerReader.isContainer(folder.path))
    }

    /// Whichever byte changes (usually each seventh), it is noticed, and a change inside a part affects that part
    /// alone.
    @Test func everyChangedByteIsSeen() throws {
        let bytes = try write()
        let parts = try ContainerReader(path: path, kind: .archive).parts
        for place in stride(from: 0, to: bytes.count, by: TestScale.of(usual: 7, proof: 1)) {
            var changed = bytes
            changed[place] ^= 1
            try put(changed)
            let damaged = (try? ContainerReader(path: path, kind: .archive))?.damagedParts()
            if let part = parts.first(where: { ($0.offset..<$0.offset + $0.bytes).contains(place) }) {
                #expect(damaged?.map(\.name) == [part.name], "byte \(place)")
            } else {
                #expect(damaged == nil, "byte \(place)")
            }
        }
    }

    @Test func whatIsCutOffIsRefused() throws {
        let bytes = try write()
        for count in stride(from: 0, to: bytes.count, by: 7) {
            try put(Array(bytes[..<count]))
            #expect(throws: NodeError.self) { try ContainerReader(path: path, kind: .archive) }
        }
        try put(bytes + [0])
        #expect(throws: NodeError.self) { try ContainerReader(path: path, kind: .archive) }
        try put(Array(bytes.dropLast(30)))
        #expect(
            message { () throws(NodeError) in _ = try ContainerReader(path: path, kind: .archive) }
                .contains("damaged: \(path) is truncated"))
    }

    /// Wherever the file is cut, the whole parts are found without the list, and nothing else.
    @Test func wholePartsAreFoundWithoutTheList() throws {
        let bytes = try write()
        let parts = try ContainerReader(path: path, kind: .archive).parts
        let first = ContainerFormat.head(.archive).count
        for count in stride(from: first, to: bytes.count, by: TestScale.of(usual: 7, proof: 1)) {
            try put(Array(bytes[..<count]))
            let reader = try ContainerReader(path: path, kind: .archive, findsParts: true)
            let whole = parts.filter { $0.offset + $0.bytes <= count }
            #expect(reader.lacksList && reader.damagedParts().isEmpty)
            #expect(reader.parts.map(\.offset) == whole.map(\.offset), "\(count) bytes")
            #expect(reader.parts.map(\.plainBytes) == whole.map(\.plainBytes))
            #expect(reader.parts.map(\.hash) == whole.map(\.hash))
        }
        try put(bytes)
        #expect(try !ContainerReader(path: path, kind: .archive, findsParts: true).lacksList)
    }

    @Test func otherFiles() throws {
        func complaint(_ kind: ContainerFormat.Kind = .archive) -> String {
            message { () throws(NodeError) in _ = try ContainerReader(path: path, kind: kind) }
        }
        #expect(complaint() == "failed: cannot read \(path): No such file or directory")
        let bytes = try write(.backup)
        let advice = "`kachat-node --home DIR restore FILE` makes a new home of it"
        #expect(complaint() == "bad-input: \(path) holds a backup: \(advice)")
        #expect(complaint(.backup).isEmpty)
        var newer = bytes
        let digit = try #require(newer.firstIndex(of: UInt8(ascii: "1")))
        newer[digit] = UInt8(ascii: "2")
        try put(newer)
        #expect(complaint(.backup).contains("has version 2, but this program reads 1: update kachat-node"))
        for other in ["", "{\"txid\": 1}", String(repeating: "x", count: 500)] {
            try put(Array(other.utf8))
            #expect(complaint().contains("is neither an archive nor a backup"))
            #expect(!ContainerReader.isContainer(path))
        }
        let inside = folder.path
        #expect(
            message { () throws(NodeError) in _ = try ContainerReader(path: inside, kind: .archive) }
                .contains("is not a plain file"))
    }

    @Test func whatIsThereStays() throws {
        let bytes = try write()
        #expect(
            message { () throws(NodeError) in
                _ = try ContainerWriter(path: path, kind: .archive, replaces: false)
            }.hasPrefix("exists: "))
        let inside = folder.path
        #expect(
            message { () throws(NodeError) in
                _ = try ContainerWriter(path: inside, kind: .archive, replaces: true)
            }.hasPrefix("usage: "))
        do {
            let writer = try ContainerWriter(path: path, kind: .archive, replaces: true)
            try writer.write { encoder throws(NodeError) in
                encoder.begin(.messages, name: "messages 1")
                try encoder.addLine([1, 2, 3])
            }
            #expect(Files.names(in: folder.path).count == 2)
        }
        // An abandoned write leaves everything as it was.
        #expect(content() == bytes)
        #expect(Files.names(in: folder.path) == ["file"])
        #expect(
            message { () throws(NodeError) in
                _ = try ContainerWriter(path: inside + "/none/file", kind: .archive, replaces: false)
            }.hasPrefix("not-written: "))
    }

    @Test func aManifestThatPointsOutside() throws {
        for parts in [
            "[{\"kind\":\"messages\"}]",
            part(offset: "9223372036854775807", bytes: "5"), part(offset: "30", bytes: "9223372036854775807"),
            part(offset: "-1", bytes: "5"), part(offset: "1000000", bytes: "0"),
        ] {
            let json = Array("{\"parts\":\(parts)}".utf8)
            let head = ContainerFormat.head(.archive)
            let place = (0..<8).map { UInt8(truncatingIfNeeded: head.count >> (56 - 8 * $0)) }
            let hash = Blake2b.hash32(json, domain: ContainerFormat.hashDomain)
            try put(
                head + ContainerFormat.skippable(1, json) + ContainerFormat.skippable(2, place + hash.bytes))
            #expect(
                message { () throws(NodeError) in _ = try ContainerReader(path: path, kind: .archive) }
                    .contains("the list of contents"))
        }
    }

    private func part(offset: String, bytes: String) -> String {
        let zero = String(repeating: "0", count: 64)
        return "[{\"kind\":\"messages\",\"name\":\"m\",\"offset\":\(offset),\"bytes\":\(bytes),\"plainBytes\":1,"
            + "\"lines\":1,\"blake2b\":\"\(zero)\"}]"
    }
}
