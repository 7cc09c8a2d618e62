/// What a record is, inside its sealed meta. A type that this version does not know is kept, forwarded and counted.
package enum MetaType: UInt64, Sendable {
    case accountState = 1
    case device = 2
    case conversation = 3
    case segment = 4
    case chainFacts = 5
    case readMarker = 6
    case achievements = 7
    case groupMembership = 8
    case deletion = 9
    case retire = 10
    case opaque = 11
    case givenName = 12
}
