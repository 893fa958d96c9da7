/** Both services as a real, seeded HTTP server on loopback. */
export * as Sandbox from "./Sandbox.js"
export * as World from "./World.js"
