/// libFuzzer's entry: the first byte says which decoder reads the rest (docs/TESTING.md). None may trap, and what is
/// read is written as it was.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count > 0, let start else { return 0 }
    let input = Array(UnsafeBufferPointer(start: start, count: count).dropFirst())
    switch start[0] % 3 {
    case 0: fuzzToken(input)
    case 1: fuzzControl(input)
    default: fuzzScore(input)
    }
    return 0
}
