print("kachat-node")
