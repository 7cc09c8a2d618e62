/// Which hosts and origins a request may name: a page of somebody else that has its own name resolve to this machine
/// (DNS rebinding), or that sends a form here, names itself.
struct HTTPOrigin {
    /// `127.0.0.1:47768` and so on, in lower case.
    private let hosts: Set<String>

    /// - Parameter port: where the API listens.
    init(port: UInt16) {
        var hosts: Set<String> = []
        for host in ["127.0.0.1", "localhost", "[::1]"] {
            hosts.insert("\(host):\(port)")
            // A client leaves the usual port out.
            if port == 80 { hosts.insert(host) }
        }
        self.hosts = hosts
    }

    /// Why the request is refused; nil where it may come in.
    package func complaint(_ request: HTTPRequest) -> Problem? {
        // Nobody's browser reaches the home's socket, so the name in the request says nothing there.
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
