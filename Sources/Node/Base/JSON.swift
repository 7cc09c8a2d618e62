// The node's JSON is in a module of its own, since the client library needs the same without the node. Nearly every
// file here speaks it, and so does who uses this module.
@_exported public import JSONLines
