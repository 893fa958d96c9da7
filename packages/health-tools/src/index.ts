/** Tools for language models that answer questions about service health events. */
export * as Causes from "./Causes.js"
export * as Explain from "./Explain.js"
export * as HealthMcp from "./HealthMcp.js"
export * as HealthTools from "./HealthTools.js"
export * as ImpactedLists from "./ImpactedLists.js"
export { HealthToolError } from "./HealthToolError.js"
export * as ResourceName from "./ResourceName.js"
