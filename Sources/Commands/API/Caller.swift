import Node
import NodeCore

/// The caller of a request, and the caller's rights.
enum Caller {
    /// On the home's socket; the file's mode protects it.
    case owner
    case holder(APIToken)
    /// Unauthenticated: may only use open endpoints.
    case stranger

    /// The only account that the caller may see; nil for all.
    package var account: AccountID? {
        if case .holder(let token) = self { token.account } else { nil }
    }

    var tokenID: String? {
        if case .holder(let token) = self { token.id } else { nil }
    }

    /// The holder whose share its connections count against; nil for strangers.
    package var holder: HTTPHolder? {
        switch self {
        case .owner: .owner
        case .holder(let token): .token(token.id)
        case .stranger: nil
        }
    }

    var seesChats: Bool { sees(.chatRead) }
    var seesGroups: Bool { sees(.groupsRead) }

    private func sees(_ scope: APIScope) -> Bool {
        if case .holder(let token) = self { token.allows(scope) } else { true }
    }

    /// Why the caller may not use the endpoint; nil if it may.
    package func complaint(_ access: Endpoint.Access) -> Problem? {
        switch (access, self) {
        case (.open, _), (_, .owner), (.anyToken, .holder): return nil
        case (_, .stranger): return .unauthorized
        case (.scope(let scope), .holder(let token)):
            guard token.allows(scope) else { return .forbidden("the token lacks the scope \(scope.rawValue)") }
            // Commands about the whole node concern other accounts, too.
            guard scope != .admin || token.account == nil else {
                return .forbidden("the token gives access to one account only")
            }
            return nil
        case (.either(let one, let other), .holder(let token)):
            return token.allows(one) || token.allows(other)
                ? nil : .forbidden("the token lacks the scope \(one.rawValue) or \(other.rawValue)")
        case (.feed, .holder(let token)):
            return token.allows(.chatRead) || token.allows(.groupsRead)
                ? nil : .forbidden("the token lacks the scope chat:read, or groups:read for changes of groups")
        case (.home, .holder): return .forbidden("this works on the home's socket only")
        case (.owner, .holder(let token)):
            return token.isDashboard
                ? nil : .forbidden("this needs the dashboard or the home's socket; a token does not allow it")
        }
    }
}
