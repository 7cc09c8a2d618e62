import NodeCore
import Testing

@testable import SyncState

@Suite struct FrameTests {
    private func frame(_ pieces: [[UInt8]]) throws -> [UInt8] {
        let compressor = FrameCompressor()
        var frame: [UInt8] = []
        for (number, piece) in pieces.enumerated() {
            try piece.withUnsafeBytes {
                try compressor.compress($0, isLast: number == pieces.count - 1) { frame += Array($0) }
            }
        }
        return frame
    }

    private func content(_ frame: [UInt8], feeding size: Int) throws -> [UInt8] {
        let decompressor = FrameDecompressor()
        var content: [UInt8] = []
        var rest = frame[...]
        while true {
            let piece = try decompressor.next()
            content += piece
            guard piece.isEmpty else { continue }
            guard !rest.isEmpty, !decompressor.isAtEnd else { break }
            decompressor.feed(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        guard decompressor.isAtEnd, rest.isEmpty, decompressor.unread == 0 else { throw FrameError.damaged }
        return content
    }

    @Test(arguments: [1, 7, 1_000, 1 << 20]) func whatWasWrittenIsRead(feeding size: Int) throws {
        var random = SeededRandom(seed: UInt64(size))
        for count in [0, 1, 2, 30] {
            let pieces = (0..<max(count, 1)).map { count == 0 || $0 % 7 == 3 ? [] : random.bytes($0 * 700) }
            #expect(try content(frame(pieces), feeding: size) == pieces.flatMap { $0 })
        }
        let plain = [UInt8](repeating: 7, count: 3_000_000)
        let small = try frame([plain])
        #expect(small.count < 2_000)
        #expect(try content(small, feeding: size) == plain)
    }

    @Test func damageIsSeen() throws {
        let frame = try frame([Array("a text of some words, and then some words more".utf8)])
        for count in 0..<frame.count {
            #expect(throws: FrameError.self) { try content(Array(frame[..<count]), feeding: 64) }
        }
        let plain = try content(frame, feeding: 64)
        for place in frame.indices {
            var changed = frame
            changed[place] ^= 0x10
            // A field of the head may change without the content, which is then still the original.
            let given = try? content(changed, feeding: 64)
            #expect(given == nil || given == plain, "byte \(place)")
        }
        #expect(throws: FrameError.self) { try content(frame + [0], feeding: 1 << 10) }
    }
}
