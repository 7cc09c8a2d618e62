package import Node
import NodeCore

/// What `init` does, for a program that the node runs in.
package enum HostedHome {
    /// Makes a home with one account.
    ///
    /// - Parameters:
    ///   - name: the device's.
    ///   - phrase: of the account that it joins; nil for a new account.
    /// - Returns: the account's phrase.
    package static func make(_ home: HomeFolder, name: String, phrase: String?) throws(NodeError) -> String {
        let given = try phrase.map { phrase throws(NodeError) in try RecoveryPhrase.entropy(of: phrase) }
        let made = try NewHome.make(
            home, name: try NewHome.checked(name: name), secret: given.map { .phrase(entropy: $0) }, version: nil,
            clock: SystemClock(), environment: .ofProcess())
        defer { made.node.close() }
        guard let entropy = given ?? made.newPhrase else {
            preconditionFailure("invariant: an account has a phrase that was given or made")
        }
        return try RecoveryPhrase.words(entropy: entropy).joined(separator: " ")
    }
}
