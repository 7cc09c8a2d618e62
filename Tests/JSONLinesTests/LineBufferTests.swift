import JSONLines
import Testing

@Suite struct LineBufferTests {
    @Test(arguments: 1...9) func linesDoNotDependOnTheCut(step: Int) {
        var buffer = LineBuffer(limit: 5)
        var lines: [LineBuffer.Line] = []
        let bytes = Array("ab\n\n12345\n123456\n1234567890abcdef\nx\nend".utf8)
        for start in stride(from: 0, to: bytes.count, by: step) {
            buffer.append(bytes[start..<min(start + step, bytes.count)])
            while let line = buffer.next() { lines.append(line) }
        }
        #expect(
            lines == [
                .line(Array("ab".utf8)), .line([]), .line(Array("12345".utf8)), .tooLong, .tooLong,
                .line(Array("x".utf8)),
            ])
        #expect(buffer.rest() == .line(Array("end".utf8)))
        #expect(buffer.rest() == nil)
    }

    @Test func aLineWithoutEndTakesNoMoreThanItsLimit() {
        var buffer = LineBuffer(limit: 100)
        for _ in 0..<1000 {
            buffer.append([UInt8](repeating: 1, count: 90))
            #expect(buffer.next() == nil)
            #expect(buffer.count <= 190)
        }
        #expect(buffer.rest() == .tooLong)
    }
}
