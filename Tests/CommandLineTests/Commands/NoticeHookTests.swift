import Testing

@testable import CommandLine

@Suite struct NoticeHookTests {
    /// A name that begins with a dash is no option of the program that receives it.
    @Test func noTextBeginsWithADash() {
        #expect(NoticeHook.word("--icon=x played Wordle") == " --icon=x played Wordle")
        #expect(NoticeHook.word("-\u{301}x") == " -\u{301}x")
        #expect(NoticeHook.word("Anna -x") == "Anna -x")
    }
}
