import JSONLines
import Testing

@testable import CommandLine
@testable import Commands
@testable import Node

@Suite struct PairingScreenTests {
    private func comparing(_ digits: String, lastTry: String? = nil) -> JSONValue {
        var fields: [String: JSONValue] = [
            "state": .string("comparing"), "digits": .string(digits), "peer": .string("phone"), "tag": .string("00ff"),
            "triesLeft": .int(lastTry == nil ? 3 : 2),
        ]
        if let lastTry { fields["lastTry"] = .string(lastTry) }
        return .object(fields)
    }

    private func screen(_ value: JSONValue) -> PairingScreen {
        var screen = PairingScreen(Invocation(command: "account pair", arguments: [:]))
        screen.update(value)
        return screen
    }

    private func words(_ request: Invocation?) -> String {
        [request?.command, request?.text("DIGITS")].compactMap(\.self).joined(separator: " ")
    }

    @Test func ofTheFirstDigitsItIsEnoughToSayYes() {
        var first = screen(comparing("123456"))
        #expect(first.text(asks: true).last == "Does \"phone\" (00ff) show the same digits? Type `yes` or `no`:")
        #expect(words(first.request(for: " Yes ")) == "pairing confirm 123456")
        #expect(words(first.request(for: "654 321")) == "pairing confirm 654321")
        #expect(words(first.request(for: "no")) == "pairing refuse")
        #expect(words(first.request(for: "maybe")) == "")
        #expect(words(first.request(for: "stop")) == "pairing stop")
    }

    /// A man in the middle can end a try in which both saw the same digits, and begin his own while the user is typing.
    @Test func aYesForDigitsThatAreGoneConsentsToNoOthers() {
        var next = screen(comparing("222222", lastTry: "the connection was lost"))
        #expect(next.text(asks: true).last == "Which digits does \"phone\" (00ff) show now? Type those six, or `no`:")
        #expect(words(next.request(for: "yes")) == "")
        #expect(words(next.request(for: "y")) == "")
        #expect(words(next.request(for: "123456")) == "pairing confirm 123456")
        #expect(words(next.request(for: "n")) == "pairing refuse")
    }
}
