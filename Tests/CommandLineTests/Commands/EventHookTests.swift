import Testing

@testable import CommandLine

@Suite struct EventHookTests {
    /// A name that begins with a dash is no option of the program that gets it.
    @Test func noTextBeginsWithADash() {
        #expect(EventHook.word("--icon=x played Wordle") == " --icon=x played Wordle")
        #expect(EventHook.word("-\u{301}x") == " -\u{301}x")
        #expect(EventHook.word("Anna -x") == "Anna -x")
    }
}
