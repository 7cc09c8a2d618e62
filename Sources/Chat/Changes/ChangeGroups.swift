/// Groups in the order in which their first change came, one a key.
struct ChangeGroups {
    private(set) var all: [ChangeGroup] = []
    private var places: [ChangeGroup.Key: Int] = [:]

    var isEmpty: Bool { all.isEmpty }

    mutating func add(_ group: ChangeGroup) {
        if let place = places[group.key] {
            all[place].merge(group)
        } else {
            places[group.key] = all.count
            all.append(group)
        }
    }

    mutating func take() -> [ChangeGroup] {
        defer {
            all.removeAll(keepingCapacity: true)
            places.removeAll(keepingCapacity: true)
        }
        return all
    }
}
