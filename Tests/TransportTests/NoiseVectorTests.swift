import Foundation
import NodeCore
import Testing

@testable import Transport

/// The published vector of the handshake, run through the code that sessions use.
@Suite struct NoiseVectorTests {
    struct Vector: Decodable {
        struct Message: Decodable {
            let payload: String
            let ciphertext: String
        }

        let protocolName: String
        let handshakeHash: String
        let initPrologue: String
        let initEphemeral: String
        let initPsks: [String]
        let respPrologue: String
        let respEphemeral: String
        let respPsks: [String]
        let messages: [Message]
    }

    private func vector() throws -> Vector {
        struct File: Decodable { let vectors: [Vector] }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let url = try #require(
            Bundle.module.url(forResource: "noise-cacophony", withExtension: "json", subdirectory: "Vectors"))
        let file = try decoder.decode(File.self, from: Data(contentsOf: url))
        #expect(file.vectors.count == 1)
        return try #require(file.vectors.first)
    }

    @Test func everyMessageIsTheSame() throws {
        let vector = try vector()
        #expect(NoiseHandshake.protocolName == vector.protocolName)
        #expect(vector.messages.count == 6)
        var sides = [
            try handshake(.initiator, vector.initPrologue, vector.initEphemeral, vector.initPsks),
            try handshake(.responder, vector.respPrologue, vector.respEphemeral, vector.respPsks),
        ]
        var ciphers: [(sending: CipherState, receiving: CipherState)] = []
        for (index, message) in vector.messages.enumerated() {
            let sender = index % 2
            let receiver = 1 - sender
            let payload = try #require(Hex.decode(message.payload))
            if !sides[sender].isFinished {
                #expect(sides[receiver].isReading && !sides[sender].isReading)
                let written = try sides[sender].writeMessage(payload: payload)
                #expect(Hex.encode(written) == message.ciphertext)
                #expect(try sides[receiver].readMessage(written) == payload)
                if sides[sender].isFinished {
                    for side in sides { #expect(Hex.encode(side.handshakeHash) == vector.handshakeHash) }
                    ciphers = [sides[0].split(), sides[1].split()]
                }
                continue
            }
            var sealed = [UInt8](repeating: 0, count: payload.count + 16)
            try payload.withUnsafeBytes { payload in
                try sealed.withUnsafeMutableBytes {
                    try ciphers[sender].sending.seal(payload, associatedData: .init(start: nil, count: 0), into: $0)
                }
            }
            #expect(Hex.encode(sealed) == message.ciphertext)
            var opened = [UInt8](repeating: 0, count: payload.count)
            let count = try sealed.withUnsafeBytes { sealed in
                try opened.withUnsafeMutableBytes {
                    try ciphers[receiver].receiving.open(
                        sealed, associatedData: .init(start: nil, count: 0), into: $0)
                }
            }
            #expect(count == payload.count && opened == payload)
        }
        #expect(!ciphers.isEmpty)
    }

    @Test func aNonceIsNeverUsedTwice() throws {
        var cipher = CipherState(key: Secret(bytes: [UInt8](repeating: 7, count: 32)), nonce: .max - 1)
        var output = [UInt8](repeating: 0, count: 16)
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        try output.withUnsafeMutableBytes { try cipher.seal(nothing, associatedData: nothing, into: $0) }
        #expect(throws: NoiseError.nonceExhausted) {
            try output.withUnsafeMutableBytes { try cipher.seal(nothing, associatedData: nothing, into: $0) }
        }
    }

    private func handshake(
        _ role: NoiseHandshake.Role, _ prologue: String, _ ephemeral: String, _ psks: [String]
    ) throws -> NoiseHandshake {
        #expect(psks.count == 1)
        return NoiseHandshake(
            role: role, prologue: try #require(Hex.decode(prologue)), psk: try secret(#require(psks.first)),
            ephemeral: try secret(ephemeral))
    }

    private func secret(_ hex: String) throws -> Secret {
        Secret(bytes: try #require(Hex.decode(hex)))
    }
}
