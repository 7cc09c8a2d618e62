import Commands
import Node

/// What a user who pairs reads, and what is made of the answers.
struct PairingScreen {
    private enum Question {
        case whichDevice
        /// Whether these are the same.
        case digits(String)
        /// Others stood here before, and whoever said `yes` may have meant those: which digits the other device shows.
        case otherDigits
    }

    private let intro: String
    private var value = JSONValue.null
    private var question: Question?
    private var hasBegun = false
    private var lastTries: Int64?
    /// The device that was shown as found.
    private var found: String?

    init(_ request: Invocation, program: String) {
        let seconds = request.text("--timeout") ?? "120"
        let other =
            switch request.command {
            case "account pair" where request.has("--join"):
                "`kachat-node account pair` on the device that has the account"
            case "account pair": "`kachat-node account pair --join`, or `kachat-node setup`, on the other device"
            case "group invite": "`kachat-node group join --nearby` on the other person's device"
            default: "`kachat-node group invite GROUP --nearby` on the device of a member"
            }
        intro = "For \(seconds) seconds this device can be seen by others that pair. Start \(other)."
    }

    mutating func update(_ value: JSONValue) {
        self.value = value
        question =
            switch value["state"]?.text {
            case "choosing": .whichDevice
            case "comparing" where value["lastTry"] != nil: .otherDigits
            case "comparing": value["digits"]?.text.map { .digits($0) }
            default: nil
            }
    }

    /// What is to be shown now.
    ///
    /// - Parameter asks: somebody is at a terminal; else the commands are told by which scripts answer.
    mutating func text(asks: Bool) -> [String] {
        var lines: [String] = []
        if !hasBegun {
            hasBegun = true
            lines.append(intro)
        }
        if let left = value["triesLeft"]?.integer {
            if let lastTries, left < lastTries, let why = value["lastTry"]?.text {
                lines.append("That try came to nothing: \(why). \(left == 1 ? "1 try is" : "\(left) tries are") left.")
                lines.append("If nobody was mistaken, somebody may stand between the devices: do not go on then.")
            }
            lastTries = left
        }
        switch value["state"]?.text {
        case "choosing":
            lines.append("More than one device is here:")
            lines += devices.map { "  \($0)" }
            lines.append(
                asks
                    ? "Type the tag of the one that is meant (it stands on its display too):"
                    : "`kachat-node pairing choose TAG` says which one is meant.")
        case "waiting" where found != peer:
            found = peer
            lines.append("Found \(peer).")
        case "comparing": lines += comparison(asks: asks)
        case "confirmed": lines.append("Now \(peer) has to agree, too.")
        case "moving": lines.append("Both agree.")
        case "done": lines += result
        case "joined", "pending", "joining": lines += joined
        default: break
        }
        return lines
    }

    private func comparison(asks: Bool) -> [String] {
        let digits = value["digits"]?.text ?? ""
        let prompt =
            switch question {
            case _ where !asks:
                "If \(peer) shows the same digits: `kachat-node pairing confirm DIGITS`, else `pairing refuse`."
            case .otherDigits: "Which digits does \(peer) show now? Type those six, or `no`:"
            default: "Does \(peer) show the same digits? Type `yes` or `no`:"
            }
        return ["", "    \(digits.prefix(3)) \(digits.suffix(3))", "", prompt]
    }

    private var result: [String] {
        let name = Terminal.harmless(value["peer"]?.text ?? "the other device")
        if let title = value["title"]?.text {
            return ["\(name) may join \(Terminal.harmless(title)) as \(value["role"]?.text ?? "member"), and does."]
        }
        guard value["deviceId"] != nil else { return ["\(name) has the account now."] }
        return ["This device has the account of \(name) now: \(value["label"]?.text ?? "")."]
    }

    private var joined: [String] {
        let title = Terminal.harmless(value["title"]?.text ?? "")
        return value["state"]?.text == "joined"
            ? ["Joined \(title)."] : ["pending: \(title) \(value["waitsFor"]?.text ?? "")"]
    }

    private var devices: [String] { (value["peers"]?.elements ?? []).map { Self.name($0["name"], $0["tag"]) } }
    private var peer: String { Self.name(value["peer"], value["tag"]) }

    /// Others chose these names: they may say anything.
    private static func name(_ name: JSONValue?, _ tag: JSONValue?) -> String {
        "\"\(Terminal.harmless(name?.text ?? ""))\" (\(tag?.text ?? ""))"
    }

    /// What a typed line asks of the node; nil where it does not say.
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
