// The types of answers and parameters are in a module shared with the node.
@_exported public import NodeModel
