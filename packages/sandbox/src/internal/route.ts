/** Finds what serves a request, by its method and path. */
import * as path from "./path.js"

/** Anything with a method and a path. A route of GET serves HEAD too. */
interface Route {
  readonly method: string
  readonly path: string
}

/** The route and the path parameters; or the methods of the path (for the header `Allow`); or nothing for an unknown path. */
export type Found<R extends Route> =
  | { readonly _tag: "Found"; readonly route: R; readonly params: Readonly<Record<string, string>> }
  | { readonly _tag: "WrongMethod"; readonly allow: string }
  | { readonly _tag: "UnknownPath" }

/** Finds the first route that serves a request target. */
export const find = <R extends Route>(routes: ReadonlyArray<R>, method: string, target: string): Found<R> => {
  const asked = path.ofTarget(target)
  const matches = routes.flatMap((route) => {
    const params = path.match(route.path, asked)
    return params === undefined ? [] : [{ _tag: "Found" as const, route, params }]
  })
  const wanted = method === "HEAD" ? "GET" : method
  const methods = new Set(matches.flatMap(({ route }) => (route.method === "GET" ? ["GET", "HEAD"] : [route.method])))
  return (
    matches.find(({ route }) => route.method === wanted) ??
    (methods.size === 0 ? { _tag: "UnknownPath" } : { _tag: "WrongMethod", allow: [...methods].join(", ") })
  )
}
