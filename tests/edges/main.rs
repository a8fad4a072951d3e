//! The edges over real sockets on loopback: HTTP, gRPC, a chain of services, a proxy in front.

mod bounds;
mod chain;
mod figures;
mod grpc;
mod http;
mod inbound;
mod layers;
mod nginx;
mod policies;
mod script;
#[path = "../../examples/grpc/text.rs"]
mod text;
mod traces;
