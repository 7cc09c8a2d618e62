/// An exchange whose answer is known from the request's head. Its body is not looked at.
final class FixedExchange: HTTPExchange {
    package let answer: HTTPAnswer?
    package var wake: () -> Void = {}

    init(_ answer: HTTPAnswer) { self.answer = answer }

    package func receive(_ bytes: UnsafeRawBufferPointer) -> Int { bytes.count }
    package func endBody() {}
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? { nil }
    package func close() {}
}
