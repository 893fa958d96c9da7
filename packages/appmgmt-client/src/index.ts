/** App management for Effect. */
export * as RetryPolicy from "@vigil/core-http/RetryPolicy"
export * as AppManagement from "./AppManagement.js"
export * as User from "./User.js"
