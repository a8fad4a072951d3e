//! The edges over real sockets on loopback: HTTP, gRPC, a chain of services, a proxy in front.

mod chain;
mod declared;
mod figures;
mod grpc;
mod http;
mod layers;
mod nginx;
mod policy;
mod script;
