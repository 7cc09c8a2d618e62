import Chat
import NodeCore
import SyncState
import Testing

@Suite struct SegmentNameTests {
    private let lane = LaneID(Bytes32(0xab, 1, 2, 3))

    @Test(arguments: ["bob", "#ubuntu", "a.b", ".", "seg.x.1.2.3", "é", "日本 語"])
    func namesComeBackAsTheyWent(conversation: String) throws {
        let name = SegmentName(conversationID: conversation, dayBucket: 19_675, writer: lane, sequence: 12)
        #expect(name.text == "seg.\(conversation).19675.\(lane.hex).12")
        #expect(try SegmentName(bytes: name.bytes) == name)
    }

    @Test func otherTextsAreRefused() {
        let hex = lane.hex
        for text in [
            "", "seg", "seg.", "seg...", "seg..1.\(hex).1", "read.bob", "seg.bob.1.\(hex)", "seg.bob.x.\(hex).1",
            "seg.bob.01.\(hex).1", "seg.bob.1.\(hex.uppercased()).1", "seg.bob.1.\(hex.dropLast()).1",
            "seg.bob.1.\(hex).", "seg.bob..\(hex).1", "seg.bob.1.\(hex).18446744073709551616", "seg.bob.-1.\(hex).1",
            "seg.\(String(repeating: "c", count: 257)).1.\(hex).1",
        ] {
            #expect(throws: SegmentError.badName, "\(text)") { try SegmentName(bytes: Array(text.utf8)) }
        }
        #expect(throws: SegmentError.badName) { try SegmentName(bytes: [0x73, 0x65, 0x67, 0x2e, 0xff]) }
        let invalid = Array("seg.".utf8) + [0xff] + Array(".1.\(hex).1".utf8)
        #expect(throws: SegmentError.badName) { try SegmentName(bytes: invalid) }
    }
}
