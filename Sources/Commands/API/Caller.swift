import Node
import NodeCore

/// Who makes a request, and what that one may do.
enum Caller {
    /// On the home's socket: its mode is the access.
    case owner
    case holder(APIToken)
    /// Nobody that is known; only what is open to all.
    case stranger

    /// The only account that the caller may look at; nil for all.
    package var account: AccountID? {
        if case .holder(let token) = self { token.account } else { nil }
    }

    var tokenID: String? {
        if case .holder(let token) = self { token.id } else { nil }
    }

    /// Under whom its connections are counted; nil for nobody who is known.
    package var holder: HTTPHolder? {
        switch self {
        case .owner: .owner
        case .holder(let token): .token(token.id)
        case .stranger: nil
        }
    }

    var seesChats: Bool {
        if case .holder(let token) = self { token.allows(.chatRead) } else { true }
    }

    /// Why the endpoint is closed to the caller; nil where it is open.
    package func complaint(_ access: Endpoint.Access) -> Problem? {
        switch (access, self) {
        case (.open, _), (_, .owner), (.anyToken, .holder): return nil
        case (_, .stranger): return .unauthorized
        case (.scope(let scope), .holder(let token)):
            guard token.allows(scope) else { return .forbidden("the token lacks the scope \(scope.rawValue)") }
            // What is about the whole node is more than one account's.
            guard scope != .admin || token.account == nil else {
                return .forbidden("the token is good for one account only")
            }
            return nil
        case (.feed, .holder(let token)):
            return token.allows(.chatRead) || token.allows(.groupsRead)
                ? nil : .forbidden("the token lacks the scope chat:read, or groups:read for what is about groups")
        case (.home, .holder): return .forbidden("this is for the home's socket")
        case (.owner, .holder(let token)):
            return token.isDashboard ? nil : .forbidden("this is for the dashboard, and for the home's socket")
        }
    }
}
