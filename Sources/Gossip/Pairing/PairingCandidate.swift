/// A device that pairs too.
package struct PairingCandidate: Equatable, Sendable {
    /// Four hexadecimal digits, the same on both displays.
    package let tag: String
    /// What it calls itself.
    package let name: String
}

extension PairingCandidate {
    init(_ talk: PairingTalk) { self.init(tag: talk.proof.tag, name: talk.name) }
}
