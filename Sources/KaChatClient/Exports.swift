// Answers and what is given are types of a module that the node shares.
@_exported public import NodeModel
