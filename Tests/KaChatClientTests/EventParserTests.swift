import Testing

@testable import KaChatClient

@Suite struct EventParserTests {
    @Test(arguments: [1, 2, 5, 1000]) func eventsDoNotDependOnTheCut(step: Int) throws {
        let text =
            "retry: 2000\n\nevent: here\nid: a\ndata: {}\n\n: \n\n"
            + "event:x\r\ndata:one\r\ndata: two\r\n\r\nid: 7\n\ndata: cut"
        var parser = EventParser()
        var events: [EventParser.Event] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: step) {
            parser.append(Array(bytes[start..<min(start + step, bytes.count)]))
            while let event = try parser.next() { events.append(event) }
        }
        #expect(
            events == [
                .init(name: "here", id: "a", data: Array("{}".utf8)),
                .init(name: "x", id: nil, data: Array("one\ntwo".utf8)),
            ])
    }

    @Test func aLineWithoutEndIsRefused() {
        var parser = EventParser()
        parser.append([UInt8](repeating: UInt8(ascii: "d"), count: 3 << 20) + [0x0A])
        #expect(throws: ClientError.self) { try parser.next() }
    }

    @Test func anEventWithoutEndIsRefused() throws {
        var parser = EventParser()
        let line = Array("data: ".utf8) + [UInt8](repeating: UInt8(ascii: "d"), count: 1 << 16) + [0x0A]
        #expect(throws: ClientError.self) {
            for _ in 0..<100 {
                parser.append(line)
                let event = try parser.next()
                #expect(event == nil)
            }
        }
    }
}
