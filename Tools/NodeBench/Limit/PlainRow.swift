/// One row as it was received; valid until the next.
struct PlainRow {
    var id: Int64
    var kind: Int64
    var record: UnsafeRawBufferPointer
    var blob: UnsafeRawBufferPointer
}
