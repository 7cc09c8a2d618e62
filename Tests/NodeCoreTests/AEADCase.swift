/// A group of cases of Wycheproof's AEAD files.
struct AEADGroup: Decodable {
    let ivSize: Int
    let tests: [AEADCase]
}

/// One case, its fields in hexadecimal.
struct AEADCase: Decodable {
    let tcId: Int
    let key: String
    let iv: String
    let aad: String
    let msg: String
    let ct: String
    let tag: String
    let result: String
}
