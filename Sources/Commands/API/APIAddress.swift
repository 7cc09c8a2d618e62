package import Node
import NodeCore
package import Transport

/// Where `run` has the local API listen.
package struct APIAddress {
    private let wanted: SocketAddress?
    /// Somebody named it: another one will not do.
    private let isNamed: Bool
    /// The user chose the port by the setting `api.port`.
    private let isSet: Bool

    /// - Parameter text: of `--api`; without it the setting counts.
    package init(_ text: String?, settings: NodeSettings) throws(NodeError) {
        isNamed = text != nil
        isSet = settings.source(.apiPort) != "default"
        switch text {
        case nil: wanted = SocketAddress(ipv4: 0x7F00_0001, port: settings.apiPort)
        case "off"?: wanted = nil
        case let text?:
            guard let address = HostPort(text)?.onThisMachine else {
                throw NodeError(.usage, "--api \(ValueKind.api.complaint(text) ?? ""), not `\(text)`")
            }
            wanted = address
        }
    }

    /// Takes any free port where nobody asked for the one that is in use, and says so. That is usual where a machine
    /// has several nodes. Where the setting names the port it is a warning: apps are told to look there, and whoever
    /// has it, another user of this machine perhaps, is sent their tokens.
    package func listen(_ api: APIServer, _ loop: EventLoop, _ log: Log) throws(NodeError) {
        guard let wanted else { return }
        do throws(Transport.SystemError) {
            do throws(Transport.SystemError) {
                try api.listen(on: wanted, loop: loop)
            } catch {
                guard error.isAddressInUse, !isNamed else { throw error }
                try api.listen(on: wanted.with(port: 0), loop: loop)
                let text = "another program has \(wanted): the API is at \(api.address ?? "no address")"
                guard isSet else { return log.line(.info, "api-port", text) }
                log.line(
                    .warning, "api-port", text + "; a token that an app sends to \(wanted) goes to that program")
            }
        } catch {
            guard error.isAddressInUse else {
                throw NodeError(.failed, "the API cannot listen on \(wanted): \(error)")
            }
            throw NodeError(.portInUse, "the port \(wanted) is in use: choose another with --api HOST:PORT")
        }
    }
}
