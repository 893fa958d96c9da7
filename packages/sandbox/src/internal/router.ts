/** The parts of the sandbox: tables of routes, and the function that finds the route of a request. */
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { HttpServerResponse as Response } from "effect/http/HttpServerResponse"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import { unknownPath, wrongMethod } from "./healthErrors.js"

/** The response to the request in the context. */
export type App<E = never, R = never> = Effect.Effect<Response, E, R | HttpServerRequest.HttpServerRequest>

export interface Matched {
  readonly params: Readonly<Record<string, string>>
  readonly target: string
  readonly request: HttpServerRequest.HttpServerRequest
}

/** GET serves HEAD too. */
export interface Route {
  readonly method: string
  /** `:name` matches one segment, `*name` for one or more. */
  readonly path: string
  readonly handle: (matched: Matched) => App<Response>
}

export interface Part {
  readonly serves: (target: string) => boolean
  readonly app: App
}

export const pathOf = (target: string): string => target.split(/[?#]/, 1)[0] ?? ""

export const queryOf = (target: string): URLSearchParams => new URLSearchParams(target.slice(pathOf(target).length))

const segments = (path: string): ReadonlyArray<string> => {
  try {
    return path.split("/").map(decodeURIComponent)
  } catch {
    return []
  }
}

const isParameter = (name: string): boolean => /^[:*]/.test(name)

const match = (
  routePath: string,
  parts: ReadonlyArray<string>,
  fold: (segment: string) => string,
): Readonly<Record<string, string>> | undefined => {
  const names = routePath.split("/")
  const found = [...parts]
  const many = names.findIndex((name) => name.startsWith("*"))
  const extra = found.length - names.length
  if (many !== -1 && extra > 0) found.splice(many, extra + 1, found.slice(many, many + extra + 1).join("/"))
  if (found.length !== names.length) return undefined
  const pairs = names.map((name, index) => [name, found[index] ?? ""] as const)
  return pairs.every(([name, value]) => (isParameter(name) ? value !== "" : fold(value) === fold(name)))
    ? Object.fromEntries(pairs.filter(([name]) => isParameter(name)).map(([name, value]) => [name.slice(1), value]))
    : undefined
}

export const template = (path: string): { readonly path: string; readonly params: ReadonlyArray<string> } => ({
  path: path.replaceAll(/(?<=\/)[:*](\w+)/g, "{$1}"),
  params: [...path.matchAll(/\/[:*](\w+)/g)].map(([, name = ""]) => name),
})

export interface Options {
  /** The responses to requests that no route serves. Default: those of the health events API. */
  readonly unknownPath?: Effect.Effect<never, Response>
  readonly wrongMethod?: (allow: string) => Effect.Effect<never, Response>
  /** Returns the text to compare the segments of paths by. Default: the segment. */
  readonly fold?: (segment: string) => string
}

export const part = (routes: ReadonlyArray<Route>, options: Options = {}): Part => {
  const errors = { unknownPath, wrongMethod, ...options }
  const { fold = identity } = options
  const matching = (target: string) => {
    const parts = segments(pathOf(target))
    return routes.flatMap((route) => {
      const params = match(route.path, parts, fold)
      return params === undefined ? [] : [{ route, params }]
    })
  }
  return {
    serves: (target) => matching(target).length > 0,
    app: Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { method, url: target } = request
      const found = matching(target)
      if (found.length === 0) return yield* errors.unknownPath
      const wanted = found.find(({ route }) => route.method === (method === "HEAD" ? "GET" : method))
      const methods = found.flatMap(({ route }) => (route.method === "GET" ? ["GET", "HEAD"] : [route.method]))
      if (wanted === undefined) return yield* errors.wrongMethod([...new Set(methods)].join(", "))
      return yield* wanted.route.handle({ params: wanted.params, target, request })
    }).pipe(Effect.catch(Effect.succeed)),
  }
}
