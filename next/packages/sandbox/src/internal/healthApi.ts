/** The health events API: finds the operation, then checks the token and the version (document, "Authentication", "Versioning"). */
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { World } from "../World.js"
import * as errors from "./healthErrors.js"
import { type Context, skipToken, versionParameter } from "./healthCall.js"
import { operations } from "./healthOperations.js"
import { type Operation, parameter } from "./operation.js"
import { type Matched, part, type Part, type Route } from "./router.js"

export interface Options extends Pick<Context, "baseUrl" | "details" | "pageSize"> {
  readonly current: Effect.Effect<World>
  readonly accessToken: Redacted.Redacted
}

const isVersion = Schema.is(ApiVersion.Known)

/** The name of the scheme is case-insensitive (RFC 9110, 11.1). */
const tokenOf = (authorization = ""): string | undefined => /^bearer +(\S.*)$/i.exec(authorization)?.[1]

export const make = ({ accessToken, current, ...options }: Options): Part => {
  const route =
    (world: World) =>
    (operation: Operation<Context>): Route => ({
      ...operation,
      handle: (matched) =>
        Effect.gen(function* () {
          if (tokenOf(matched.request.headers["authorization"]) !== Redacted.value(accessToken))
            return yield* errors.unauthorized
          const version = parameter(matched.target, versionParameter) ?? ""
          if (version === "") return yield* errors.missingVersion
          if (!isVersion(version)) return yield* errors.unsupportedVersion(ApiVersion.all)
          return yield* operation.handle({ ...matched, ...options, world, version, text: "" })
        }),
    })
  /** Links are followed by GET, also those of lists by POST: the official client of the public service does so. */
  const nextPages = ({ method, query }: Operation<Context>, list: Route): ReadonlyArray<Route> => {
    if (method !== "POST" || !(skipToken in query)) return []
    const isNext = ({ target }: Matched) => parameter(target, skipToken) !== null
    return [
      { ...list, method: "GET", handle: (call) => (isNext(call) ? list.handle(call) : errors.wrongMethod("POST")) },
    ]
  }
  const routes = (world: World) =>
    operations(world.vendor).flatMap((operation) => {
      const own = route(world)(operation)
      return [own, ...nextPages(operation, own)]
    })
  const serve = (world: World) =>
    part({
      routes: routes(world),
      before: () => Effect.succeed({}),
      unknownPath: errors.unknownPath,
      wrongMethod: errors.wrongMethod,
    }).app
  return { serves: () => true, app: Effect.flatMap(current, serve) }
}
