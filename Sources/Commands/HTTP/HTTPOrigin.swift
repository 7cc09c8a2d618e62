/// The hosts and origins that a request may name. A foreign page that resolves its own name to this machine (DNS
/// rebinding), or sends a form here, gives its own name.
struct HTTPOrigin {
    /// `127.0.0.1:47768` and so on, in lower case.
    private let hosts: Set<String>

    /// - Parameter port: the API's.
    init(port: UInt16) {
        var hosts: Set<String> = []
        for host in ["127.0.0.1", "localhost", "[::1]"] {
            hosts.insert("\(host):\(port)")
            // Clients leave out the default port.
            if port == 80 { hosts.insert(host) }
        }
        self.hosts = hosts
    }

    /// Why the request is refused; nil if it is not.
    package func complaint(_ request: HTTPRequest) -> Problem? {
        // No browser can reach the home's socket, so its requests may name any host.
        if case .network = request.source {
            guard let host = request.header("host"), hosts.contains(host.lowercased()) else { return .badHost }
        }
        guard request.has("origin") else { return nil }
        guard let origin = request.header("origin")?.lowercased(), origin.hasPrefix("http://"),
            hosts.contains(String(origin.dropFirst(7)))
        else { return .badOrigin }
        return nil
    }
}
