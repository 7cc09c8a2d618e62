import Testing

@testable import Node

@Suite struct NamingTests {
    private struct Thing {
        let ids: [String]
        var name: String?
        var isPresent = true
    }

    private let naming = Naming<Thing>(
        "thing", list: "kachat-node thing list", ids: \.ids, name: \.name, rank: { $0.isPresent ? 1 : 0 })

    private func found(_ text: String, in things: [Thing]) throws -> String { try naming.find(text, in: things).ids[0] }

    private static let several = [
        Thing(ids: ["9f02aa31", "77000000"], name: "Phone"), Thing(ids: ["9f03bb31"], name: "laptop"),
        Thing(ids: ["5555cc31"], name: "9f03"), Thing(ids: ["6666dd31"], name: "phone"), Thing(ids: ["1234ee31"]),
    ]

    @Test(arguments: [
        // A whole id in any case, including a former one; a name as it is and in another case; the beginning of an id.
        ("9F02AA31", "9f02aa31"), ("77000000", "9f02aa31"), ("phone", "6666dd31"), ("Phone", "9f02aa31"),
        ("LAPTOP", "9f03bb31"), ("9f02", "9f02aa31"), ("7700", "9f02aa31"), ("1234ee", "1234ee31"),
        // A name takes precedence over the beginning of an id.
        ("9f03", "5555cc31"), ("9f03b", "9f03bb31"),
    ])
    func oneIsFound(text: String, id: String) throws { #expect(try found(text, in: Self.several) == id) }

    @Test func tooLittleOfAnIDNamesNothing() {
        let error = #expect(throws: NodeError.self) { try found("9f0", in: Self.several) }
        #expect(error?.code == .notFound)
        #expect(
            error?.message == """
                there is no thing `9f0`; there is: Phone (9f02aa31), laptop (9f03bb31), 9f03 (5555cc31), \
                phone (6666dd31), 1234ee31
                """)
        let many = (0..<9).map { Thing(ids: ["0000000\($0)"]) }
        let other = #expect(throws: NodeError.self) { try naming.find("x", in: many, absence: .usage) }
        #expect(other?.code == .usage)
        #expect(other?.message == "there is no thing `x`; see `kachat-node thing list`")
    }

    @Test func severalAreListedWithAsMuchOfTheirIDsAsDiffers() {
        let two = [Thing(ids: ["9f02aa31aa000000"], name: "a\u{1B}"), Thing(ids: ["9f02aa31bb000000"], name: "b")]
        let error = #expect(throws: NodeError.self) { try found("9f02", in: two) }
        #expect(error?.code == .usage)
        #expect(
            error?.message == """
                `9f02` names several things: a\u{FFFD} (9f02aa31aa000000), b (9f02aa31bb000000): give its id, or \
                enough of it to be unique
                """)
    }

    @Test func thePresentOneOfANameIsMeant() throws {
        var things = [
            Thing(ids: ["aaaa0000"], name: "phone", isPresent: false), Thing(ids: ["bbbb0000"], name: "phone"),
        ]
        #expect(try found("phone", in: things) == "bbbb0000")
        // The other is found by its id.
        #expect(try found("aaaa", in: things) == "aaaa0000")
        // The error about another name does not list things that are gone.
        let error = #expect(throws: NodeError.self) { try found("tablet", in: things) }
        #expect(error?.message == "there is no thing `tablet`; there is: phone (bbbb0000)")
        things[1].isPresent = false
        #expect(throws: NodeError.self) { try found("phone", in: things) }
    }

    /// A name that is the beginning of another's id does not capture it.
    @Test func aNameThatOthersChoseGoesBeforeNoID() throws {
        let members = Naming<Thing>("member", list: "group members", ids: \.ids, name: \.name, areNamesForeign: true)
        let error = #expect(throws: NodeError.self) { try members.find("9F03", in: Self.several) }
        #expect(error?.code == .usage)
        for (text, id) in [("5555cc31", "5555cc31"), ("9f03b", "9f03bb31"), ("laptop", "9f03bb31")] {
            #expect(try members.find(text, in: Self.several).ids[0] == id)
        }
    }
}
