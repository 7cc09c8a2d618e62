/// A whole home at one moment: its files, and whose it is.
struct HomeImage {
    fileprivate let files: FaultDisk.Copy
    fileprivate let guardFile: [UInt8]?
    fileprivate let placeFile: [UInt8]?
    fileprivate let putBack: (() -> Void)?
    fileprivate let device: Int
    fileprivate let machine: Int
    fileprivate let damage: HomeDamage
    fileprivate let mayBeUnreadable: Bool
}

/// Homes that are copied and put back.
extension SimulatedDisk {
    func image() -> HomeImage {
        HomeImage(
            files: files.copy(), guardFile: guardFile, placeFile: placeFile, putBack: remember?(), device: device,
            machine: machine, damage: damage, mayBeUnreadable: mayBeUnreadable)
    }

    func keep() { kept = image() }

    /// The home becomes what the image shows, while no process has the files open.
    ///
    /// - Parameter withMachine: the guard's file and the machine that it names come along.
    func take(_ image: HomeImage, withMachine: Bool) -> Bool {
        end()
        files.restore(image.files)
        (device, placeFile) = (image.device, image.placeFile)
        (damage, mayBeUnreadable) = (image.damage, image.mayBeUnreadable)
        image.putBack?()
        if withMachine { (guardFile, machine) = (image.guardFile, image.machine) } else { guardFile = nil }
        return true
    }

    /// Back to the image that was kept. False if there is none.
    func putBack(withMachine: Bool) -> Bool {
        guard let kept else { return false }
        return take(kept, withMachine: withMachine)
    }

    /// Makes room for the home of a new device.
    func clear(for device: Int) {
        erase()
        (guardFile, placeFile) = (nil, nil)
        (self.device, machine) = (device, number)
        kept = nil
    }
}
