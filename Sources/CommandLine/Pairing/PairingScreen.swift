import Commands
import Node
import NodeModel

/// Shows the steps of a pairing to its user, and turns typed answers into requests.
struct PairingScreen {
    private enum Question {
        case whichDevice
        /// Ask whether the other device shows these digits.
        case digits(String)
        /// Ask for the digits on the other device: others stood here before, and a `yes` may have meant those.
        case otherDigits
    }

    private let intro: String
    private let program: Program
    private var status = PairingStatus()
    /// The outcome of `group join --nearby`.
    private var joined: JoinedGroup?
    private var question: Question?
    private var hasBegun = false
    private var lastTries: Int?
    /// The device last shown as found.
    private var found: String?

    init(_ request: Invocation, program: Program = Program(flag: nil)) {
        self.program = program
        let asked = request.text("--timeout") ?? "120"
        let time = Int(asked).map { Wording.count($0, "second") } ?? asked
        let other =
            switch request.command {
            case "account pair" where request.has("--join"):
                "`kachat-node account pair` on the device that has the account"
            case "account pair": "`kachat-node account pair --join`, or `kachat-node setup`, on the other device"
            case "group invite": "`kachat-node group join --nearby` on the other person's device"
            default: "`kachat-node group invite GROUP --nearby` on a member's device"
            }
        intro = "For \(time) other pairing devices can see this one. Now start \(other)."
    }

    /// - Parameter value: a `PairingStatus` or a `JoinedGroup`.
    mutating func update(_ value: JSONValue) {
        if let status = try? PairingStatus(json: value) { self.status = status }
        joined = ["joined", "joining", "pending"].contains(status.state) ? try? JoinedGroup(json: value) : nil
        question =
            switch status.state {
            case "choosing": .whichDevice
            case "comparing" where status.lastTry != nil: .otherDigits
            case "comparing": status.digits.map { .digits($0) }
            default: nil
            }
    }

    /// The lines to show now.
    ///
    /// - Parameter asks: true if the user answers at a terminal; otherwise the text names the commands for scripts.
    mutating func text(asks: Bool) -> [String] {
        var lines: [String] = []
        if !hasBegun {
            hasBegun = true
            lines.append(intro)
        }
        if let left = status.triesLeft {
            if let lastTries, left < lastTries, let why = status.lastTry {
                lines.append("That try failed: \(why). \(left == 1 ? "1 try is" : "\(left) tries are") left.")
                lines.append("If neither of you made a mistake, someone may be intercepting the connection: stop here.")
            }
            lastTries = left
        }
        switch status.state {
        case "choosing":
            lines.append("There is more than one device:")
            lines += (status.peers ?? []).map { "  \(Self.name($0.name, $0.tag))" }
            lines.append(
                asks
                    ? "Type the tag of the right one (that device shows it too):"
                    : "Choose one with \(program.command("pairing choose TAG")).")
        case "waiting" where found != peer:
            found = peer
            lines.append("Found \(peer).")
        case "comparing": lines += comparison(asks: asks)
        case "confirmed": lines.append("Waiting for \(peer) to agree.")
        case "moving": lines.append("Both agree.")
        case "done": lines.append(result)
        default: break
        }
        if let joined {
            let title = Terminal.harmless(joined.title)
            let isIn = joined.state == "joined"
            lines.append(isIn ? "Joined \(title)." : "Not in \(title) yet: \(joined.waitsFor ?? "-").")
        }
        return lines
    }

    private func comparison(asks: Bool) -> [String] {
        let digits = status.digits ?? ""
        let prompt =
            switch question {
            case _ where !asks:
                "If \(peer) shows the same digits: \(program.command("pairing confirm DIGITS")), "
                    + "else \(program.command("pairing refuse"))."
            case .otherDigits: "Which digits does \(peer) show now? Type those six, or `no`:"
            default: "Does \(peer) show the same digits? Type `yes` or `no`:"
            }
        return ["", "    \(digits.prefix(3)) \(digits.suffix(3))", "", prompt]
    }

    private var result: String {
        let name = Terminal.harmless(status.peer ?? "the other device")
        if let title = status.title {
            return "\(name) is joining \(Terminal.harmless(title)) as \(status.role?.rawValue ?? "member")."
        }
        guard status.deviceId != nil else { return "\(name) now has the account." }
        return "This device now has the account of \(name): \(status.label ?? "")."
    }

    private var peer: String { Self.name(status.peer ?? "", status.tag ?? "") }

    /// Others choose these names, so they may contain anything.
    private static func name(_ name: String, _ tag: String) -> String { "\"\(Terminal.harmless(name))\" (\(tag))" }

    /// The request that a typed line makes; nil if the line answers no question.
    func request(for typed: String) -> Invocation? {
        let words = typed.lowercased().filter { !$0.isWhitespace }
        if words == "stop" { return Invocation(command: "pairing stop", arguments: [:]) }
        switch question {
        case nil: return nil
        case .whichDevice:
            return words.count == 4 ? Invocation(command: "pairing choose", arguments: ["TAG": [words]]) : nil
        case .digits(let shown) where ["yes", "y"].contains(words):
            return Invocation(command: "pairing confirm", arguments: ["DIGITS": [shown]])
        case .digits, .otherDigits:
            if ["no", "n"].contains(words) { return Invocation(command: "pairing refuse", arguments: [:]) }
            guard words.count == 6, words.allSatisfy(\.isNumber) else { return nil }
            return Invocation(command: "pairing confirm", arguments: ["DIGITS": [words]])
        }
    }
}
