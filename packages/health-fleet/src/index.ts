/** Watches thousands of subscriptions with Postgres, on several machines. */
export * as DeadLetters from "./DeadLetters.js"
export * as Fleet from "./Fleet.js"
export * as FleetError from "./FleetError.js"
export * as Status from "./Status.js"
export * as Subscriptions from "./Subscriptions.js"
