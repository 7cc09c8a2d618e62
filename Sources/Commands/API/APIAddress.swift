package import Node
import NodeCore
package import Transport

/// The address of `run`'s local API.
package struct APIAddress {
    private let wanted: SocketAddress?
    /// The command line named the address, so no other may be used.
    private let isNamed: Bool
    /// The user chose the port by the setting `api.port`.
    private let isSet: Bool

    /// - Parameter text: the value of `--api`; nil to use the setting.
    package init(_ text: String?, settings: NodeSettings) throws(NodeError) {
        isNamed = text != nil
        isSet = settings.source(.apiPort) != "default"
        switch text {
        case nil: wanted = SocketAddress(ipv4: 0x7F00_0001, port: settings.apiPort)
        case "off"?: wanted = nil
        case let text?:
            guard let address = HostPort(text)?.onThisMachine else {
                throw NodeError(.usage, "--api \(ValueKind.api.complaint(text) ?? "")\(Wording.instead(text))")
            }
            wanted = address
        }
    }

    /// Listens. If the port is in use and the command line did not name it, takes any free port and logs that, which is
    /// usual on a machine with several nodes. If the setting names the port, the log line is a warning: apps send their
    /// tokens to that port, and so to the program that has it, perhaps another user's.
    package func listen(_ api: APIServer, _ loop: EventLoop, _ log: Log) throws(NodeError) {
        guard let wanted else { return }
        do throws(Transport.SystemError) {
            do throws(Transport.SystemError) {
                try api.listen(on: wanted, loop: loop)
            } catch {
                guard error.isAddressInUse, !isNamed else { throw error }
                try api.listen(on: wanted.with(port: 0), loop: loop)
                let text = "another program uses \(wanted): the API is at \(api.address ?? "no address")"
                guard isSet else { return log.line(.info, "api-port", text) }
                log.line(.warning, "api-port", text + "; a token that an app sends to \(wanted) goes to that program")
            }
        } catch {
            guard error.isAddressInUse else { throw NodeError(.failed, "the API cannot listen on \(wanted): \(error)") }
            throw NodeError(.portInUse, "the port \(wanted) is in use: choose another with --api HOST:PORT")
        }
    }
}
