import Testing

@testable import Node

@Suite struct RecentListTests {
    @Test func eachReaderGoesOnFromItsPlaceAsFarAsIsKept() {
        var list = RecentList<Int>(limit: 3)
        #expect(list.count == 0 && list.after(0).isEmpty)
        for element in 1...2 { list.append(element) }
        #expect(Array(list.after(0)) == [1, 2] && Array(list.after(1)) == [2] && list.after(2).isEmpty)
        for element in 3...5 { list.append(element) }
        #expect(list.count == 5 && Array(list.after(4)) == [5])
        #expect(Array(list.after(0)) == [3, 4, 5])
        #expect(list.after(9).isEmpty)
    }
}
