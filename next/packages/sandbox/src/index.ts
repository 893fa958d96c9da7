/** Both services as a real, seeded HTTP server on loopback, and fault servers for tests. */
export * as Accounts from "./Accounts.js"
export * as Faults from "./Faults.js"
export * as Reply from "./Reply.js"
export * as Sandbox from "./Sandbox.js"
export * as Tokens from "./Tokens.js"
export * as World from "./World.js"
