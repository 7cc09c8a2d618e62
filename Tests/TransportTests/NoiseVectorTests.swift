import Foundation
import NodeCore
import Testing

@testable import Transport

/// The published vectors, run through the handshake and the ciphers that sessions use.
@Suite struct NoiseVectorTests {
    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        struct Message: Decodable {
            let payload: String
            let ciphertext: String
        }

        let protocolName: String
        let handshakeHash: String?
        let initPrologue: String
        let initEphemeral: String
        let initStatic: String?
        let initRemoteStatic: String?
        let initPsks: [String]?
        let respPrologue: String
        let respEphemeral: String
        let respStatic: String?
        let respRemoteStatic: String?
        let respPsks: [String]?
        let messages: [Message]

        var testDescription: String { protocolName }
    }

    static let vectors: [Vector] = ["noise-cacophony", "noise-snow"].flatMap { name -> [Vector] in
        struct File: Decodable { let vectors: [Vector] }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let url = Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Vectors"),
            let data = try? Data(contentsOf: url), let file = try? decoder.decode(File.self, from: data)
        else { return [] }
        return file.vectors
    }

    @Test func allVectorsAreThere() {
        #expect(Self.vectors.count == 16)
    }

    @Test(arguments: vectors)
    func everyMessageIsTheSame(_ vector: Vector) throws {
        let pattern = try #require(Self.pattern(vector.protocolName))
        #expect(pattern.protocolName == vector.protocolName)
        var sides = [
            try Self.handshake(
                pattern, .initiator, vector.initPrologue, vector.initStatic, vector.initRemoteStatic,
                vector.initEphemeral, vector.initPsks),
            try Self.handshake(
                pattern, .responder, vector.respPrologue, vector.respStatic, vector.respRemoteStatic,
                vector.respEphemeral, vector.respPsks),
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
                    #expect(sides[0].handshakeHash == sides[1].handshakeHash)
                    if let hash = vector.handshakeHash { #expect(Hex.encode(sides[0].handshakeHash) == hash) }
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

    private static func pattern(_ protocolName: String) -> NoisePattern? {
        let name = protocolName.split(separator: "_")[1]
        guard let fundamental = NoisePattern.Fundamental(rawValue: String(name.prefix(2))) else { return nil }
        let positions = name.dropFirst(2).split(separator: "+").compactMap { Int($0.dropFirst(3)) }
        return NoisePattern(fundamental, psk: positions)
    }

    private static func handshake(
        _ pattern: NoisePattern, _ role: NoiseRole, _ prologue: String, _ ownStatic: String?,
        _ remoteStatic: String?, _ ephemeral: String, _ psks: [String]?
    ) throws -> NoiseHandshake {
        NoiseHandshake(
            pattern: pattern, role: role, prologue: try #require(Hex.decode(prologue)),
            staticKey: try ownStatic.map { X25519.KeyPair(secret: try secret($0)) },
            remoteStatic: try remoteStatic.map { try #require(Bytes32(hex: $0)) },
            ephemeral: try secret(ephemeral), psks: try (psks ?? []).map(secret))
    }

    private static func secret(_ hex: String) throws -> Secret {
        Secret(bytes: try #require(Hex.decode(hex)))
    }
}
