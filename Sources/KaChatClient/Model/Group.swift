import NodeModel

extension Group: Readable {}
extension Member: Readable {}
extension MadeInvite: Readable {}
extension Invite: Readable {}
