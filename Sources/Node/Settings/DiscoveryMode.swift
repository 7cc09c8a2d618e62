package import Transport

/// The interfaces for beacons: `--discovery auto|lo|off|IFACE,…`.
package enum DiscoveryMode: Equatable {
    /// Each interface of a kind that other people's devices are on.
    case auto
    /// This machine only.
    case loopback
    case off
    case named([String])

    package init(_ text: String) throws(NodeError) {
        switch text {
        case "auto": self = .auto
        case "lo": self = .loopback
        case "off": self = .off
        default:
            let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            guard names.allSatisfy(Self.isName), names.count <= Transport.Limits.beaconInterfaces else {
                throw NodeError(
                    .usage,
                    "--discovery must be auto, lo, off or interfaces such as eth0,wlan0\(Wording.instead(text))")
            }
            self = .named(names)
        }
    }

    /// IFNAMSIZ is 16 including the terminating zero. The kernel accepts more characters than these, but nobody uses
    /// them. A name that begins with a dash is an option whose value was forgotten.
    private static func isName(_ text: String) -> Bool {
        (1...15).contains(text.utf8.count) && !text.hasPrefix("-") && text.utf8.allSatisfy(isOfNames)
    }

    private static func isOfNames(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "@"):
            true
        default: false
        }
    }

    /// In the form that `init` reads.
    package var text: String {
        switch self {
        case .auto: "auto"
        case .loopback: "lo"
        case .off: "off"
        case .named(let names): names.joined(separator: ",")
        }
    }

    package func choose(among all: [NetworkInterface]) -> [NetworkInterface] {
        switch self {
        case .auto: NetworkInterface.forBeacons(among: all)
        case .loopback: NetworkInterface.forBeacons(among: all.filter(\.isLoopback), loopback: true)
        case .off: []
        case .named(let names): NetworkInterface.forBeacons(among: all, named: names)
        }
    }

    /// Refuses a name of no interface, which is a typing error on a command line. A setting may name an interface that
    /// comes later, such as that of a VPN.
    package func refuseUnknown(among all: [NetworkInterface]) throws(NodeError) {
        guard case .named(let names) = self else { return }
        for name in names where !all.contains(where: { $0.name == name }) {
            throw NodeError(.usage, "--discovery \(name): \(Self.absence(of: name, among: all))")
        }
    }

    /// Why beacons cannot use a named interface.
    package static func absence(of name: String, among all: [NetworkInterface]) -> String {
        guard !all.contains(where: { $0.name == name }) else {
            return "the interface \(name) cannot be used yet: it is down, or has no address"
        }
        let known = Set(all.map(\.name)).sorted().joined(separator: ", ")
        return "there is no interface \(name); there are: \(known)"
    }

    /// Named interfaces that beacons cannot use.
    package func missing(among chosen: [NetworkInterface]) -> [String] {
        guard case .named(let names) = self else { return [] }
        return names.filter { name in !chosen.contains { $0.name == name } }
    }
}
