extension [UInt8] {
    /// The low `count` bytes of a value, most significant first.
    init(bigEndianBytesOf value: UInt64, count: Int) {
        self = (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - $0))) }
    }
}
