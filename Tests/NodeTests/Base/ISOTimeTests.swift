import Testing

@testable import Node

@Suite struct ISOTimeTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00.000Z", 0), ("2026-11-21T09:00:01.250Z", 1_795_251_601_250),
            ("2000-02-29T23:59:59.999Z", 951_868_799_999),
        ] as [(String, Int64)])
    func comesBack(_ text: String, _ milliseconds: Int64) {
        #expect(ISOTime.milliseconds(text) == milliseconds)
        #expect(ISOTime.text(milliseconds: milliseconds) == text)
        #expect(CivilTime(milliseconds: milliseconds).text == "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))")
    }

    /// Other programs write RFC 3339 with any time zone.
    @Test(
        arguments: [
            ("1970-01-01T02:00:00+02:00", 0), ("1970-01-01T00:00:00-01:30", 5_400_000),
            ("1970-01-01T00:01:00+00:01", 0),
            ("2026-11-21T09:00:01.25-00:00", 1_795_251_601_250),
        ] as [(String, Int64)])
    func zonesAreRead(_ text: String, _ milliseconds: Int64) { #expect(ISOTime.milliseconds(text) == milliseconds) }

    @Test func fractionsOfAnyLength() {
        #expect(ISOTime.milliseconds("1970-01-01T00:00:00Z") == 0)
        #expect(ISOTime.milliseconds("1970-01-01T00:00:00.5Z") == 500)
        #expect(ISOTime.milliseconds("1970-01-01T00:00:00.123456Z") == 123)
    }

    @Test(arguments: [
        "", "1970-01-01", "1970-01-01T00:00:00", "1970-01-01T24:00:00Z", "2025-02-29T00:00:00Z", "1970-01-01T0:00:00Z",
        "1970-01-01T00:00:00+1:00", "1970-01-01T00:00:00+24:00", "1970-01-01T00:00:00+01:00Z",
        "1970-01-01T00:00:00+0100", "1970-01-01T00:00:00+02:00", "9999-12-31T23:59:59-01:00",
        "1970-01-01T00:00:00.Z", "1970-01-01T00:00:00.+1Z", "1970-01-01T+1:00:00Z",
    ])
    func refuses(_ text: String) { #expect(ISOTime.milliseconds(text) == nil) }
}
