/** Tools for language models that answer questions about service health events. */
export * as HealthMcp from "./HealthMcp.js"
export * as HealthTools from "./HealthTools.js"
export { HealthToolError } from "./HealthToolError.js"
