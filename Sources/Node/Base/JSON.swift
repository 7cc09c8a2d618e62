// The node's JSON is a separate module, since the client library needs it without the node. It is re-exported because
// nearly every file here uses it, as do users of this module.
@_exported public import JSONLines
