/** The health events API: finds the operation, then checks the token and the version (document, "Authentication", "Versioning"). */
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { World } from "../World.js"
import { send } from "./errorResponse.js"
import * as errors from "./healthErrors.js"
import { type Context, operations, versionParameter } from "./healthOperations.js"
import { parameter } from "./operation.js"
import * as route from "./route.js"

/** What the API is served with. */
export interface Options extends Pick<Context, "baseUrl" | "details" | "pageSize"> {
  readonly current: Effect.Effect<World>
  readonly accessToken: Redacted.Redacted
}

const isVersion = Schema.is(ApiVersion.Known)

/** The credential of the header `Authorization`. The name of the scheme is case-insensitive (RFC 9110, 11.1). */
const tokenOf = (authorization = ""): string | undefined => /^bearer +(\S.*)$/i.exec(authorization)?.[1]

/** Answers every request that no other part of the sandbox serves. */
export const app = ({ accessToken, current, ...options }: Options) =>
  Effect.gen(function* () {
    const { headers, method, url: target } = yield* HttpServerRequest.HttpServerRequest
    const world = yield* current
    const found = route.find(operations(world.vendor), method, target)
    if (found._tag === "UnknownPath") return yield* errors.unknownPath
    if (found._tag === "WrongMethod") return yield* errors.wrongMethod(found.allow)
    if (tokenOf(headers["authorization"]) !== Redacted.value(accessToken)) return yield* errors.unauthorized
    const version = parameter(target, versionParameter) ?? ""
    if (version === "") return yield* errors.missingVersion
    if (!isVersion(version)) return yield* errors.unsupportedVersion(ApiVersion.all)
    return yield* found.route.answer({ ...options, world, version, params: found.params, target, body: "" })
  }).pipe(send)
