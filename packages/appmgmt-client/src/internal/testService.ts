/** The app management API in memory, for tests. */
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as App from "../App.js"
import type * as User from "../User.js"

/** The data of a test service. @category testing @since 0.1.0 */
export interface TestData {
  /** Default: none (404). */
  readonly user?: User.User | undefined
  /** Default: none. */
  readonly apps?: ReadonlyArray<App.App> | undefined
  /** E-mail addresses by `owner/app`. Other apps get an `AppNotFound`. Default: none. */
  readonly users?: Readonly<Record<string, ReadonlyArray<string>>> | undefined
}

const notFound = (code: string, message: string): Response =>
  Response.json({ statusCode: 404, code, message }, { status: 404 })

const member = /^\/v0\.1\/apps\/(?<owner>[^/]+)\/(?<app>[^/]+)\/users\/(?<email>[^/]+)$/

/** Returns the response to a request. A user that is removed is gone. */
const service = ({ apps = [], user, users = {} }: TestData) => {
  const remaining = new Map(Object.entries(users).map(([app, emails]) => [app, new Set(emails)]))
  return (method: string, url: URL): Response => {
    if (method === "GET" && url.pathname === "/v0.1/user" && user !== undefined) return Response.json(user)
    if (method === "GET" && url.pathname === "/v0.1/apps") return Response.json(apps)
    const { app = "", email = "", owner = "" } = member.exec(url.pathname)?.groups ?? {}
    if (method !== "DELETE" || email === "")
      return notFound("NotFound", "The test data has no response for this request.")
    const name = `${decodeURIComponent(owner)}/${decodeURIComponent(app)}`
    const emails = remaining.get(name)
    if (emails === undefined) return notFound("AppNotFound", `The app ${name} does not exist.`)
    return emails.delete(decodeURIComponent(email))
      ? new Response(null, { status: 204 })
      : notFound("UserNotFound", `The app ${name} does not have this user.`)
  }
}

export const layer = (data: TestData): Layer.Layer<HttpClient.HttpClient> =>
  Layer.sync(HttpClient.HttpClient, () => {
    const respond = service(data)
    return HttpClient.make((request, url) =>
      Effect.sync(() => HttpClientResponse.fromWeb(request, respond(request.method, url))),
    )
  })
