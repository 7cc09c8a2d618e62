import Node

/// The node itself.
extension APITable {
    package static let service: [Endpoint] = [
        Endpoint("health", .get, "/healthz", .open, .health, "Whether the node serves", answer: .object("Health")),
        Endpoint("openapi", .get, "/v1/openapi.json", .open, .document, "This document", answer: .object("Document")),
        Endpoint(
            "revokeToken", .delete, "/v1/token", .anyToken, .command("token revoke"),
            "Give up the token that this request shows; the dashboard signs out by it", answer: .object("Token")),
        Endpoint(
            "settings", .get, "/v1/settings", .scope(.admin), .command("config list"),
            "The settings, with what they are normally", answer: .list("Setting", next: nil)),
    ]

    static let serviceShapes: [Shape] = [
        Shape("Health", "status ok|"),
        Shape("Document", "openapi text,info object,paths object,components object"),
        Shape("Token", "id text,name text?,scopes [text],accountId text?,createdAt int,expiresAt int?"),
        Shape("Setting", "key text,value any,isSet bool,default any,allowed text,help text"),
        Shape(
            "Problem",
            """
            type text,status int,code text,title text,detail text,parameter? text,allowed? text,notes? [text],\
            result? any
            """
        ),
    ]
}
