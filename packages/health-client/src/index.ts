/** Service health events of a subscription or a resource as an Effect stream. */
export * as Credential from "@vigil/core-http/Credential"
export * as RetryPolicy from "@vigil/core-http/RetryPolicy"
export * as HealthClient from "./HealthClient.js"
export * as InvalidEvent from "./InvalidEvent.js"
export * as Listing from "./Listing.js"
export * as ResourceUri from "./ResourceUri.js"
export * as SubscriptionId from "./SubscriptionId.js"
