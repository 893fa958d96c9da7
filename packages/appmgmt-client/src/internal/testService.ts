/** The app management API in memory: answers of data that a test wrote down. */
import * as TestHttpClient from "@vigil/core-http/TestHttpClient"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Layer from "effect/Layer"
import type * as App from "../App.js"
import type * as User from "../User.js"

/**
 * What a test's service has: the profile, the apps, and the e-mail addresses of the users of each app, by `owner/app`.
 * @category testing
 * @since 0.1.0
 */
export interface TestData {
  /** The profile. Default: none, so that it is not found. */
  readonly user?: User.User | undefined
  /** What the list of apps has. Default: none. */
  readonly apps?: ReadonlyArray<App.App> | undefined
  /** The e-mail addresses by `owner/app`; an app that is not here is an `AppNotFound`. Default: none. */
  readonly users?: Readonly<Record<string, ReadonlyArray<string>>> | undefined
}

const notFound = (code: string, message: string): TestHttpClient.TestResponse => ({
  status: 404,
  json: { statusCode: 404, code, message },
})

const member = /^\/v0\.1\/apps\/(?<owner>[^/]+)\/(?<app>[^/]+)\/users\/(?<email>[^/]+)$/

const service = ({ apps = [], user, users = {} }: TestData) => {
  const left = new Map(Object.entries(users).map(([app, emails]) => [app, new Set(emails)]))
  return TestHttpClient.layer(({ method, url }) => {
    if (method === "GET" && url.pathname === "/v0.1/user" && user !== undefined) return { json: user }
    if (method === "GET" && url.pathname === "/v0.1/apps") return { json: apps }
    const { app = "", email = "", owner = "" } = member.exec(url.pathname)?.groups ?? {}
    if (method !== "DELETE" || email === "") return notFound("NotFound", "No test data was given for it.")
    const name = `${decodeURIComponent(owner)}/${decodeURIComponent(app)}`
    const emails = left.get(name)
    if (emails === undefined) return notFound("AppNotFound", `There is no app ${name}.`)
    return emails.delete(decodeURIComponent(email))
      ? { status: 204 }
      : notFound("UserNotFound", `The app ${name} has no such user.`)
  })
}

/** An `HttpClient` that knows the data, and the users that were removed since it was made. */
export const layer = (data: TestData): Layer.Layer<HttpClient.HttpClient> => Layer.suspend(() => service(data))
