import Testing

@testable import Node

@Suite struct TextFormTests {
    @Test(arguments: [
        (TextForm.day, ["20260131", "20240229", "2026-01-31"], ["2026013", "20260132", "20230229", "2026-1-1", ""]),
        (.lifetime, ["30m", "12h", "7d", "never"], ["7", "d", "0d", "-1d", "7y", "99999999999w", ""]),
        (.scopes, ["admin", "chat:read,chat:write"], ["chat:raed", "admin,", "", "admin, admin"]),
        (.uuid, ["5d0c8a52-8a4f-4f0e-9d52-000000000001"], ["5d0c8a52", "", "5d0c8a52-8a4f-4f0e-9d52-00000000000g"]),
        (.hexadecimal, ["00ff"], ["0", "0g", ""]),
        (.count, ["0", "1000000"], ["1000001", "-1", "1.5", "", "４"]),
        (.image, ["a.svg", "b.png"], ["a.jpg", "", "svg"]),
    ])
    func keepsItsRules(form: TextForm, good: [String], bad: [String]) {
        for text in good { #expect(form.isKept(text), "\(text)") }
        for text in bad { #expect(!form.isKept(text), "\(text)") }
    }
}
