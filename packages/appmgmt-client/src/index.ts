/** App management for Effect. */
export * as AppManagement from "./AppManagement.js"
export * as User from "./User.js"
