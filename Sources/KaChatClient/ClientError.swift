/// Why a call failed: a stable code, a sentence for people, and what to do about it.
public struct ClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A stable, lower-case word: the node's (docs/API.md) or one of the client's own. The set may grow.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public let code: Code
    /// One sentence: what is wrong. In the node's words where it answered.
    public let message: String
    /// The answer's HTTP status; nil where there was none.
    public let status: Int?
    /// The parameter that is to blame, and what is allowed there.
    public let parameter: String?
    public let allowed: String?
    /// What was said besides, such as the lines of an import that were refused.
    public let notes: [String]
    /// How long the node wants to be left alone, in seconds.
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
    /// The call is wrong: `parameter` says where.
    public static let usage = Self(rawValue: "usage")
    /// The content is refused.
    public static let badInput = Self(rawValue: "bad-input")
    /// The token is missing or not good.
    public static let unauthorized = Self(rawValue: "unauthorized")
    /// The token, or one's role in a group, does not allow it.
    public static let notAllowed = Self(rawValue: "not-allowed")
    /// No such message, conversation, group, member.
    public static let notFound = Self(rawValue: "not-found")
    /// It does not go as things stand.
    public static let failed = Self(rawValue: "failed")
    /// There is one already.
    public static let exists = Self(rawValue: "exists")
    /// The place in the change feed is older than what is kept.
    public static let expiredToken = Self(rawValue: "expired-token")
    /// The place in the change feed is another store's.
    public static let foreignToken = Self(rawValue: "foreign-token")
    /// Too much at once.
    public static let tooMany = Self(rawValue: "too-many")
    /// The node is not there, or is stopping.
    public static let notReachable = Self(rawValue: "not-reachable")
    /// The node's store fails.
    public static let storage = Self(rawValue: "storage")
    /// The disk is full, or the quota used.
    public static let storageFull = Self(rawValue: "storage-full")
    /// No answer in time.
    public static let timedOut = Self(rawValue: "timed-out")
    /// The answer was not understood: the node is of another version, or is none.
    public static let badAnswer = Self(rawValue: "bad-answer")
    /// The task was cancelled.
    public static let cancelled = Self(rawValue: "cancelled")
}

extension ClientError {
    /// What an app does about an error.
    public enum Remedy: Hashable, Sendable {
        /// Correct the call; the same again fails again.
        case correctTheCall
        /// Ask for another token, or one with more scopes: `kachat-node token create`.
        case changeTheToken
        /// Say to the user that it is not allowed, or not there.
        case tellTheUser
        /// Take a new token of the feed first (`client.place()`), then read everything anew, then go on from there.
        case readEverythingAnew
        /// Try again later, by itself. What was accepted before is safe.
        case tryAgain
        /// Start the node: `kachat-node run`.
        case startTheNode
        /// Make room on the disk, or raise the quota. Reading goes on meanwhile.
        case makeRoom
        /// Bring node and client to the same version.
        case update
        /// Nothing: the app itself has ended the call.
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

    /// Whether the same call can succeed later without anybody's doing. Streams try these again by themselves.
    public var isPassing: Bool { remedy == .tryAgain || remedy == .startTheNode }

    static let cancelled = ClientError(.cancelled, "the task was cancelled")

    static func badAnswer(_ reason: String) -> ClientError {
        ClientError(.badAnswer, "the node's answer is not understood: \(reason)")
    }
}
