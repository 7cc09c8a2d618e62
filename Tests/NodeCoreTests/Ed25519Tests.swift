import NodeCore
import Testing

@Suite struct Ed25519Tests {
    @Test func wycheproof() throws {
        struct Group: Decodable {
            struct Key: Decodable {
                let pk: String
            }
            let publicKey: Key
            let tests: [Case]
        }
        struct Case: Decodable {
            let tcId: Int
            let msg: String
            let sig: String
            let result: String
        }
        let file = try Wycheproof<Group>.load("ed25519")
        var checked = 0
        for group in file.testGroups {
            let key = try #require(Bytes32(hex: group.publicKey.pk))
            for test in group.tests {
                checked += 1
                let valid = Ed25519.verify(signature: try hex(test.sig), message: try hex(test.msg), publicKey: key)
                #expect(valid == (test.result == "valid"), "\(test.tcId)")
            }
        }
        #expect(checked == file.numberOfTests)
    }

    /// RFC 8032 §7.1, tests 1 and 2.
    @Test(arguments: [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555"
                + "fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da0"
                + "85ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
    ])
    func signs(_ seed: String, _ publicKey: String, _ message: String, _ signature: String) throws {
        let pair = Ed25519.KeyPair(seed: Secret(bytes: try hex(seed)))
        #expect(pair.publicKey.hex == publicKey)
        let signed = pair.sign(try hex(message))
        #expect(Hex.encode(signed) == signature)
        #expect(Ed25519.verify(signature: signed, message: try hex(message), publicKey: pair.publicKey))
        #expect(!Ed25519.verify(signature: signed, message: [1, 2, 3], publicKey: pair.publicKey))
        #expect(!Ed25519.verify(signature: signed + [0], message: try hex(message), publicKey: pair.publicKey))
        #expect(!Ed25519.verify(signature: [], message: try hex(message), publicKey: pair.publicKey))
    }
}
