import SyncState

/// The exit status of a command. Scripts rely on the numbers.
package enum ExitStatus: Int32, Sendable {
    case done = 0
    case failed = 1
    case usage = 2
    case unreachable = 3
    case notAllowed = 4
    case notFound = 5
    case timedOut = 6
}

/// An error as presented to the user: a stable code for scripts and logs, a sentence with advice, and an exit status.
package struct NodeError: Error, StoreFailure, Sendable, CustomStringConvertible {
    /// A stable, lower-case word. The set may grow.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        package static let usage = Code(rawValue: "usage")
        /// Deleting this needs a confirmation first.
        package static let unconfirmed = Code(rawValue: "unconfirmed")
        package static let failed = Code(rawValue: "failed")
        package static let badInput = Code(rawValue: "bad-input")
        package static let damaged = Code(rawValue: "damaged")
        package static let exists = Code(rawValue: "exists")
        package static let notWritten = Code(rawValue: "not-written")
        package static let badPhrase = Code(rawValue: "bad-phrase")
        package static let otherAccount = Code(rawValue: "other-account")
        package static let tooManyTries = Code(rawValue: "too-many-tries")
        package static let noIdentity = Code(rawValue: "no-identity")
        package static let badIdentity = Code(rawValue: "bad-identity")
        package static let badSettings = Code(rawValue: "bad-settings")
        package static let accountExists = Code(rawValue: "account-exists")
        package static let alreadyInitialised = Code(rawValue: "already-initialised")
        package static let homeNotWritable = Code(rawValue: "home-not-writable")
        package static let homeInUse = Code(rawValue: "home-in-use")
        package static let portInUse = Code(rawValue: "port-in-use")
        package static let storage = Code(rawValue: "storage")
        package static let storageFull = Code(rawValue: "storage-full")
        package static let storageDamaged = Code(rawValue: "storage-damaged")
        package static let newerStore = Code(rawValue: "newer-store")
        package static let notReachable = Code(rawValue: "not-reachable")
        package static let notAllowed = Code(rawValue: "not-allowed")
        package static let notFound = Code(rawValue: "not-found")
        package static let timedOut = Code(rawValue: "timed-out")
        package static let foreignToken = Code(rawValue: "foreign-token")
        package static let expiredToken = Code(rawValue: "expired-token")
        package static let protocolError = Code(rawValue: "protocol")
    }

    package let code: Code

    /// The problem and its remedy. The display decides the wording.
    package let sentence: Sentence

    private var isKnown = false

    /// One line for a terminal.
    package var message: String { sentence.words }

    package static let storageFull = NodeError(.storageFull, "storage full: free some disk space, then try again")

    // A literal must become a sentence: a plain text would lose its parameters.
    @_disfavoredOverload
    package init(_ code: Code, _ message: String) { self.init(code, Sentence(message)) }

    package init(_ code: Code, _ sentence: Sentence) {
        (self.code, self.sentence) = (code, sentence)
    }

    package var exitStatus: ExitStatus {
        switch code {
        case .usage, .unconfirmed: .usage
        case .notReachable: .unreachable
        case .notAllowed, .foreignToken: .notAllowed
        case .notFound, .expiredToken: .notFound
        case .timedOut: .timedOut
        default: .failed
        }
    }

    /// The store could not be written or read, so nothing of the turn is kept.
    package var isStoreFault: Bool { !isKnown && (code == .storage || isOutOfRoom || isLasting) }

    /// The error that stands for one that a store had before: nothing was tried, so nothing new failed.
    package var known: NodeError {
        var error = self
        error.isKnown = true
        return error
    }

    /// The same error, blaming the parameter that named what is not there, or several.
    package func blaming(_ parameter: String) -> NodeError {
        guard [.notFound, .usage, .badPhrase].contains(code) else { return self }
        var error = NodeError(code, sentence.blaming(parameter))
        error.isKnown = isKnown
        return error
    }

    package var isOutOfRoom: Bool { code == .storageFull }
    package var isLasting: Bool { code == .storageDamaged || code == .newerStore }

    package var description: String { "\(message) [\(code.rawValue)]" }
}
