/// One received row; valid until the next one.
struct PlainRow {
    var id: Int64
    var kind: Int64
    var record: UnsafeRawBufferPointer
    var blob: UnsafeRawBufferPointer
}
