/** Tools for language models that answer questions about service health events. */
export * as HealthTools from "./HealthTools.js"
export { HealthToolError } from "./HealthToolError.js"
