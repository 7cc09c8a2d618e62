/// Which revisions count among the values that several devices wrote for one subject, and which one to write.
///
/// In ascending order, from the first gap above `Limits.revisionGap` on, none counts. So a device that writes a huge
/// number uses up nothing: as soon as another value stands below, its own is beyond the gap
/// (docs/PROTOCOL-CHAT.md, §4.8).
package enum Revisions {
    /// The highest of these that counts; nil if there are none.
    package static func highestCounting(_ revisions: some Sequence<UInt64>) -> UInt64? {
        var highest: UInt64?
        for revision in revisions.sorted() {
            if let highest, revision - highest > Limits.revisionGap { break }
            highest = revision
        }
        return highest
    }

    /// The revision with which a new value comes last of those that count.
    ///
    /// That is `step` above all that count. A new value may bridge the gap to further ones, which then count too, or it
    /// may need the value that it replaces to bridge the gap itself: then only the others' revisions are used.
    ///
    /// - Parameters:
    ///   - others: the revisions of the other devices' values.
    ///   - own: that of the value to be replaced, if there is one.
    ///   - step: 1, or 0 if it may be written under the highest revision itself.
    package static func next(above others: [UInt64], own: UInt64?, step: UInt64 = 1) -> UInt64 {
        for held in [others + [own].compactMap(\.self), others] {
            var revision = max((highestCounting(held) ?? 0) + step, 1)
            while revision <= Limits.revision, let top = highestCounting(others + [revision]), top >= revision {
                if top == revision { return revision }
                revision = top + 1
            }
        }
        // One above the other devices' values will do, or 1: then the values further up are beyond the gap.
        let next = (highestCounting(others) ?? 0) + 1
        return next <= Limits.revision ? next : 1
    }
}
