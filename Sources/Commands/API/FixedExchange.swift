/// An exchange whose answer is known from the request's head. Its body is not looked at.
final class FixedExchange: HTTPExchange {
    let answer: HTTPAnswer?
    var wake: () -> Void = {}

    init(_ answer: HTTPAnswer) { self.answer = answer }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Int { bytes.count }
    func endBody() {}
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? { nil }
    func close() {}
}
