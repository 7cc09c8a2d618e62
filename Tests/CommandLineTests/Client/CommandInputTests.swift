import Glibc
import Testing

@testable import CommandLine
@testable import Commands
@testable import Node

@Suite struct CommandInputTests {
    /// A slow writer's lines are passed on before it writes more, each whole.
    @Test func aSlowWriterIsNotWaitedFor() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        func write(_ text: String) { #expect(Glibc.write(ends[1], text, text.utf8.count) == text.utf8.count) }
        var input = try CommandInput(path: "/dev/fd/\(ends[0])")
        write("a\nb\npart")
        let first = try input.batch()
        #expect(first.bytes == Array("a\nb\n".utf8) && first.lines == 2)
        let isAtEndYet = input.isAtEnd
        #expect(!isAtEndYet)
        write("ial\nlast")
        close(ends[1])
        let second = try input.batch()
        #expect(second.bytes == Array("partial\nlast\n".utf8) && second.lines == 2)
        let atEnd = input.isAtEnd
        #expect(atEnd)
        let third = try input.batch()
        #expect(third.lines == 0)
    }

    /// A compressed file is refused with a hint how to unpack it.
    @Test(
        arguments: [([0x1F, 0x8B, 8, 0], "gzip -dc"), ([0x28, 0xB5, 0x2F, 0xFD], "zstd -dc")] as [([UInt8], String)])
    func aCompressedFileIsNamed(bytes: [UInt8], unpacks: String) throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        #expect(bytes.withUnsafeBytes { Glibc.write(ends[1], $0.baseAddress, $0.count) } == bytes.count)
        close(ends[1])
        var input = try CommandInput(path: "/dev/fd/\(ends[0])")
        var said = ""
        do throws(NodeError) {
            _ = try input.batch()
        } catch {
            said = error.message
        }
        #expect(said.contains("is compressed: unpack it, as in `\(unpacks) FILE |"), "\(said)")
    }

    /// The node says that a line is too long; the line itself is not sent.
    @Test func aLineThatIsTooLongStaysOne() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        var input = try CommandInput(path: "/dev/fd/\(ends[0])")
        let writer = ends[1]
        let long =
            [UInt8](repeating: UInt8(ascii: "y"), count: 3 * Commands.Limits.inputLineBytes) + Array("\nb\n".utf8)
        let thread = DetachedThread.start {
            var rest = long[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(writer, $0.baseAddress, $0.count) }
                guard count > 0 else { break }
                rest = rest.dropFirst(count)
            }
            close(writer)
        }
        try #require(thread)
        var lines = 0
        var bytes: [UInt8] = []
        while true {
            let batch = try input.batch()
            (lines, bytes) = (lines + batch.lines, bytes + batch.bytes)
            let atEnd = input.isAtEnd
            if atEnd { break }
        }
        #expect(lines == 2)
        #expect(bytes.count == Commands.Limits.inputLineBytes + 2 + 2)
    }
}
