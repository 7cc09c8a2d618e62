import FuzzedDecoders

/// libFuzzer's entry (docs/TESTING.md).
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count > 0, let start else { return 0 }
    if let fault = FuzzedDecoder.fault(in: UnsafeBufferPointer(start: start, count: count)) { fatalError(fault) }
    return 0
}
