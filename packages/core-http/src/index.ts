/** One guarded place that talks HTTP for an Effect client. */
export * as Credential from "./Credential.js"
export * as Decoder from "./Decoder.js"
export * as ErrorBody from "./ErrorBody.js"
export * as HttpError from "./HttpError.js"
export * as Link from "./Link.js"
export * as Origin from "./Origin.js"
export * as ServiceClient from "./ServiceClient.js"
export * as ServiceError from "./ServiceError.js"
