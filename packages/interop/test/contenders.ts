/** The official client and ours, with one sandbox; each reads a list as a stream of pages. */
import { MicrosoftResourceHealth } from "@azure/arm-resourcehealth"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Credential from "@vigil/core-http/Credential"
import * as Connection from "@vigil/health-client/Connection"
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as Sandbox from "@vigil/sandbox/Sandbox"
import type { Exchange } from "@vigil/testing/Contract"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"

/** The versions to request. The default of the official client is older than the document. */
export const versions = ["2025-05-01", "2025-04-01"] as const

type Version = (typeof versions)[number]

/** The policy of the official client that sends its token. It always rejects plain HTTP. */
const bearerPolicy = "bearerTokenAuthenticationPolicy"

/** The official client of a subscription, with the URL of a sandbox. It records each request and response. */
export const officialOf =
  (
    { accessToken, baseUrl }: Pick<Sandbox.Service, "accessToken" | "baseUrl">,
    record: (exchange: Exchange) => void = () => {},
  ) =>
  (subscription: string, apiVersion: Version) => {
    const token = Redacted.value(accessToken)
    const credential = { getToken: () => Promise.resolve({ token, expiresOnTimestamp: Number.MAX_SAFE_INTEGER }) }
    const client = new MicrosoftResourceHealth(credential, subscription, {
      allowInsecureConnection: true,
      apiVersion,
      endpoint: baseUrl,
    })
    client.pipeline.removePolicy({ name: bearerPolicy })
    client.pipeline.addPolicy({
      name: "bearerOverLoopback",
      sendRequest: async (request, next) => {
        request.headers.set("authorization", `Bearer ${token}`)
        const response = await next(request)
        record({
          method: request.method,
          url: request.url,
          hasBody: request.body !== undefined,
          status: response.status,
          mediaType: response.headers.get("content-type")?.split(";")[0] ?? "",
          text: response.bodyAsText ?? "",
        })
        return response
      },
    })
    return client
  }

/** Collects a stream to an array. */
export const collect = Stream.runCollect

/** The pages of a list of the official client, with unknown errors. */
export const pagesOf = <A>(list: { readonly byPage: () => AsyncIterable<A> }): Stream.Stream<A, unknown> =>
  Stream.suspend(() => Stream.fromAsyncIterable(list.byPage(), (error) => error))

/** The fixed time of every world. */
const now = Date.UTC(2025, 1, 12, 9, 30)

/** A sandbox with the vendor of the public service and the world of a seed, and both clients. */
export const start = (seed: number) =>
  Effect.gen(function* () {
    const sandbox = yield* Sandbox.make({ now, seed, vendor: "Microsoft" })
    const connection = yield* Connection.make({
      baseUrl: sandbox.baseUrl,
      credential: Credential.bearer(sandbox.accessToken),
      vendor: "Microsoft",
    }).pipe(Effect.provide(FetchHttpClient.layer))
    const official = (subscription: string, apiVersion: Version) =>
      officialOf(sandbox)(subscription, apiVersion).eventsOperations
    return { official, ours: HealthClient.make(connection), requests: sandbox.requests, world: sandbox.world }
  })
