import NodeCore
import Testing

@testable import Transport

@Suite struct OutputBufferTests {
    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func isAQueueOfBytes(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var buffer = OutputBuffer()
        var expected: [UInt8] = []
        for _ in 0..<2000 {
            if Bool.random(using: &random) {
                let bytes = random.bytes(Int.random(in: 0...300, using: &random))
                buffer.append(bytes)
                expected += bytes
            } else {
                let count = Int.random(in: 0...buffer.count, using: &random)
                #expect(buffer.withUnsafeBytes { Array($0.prefix(count)) } == Array(expected.prefix(count)))
                buffer.consume(count)
                expected.removeFirst(count)
            }
            #expect(buffer.count == expected.count)
        }
        #expect(buffer.withUnsafeBytes { Array($0) } == expected)
    }

    @Test func memoryStaysNearWhatWaits() {
        var buffer = OutputBuffer()
        let piece = [UInt8](repeating: 1, count: 60_000)
        buffer.append(piece)
        for _ in 0..<1000 {
            buffer.append(piece)
            buffer.consume(piece.count)
        }
        #expect(buffer.count == piece.count && buffer.capacity <= 4 * 65_536)
        for _ in 0..<100 { buffer.append(piece) }
        buffer.consume(buffer.count)
        #expect(buffer.capacity == 0)
    }
}
