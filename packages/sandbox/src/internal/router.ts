/** The parts of the sandbox: tables of routes, and the one function that finds the route of a request. */
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import { type ErrorResponse, send } from "./errorResponse.js"

/** A request that matched a route. */
export interface Matched {
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** Path and query, as the client wrote them. */
  readonly target: string
  readonly request: HttpServerRequest.HttpServerRequest
}

/** How a route fails: with an error response of an API, or with a page. */
export type Failure = ErrorResponse | HttpServerResponse.HttpServerResponse

/** A method and a path, and what serves them. GET serves HEAD too. `Call` is what the part adds to a request. */
export interface Route<Call = unknown> {
  readonly method: string
  /** In a path, `:name` stands for one segment and `*name` for one or more. */
  readonly path: string
  readonly answer: (
    call: Matched & Call,
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, Failure, HttpServerRequest.HttpServerRequest>
}

/** A part of the sandbox. */
export interface Part {
  /** Whether a request target belongs to this part. */
  readonly serves: (target: string) => boolean
  readonly app: HttpApp.Default
}

/** The path of a request target, without its query. */
export const pathOf = (target: string): string => target.split(/[?#]/, 1)[0] ?? ""

/** The query of a request target. */
export const queryOf = (target: string): URLSearchParams => new URLSearchParams(target.slice(pathOf(target).length))

/** The decoded segments of a path; none if a percent-encoding is invalid. */
const segments = (path: string): ReadonlyArray<string> => {
  try {
    return path.split("/").map(decodeURIComponent)
  } catch {
    return []
  }
}

const isParameter = (name: string): boolean => /^[:*]/.test(name)

/** The decoded parameters of a path that matches a route's path. A parameter is never empty. */
const match = (routePath: string, path: string): Readonly<Record<string, string>> | undefined => {
  const names = routePath.split("/")
  const found = [...segments(path)]
  const many = names.findIndex((name) => name.startsWith("*"))
  const extra = found.length - names.length
  if (many !== -1 && extra > 0) found.splice(many, extra + 1, found.slice(many, many + extra + 1).join("/"))
  if (found.length !== names.length) return undefined
  const pairs = names.map((name, index) => [name, found[index] ?? ""] as const)
  return pairs.every(([name, value]) => (isParameter(name) ? value !== "" : value === name))
    ? Object.fromEntries(pairs.filter(([name]) => isParameter(name)).map(([name, value]) => [name.slice(1), value]))
    : undefined
}

/** A route's path as OpenAPI writes it, and the names of its parameters. */
export const template = (path: string): { readonly path: string; readonly params: ReadonlyArray<string> } => ({
  path: path.replaceAll(/(?<=\/)[:*](\w+)/g, "{$1}"),
  params: [...path.matchAll(/\/[:*](\w+)/g)].map(([, name = ""]) => name),
})

/** A part that serves these routes. */
export const part = <Call extends object>(options: {
  readonly routes: ReadonlyArray<Route<Call>>
  /** Which request targets belong to the part. Default: those whose path is one of a route. */
  readonly serves?: (target: string) => boolean
  /** Checks a request before its route is looked up, and returns what the routes need. */
  readonly before: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<Call, Failure>
  readonly unknownPath: Effect.Effect<never, Failure>
  /** The response to a method that the path does not have. `allow` is for the header of that name. */
  readonly wrongMethod: (allow: string, target: string) => Effect.Effect<never, Failure>
}): Part => {
  const matching = (target: string) =>
    options.routes.flatMap((route) => {
      const params = match(route.path, pathOf(target))
      return params === undefined ? [] : [{ route, params }]
    })
  return {
    serves: options.serves ?? ((target) => matching(target).length > 0),
    app: Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { method, url: target } = request
      const call = yield* options.before(request)
      const found = matching(target)
      if (found.length === 0) return yield* options.unknownPath
      const wanted = found.find(({ route }) => route.method === (method === "HEAD" ? "GET" : method))
      const methods = found.flatMap(({ route }) => (route.method === "GET" ? ["GET", "HEAD"] : [route.method]))
      if (wanted === undefined) return yield* options.wrongMethod([...new Set(methods)].join(", "), target)
      return yield* wanted.route.answer({ ...call, params: wanted.params, target, request })
    }).pipe(Effect.catchAll((failure) => (HttpServerResponse.isServerResponse(failure) ? failure : send(failure)))),
  }
}
