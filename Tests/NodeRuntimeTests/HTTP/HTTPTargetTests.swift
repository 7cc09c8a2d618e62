import Testing

@testable import NodeRuntime

@Suite struct HTTPTargetTests {
    @Test func pathAndQueryAreSplitBeforeTheirEscapesAreResolved() throws {
        let target = try #require(HTTPTarget("/v1/conversations/a%2Fb%20c/read?x=1%262&y=a+b&z&=q"))
        #expect(target.path == ["v1", "conversations", "a/b c", "read"])
        #expect(target.query.map(\.name) == ["x", "y", "z", ""])
        #expect(target.query.map(\.value) == ["1&2", "a b", "", "q"])
        #expect(HTTPTarget("/a+b")?.path == ["a+b"])
        #expect(HTTPTarget("/")?.path == [""])
        #expect(HTTPTarget("/a//b/")?.path == ["a", "", "b", ""])
        #expect(HTTPTarget("/x?")?.query.isEmpty == true)
        #expect(HTTPTarget("/%C3%A4")?.path == ["ä"])
    }

    @Test(arguments: [
        "", "v1", "*", "http://localhost/v1", "/%", "/%4", "/%zz", "/%00", "/a?b=%00", "/%C3", "/%ED%A0%80", "/%C0%AF",
        "/" + String(repeating: "a", count: 8 << 10),
    ])
    func whatIsNoTargetIsRefused(_ text: String) {
        #expect(HTTPTarget(text) == nil)
    }
}
