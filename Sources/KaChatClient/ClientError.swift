/// The reason a call failed: a stable code, a sentence for people, and a remedy.
public struct ClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A stable, lower-case word: the node's (docs/API.md) or one of the client's own. The set may grow.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public let code: Code
    /// One sentence that says what is wrong; the node's own if it answered.
    public let message: String
    /// The answer's HTTP status; nil if there was no answer.
    public let status: Int?
    /// The invalid parameter, and the values it allows.
    public let parameter: String?
    public let allowed: String?
    /// Further details, such as the refused lines of an import.
    public let notes: [String]
    /// Seconds to wait before the next call.
    public let retryAfterSeconds: Int?

    public init(
        _ code: Code, _ message: String, status: Int? = nil, parameter: String? = nil, allowed: String? = nil,
        notes: [String] = [], retryAfterSeconds: Int? = nil
    ) {
        self.code = code
        self.message = message
        self.status = status
        self.parameter = parameter
        self.allowed = allowed
        self.notes = notes
        self.retryAfterSeconds = retryAfterSeconds
    }

    public var description: String { "\(message) [\(code.rawValue)]" }
}

extension ClientError.Code {
    /// The call is invalid: `parameter` says where.
    public static let usage = Self(rawValue: "usage")
    /// The content is refused.
    public static let badInput = Self(rawValue: "bad-input")
    /// The token is missing or invalid.
    public static let unauthorized = Self(rawValue: "unauthorized")
    /// The token or the user's role in a group does not permit it.
    public static let notAllowed = Self(rawValue: "not-allowed")
    /// There is no such message, conversation, group or member.
    public static let notFound = Self(rawValue: "not-found")
    /// It is not possible in the current state.
    public static let failed = Self(rawValue: "failed")
    /// It already exists.
    public static let exists = Self(rawValue: "exists")
    /// The place in the change feed is older than the oldest change kept.
    public static let expiredToken = Self(rawValue: "expired-token")
    /// The place in the change feed belongs to another store.
    public static let foreignToken = Self(rawValue: "foreign-token")
    /// Too many calls at once.
    public static let tooMany = Self(rawValue: "too-many")
    /// The node is not running, or is stopping.
    public static let notReachable = Self(rawValue: "not-reachable")
    /// The node's store fails.
    public static let storage = Self(rawValue: "storage")
    /// The disk is full, or the quota is used up.
    public static let storageFull = Self(rawValue: "storage-full")
    /// No answer in time.
    public static let timedOut = Self(rawValue: "timed-out")
    /// The answer cannot be read: this is another version of the node, or not a node.
    public static let badAnswer = Self(rawValue: "bad-answer")
    /// The task was cancelled.
    public static let cancelled = Self(rawValue: "cancelled")
}

extension ClientError {
    /// The right reaction of an app to an error.
    public enum Remedy: Hashable, Sendable {
        /// Correct the call; repeating it fails again.
        case correctTheCall
        /// Use another token, or one with more scopes: `kachat-node token create`.
        case changeTheToken
        /// Tell the user that it is not allowed, or does not exist.
        case tellTheUser
        /// Take a new place in the feed first (`client.place()`), then read everything again, then follow the feed from
        /// that place.
        case readEverythingAnew
        /// Try again later, automatically. Everything accepted before is safe.
        case tryAgain
        /// Start the node: `kachat-node run`.
        case startTheNode
        /// Free disk space, or raise the quota. Reading still works.
        case makeRoom
        /// Update node and client to the same version.
        case update
        /// Nothing: the app cancelled the call.
        case nothing
    }

    public var remedy: Remedy {
        switch code {
        case .unauthorized: .changeTheToken
        case .notAllowed, .notFound, .failed, .exists, .badInput: .tellTheUser
        case .expiredToken, .foreignToken: .readEverythingAnew
        case .tooMany, .timedOut, .storage: .tryAgain
        case .notReachable: .startTheNode
        case .storageFull: .makeRoom
        case .badAnswer: .update
        case .cancelled: .nothing
        case _ where (status ?? 0) >= 500: .tryAgain
        default: .correctTheCall
        }
    }

    /// True if the same call can succeed later without anyone's help. Streams retry these errors themselves.
    public var isPassing: Bool { remedy == .tryAgain || remedy == .startTheNode }

    static let cancelled = ClientError(.cancelled, "the task was cancelled")

    static func badAnswer(_ reason: String) -> ClientError {
        ClientError(.badAnswer, "the node's answer cannot be read: \(reason)")
    }
}
