/**
 * `node:http` without an import statement, which reads every name of the module. Reading `WebSocket` loads Node's other
 * HTTP client, undici: 3 MB of resident memory that a server does not need.
 */
export const http: typeof import("node:http") = process.getBuiltinModule("node:http");
