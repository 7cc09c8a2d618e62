import NodeCore
import Testing

@testable import Gossip

@Suite struct PairingMessageTests {
    private let messages: [PairingMessage] = [
        .hello(role: .gives, subject: .group, id: PairingID(Bytes16(1, 2)), name: "Annas Gerät"), .chosen,
        .commitment(Bytes32(1, 2, 3, 4)),
        .nonce(Bytes32(5, 6, 7, 8)), .consent, .genesis([4]),
        .lane(PairingRoom.lane(of: 3)), .secret([1, 2, 3]), .taken(path: [4, 5]), .refused(.notChosen),
    ]

    @Test func whatIsWrittenIsRead() throws {
        for message in messages { #expect(try PairingMessage(decoding: message.encoded) == message) }
    }

    @Test func whatIsNoneIsRefused() {
        for message in messages {
            let bytes = message.encoded
            for count in 0..<bytes.count {
                #expect(throws: PairingFault.malformed) { try PairingMessage(decoding: Array(bytes[..<count])) }
            }
            #expect(throws: PairingFault.malformed) { try PairingMessage(decoding: bytes + [0]) }
        }
        var random = SeededRandom(seed: 1)
        for _ in 0..<20_000 {
            let bytes = [UInt8(40 + random.next() % 11)] + random.bytes(Int(random.next() % 40))
            _ = try? PairingMessage(decoding: bytes)
        }
    }

    @Test(arguments: ["", "a\u{1B}[2J", "a\u{202E}b", String(repeating: "x", count: 129), "a\nb"])
    func namesThatAreNoneAreRefused(name: String) {
        let bytes = PairingMessage.hello(
            role: .gives, subject: .account, id: PairingID(Bytes16(1, 2)), name: name
        ).encoded
        #expect(throws: PairingFault.malformed) { try PairingMessage(decoding: bytes) }
    }

    @Test func digitsAreSixDigits() {
        #expect(PairingDigits(text: "042 317")?.number == 42_317)
        #expect(PairingDigits(number: 42).text == "000042")
        for text in ["", "12345", "1234567", "12345a", "１２３４５６", "-12345"] {
            #expect(PairingDigits(text: text) == nil)
        }
    }
}
