import Testing

@testable import Commands
@testable import Node

@Suite struct HTTPTargetTests {
    @Test func pathAndQueryAreSplitBeforeTheirEscapesAreResolved() throws {
        let target = try HTTPTarget("/v1/conversations/a%2Fb%20c/read?x=1%262&y=a+b&z&=q")
        #expect(target.path == ["v1", "conversations", "a/b c", "read"])
        #expect(target.query.map(\.name) == ["x", "y", "z", ""])
        #expect(target.query.map(\.value) == ["1&2", "a b", "", "q"])
        #expect(try HTTPTarget("/a+b").path == ["a+b"])
        #expect(try HTTPTarget("/").path == [""])
        #expect(try HTTPTarget("/a//b/").path == ["a", "", "b", ""])
        #expect(try HTTPTarget("/x?").query.isEmpty)
        #expect(try HTTPTarget("/%C3%A4").path == ["ä"])
    }

    @Test(arguments: [
        "", "v1", "*", "http://localhost/v1", "/%", "/%4", "/%zz", "/%00", "/a?b=%00", "/%C3", "/%ED%A0%80", "/%C0%AF",
        "/" + String(repeating: "a", count: 8 << 10),
    ])
    func whatIsNoTargetIsRefused(_ text: String) {
        #expect(throws: Problem.self) { try HTTPTarget(text) }
    }

    @Test(arguments: ["/a?b=%00", "/a?x=1&b=c%", "/a?b=%C3&x=1", "/a?b=%zz"])
    func theParameterThatIsToBlameIsNamed(_ text: String) {
        #expect { try HTTPTarget(text) } throws: { ($0 as? Problem)?.parameter == "b" }
    }
}
