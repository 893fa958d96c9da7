/** Reads what may explain the states of resources, and decides who caused them. */
export * as Assessment from "./Assessment.js"
export * as Causes from "./Causes.js"
export * as Evidence from "./Evidence.js"
export * as Explain from "./Explain.js"
export * as Explanation from "./Explanation.js"
export * as ImpactedLists from "./ImpactedLists.js"
export * as Nearby from "./Nearby.js"
export * as ResourceName from "./ResourceName.js"
