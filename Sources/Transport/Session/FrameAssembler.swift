/// Cuts a stream into frames (u16 big-endian length, then as many bytes). A frame that lies whole in the input is lent
/// from there; only one that arrives in pieces is copied.
///
/// Its memory depends on the limit, never on a received length.
struct FrameAssembler: ~Copyable {
    private static let headerBytes = 2

    private let storage: UnsafeMutableRawBufferPointer
    /// Bytes held of the current frame, header included.
    private var held = 0
    /// The frame lent last is in `storage` and is dropped with the next call.
    private var isLent = false
    private let limit: Int

    /// Frames of at most `limit` bytes.
    init(limit: Int) {
        self.limit = limit
        storage = .allocate(byteCount: Self.headerBytes + limit, alignment: 64)
    }

    deinit {
        storage.deallocate()
    }

    /// Removes the next frame from the front of `input` and returns it without its header; nil if it is incomplete. The
    /// bytes are valid until the next call.
    mutating func next(_ input: inout UnsafeRawBufferPointer) throws(SessionFailure) -> UnsafeRawBufferPointer? {
        if isLent {
            isLent = false
            held = 0
        }
        if held == 0, input.count >= Self.headerBytes {
            let length = try checked(Self.length(input))
            if input.count - Self.headerBytes >= length {
                let frame = UnsafeRawBufferPointer(rebasing: input[Self.headerBytes..<Self.headerBytes + length])
                input = UnsafeRawBufferPointer(rebasing: input[(Self.headerBytes + length)...])
                return frame
            }
        }
        take(Self.headerBytes, from: &input)
        guard held >= Self.headerBytes else { return nil }
        let length = try checked(Self.length(UnsafeRawBufferPointer(storage)))
        take(Self.headerBytes + length, from: &input)
        guard held == Self.headerBytes + length else { return nil }
        isLent = true
        return UnsafeRawBufferPointer(rebasing: storage[Self.headerBytes..<held])
    }

    /// Copies bytes until `target` are held or the input ends.
    private mutating func take(_ target: Int, from input: inout UnsafeRawBufferPointer) {
        let count = min(target - held, input.count)
        guard count > 0 else { return }
        UnsafeMutableRawBufferPointer(rebasing: storage[held..<held + count])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: input[..<count]))
        input = UnsafeRawBufferPointer(rebasing: input[count...])
        held += count
    }

    private func checked(_ length: Int) throws(SessionFailure) -> Int {
        guard length >= Limits.tagBytes, length <= limit else { throw .frameLength }
        return length
    }

    private static func length(_ bytes: UnsafeRawBufferPointer) -> Int {
        Int(bytes[0]) << 8 | Int(bytes[1])
    }
}
