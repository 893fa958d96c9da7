/** Over TLS, with and without a trusted certificate. */
import { FetchHttpClient } from "@effect/platform"
import { NodeHttpClient } from "@effect/platform-node"
import { Agent } from "@effect/platform-node/Undici"
import { describe, expect, it } from "@effect/vitest"
import { AppManagement, AppName, Email } from "@vigil/appmgmt-client"
import { RetryPolicy } from "@vigil/appmgmt-client"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const serve = Effect.flatMap(Sandbox.make({ tls: true }), ({ accounts, apiToken, tls }) =>
  tls === undefined ? Effect.die("The sandbox has no TLS.") : Effect.succeed({ accounts, apiToken, tls }),
)

const dispatcher = (ca: string) =>
  Effect.acquireRelease(
    Effect.sync(() => new Agent({ connect: { ca } })),
    (agent) => Effect.promise(() => agent.destroy()),
  )

/** Every HTTP client, trusting a certificate. */
const trusting = (ca: string) =>
  [
    [
      "fetch",
      Layer.provideMerge(
        FetchHttpClient.layer,
        Layer.scoped(
          FetchHttpClient.RequestInit,
          // `dispatcher` is an option of Node.js's `fetch`.
          Effect.map(dispatcher(ca), (agent) => Object.assign<RequestInit, object>({}, { dispatcher: agent })),
        ),
      ),
    ],
    ["node", Layer.provide(NodeHttpClient.layerWithoutAgent, NodeHttpClient.makeAgentLayer({ ca }))],
    [
      "undici",
      Layer.provide(
        NodeHttpClient.layerUndiciWithoutDispatcher,
        Layer.scoped(NodeHttpClient.Dispatcher, dispatcher(ca)),
      ),
    ],
  ] as const

const untrusting = { fetch: FetchHttpClient.layer, node: NodeHttpClient.layer, undici: NodeHttpClient.layerUndici }

const callBoth = (baseUrl: string, apiToken: Sandbox.Service["apiToken"], email: string) =>
  Effect.flatMap(AppManagement.make({ baseUrl, apiToken, retry: RetryPolicy.none }), ({ removeUser, user }) =>
    Effect.all([user, removeUser(AppName.make("ada", "atlas"), Email.make(email))]),
  )

/** Another user of the app that the default user manages. */
const memberOf = ({ apps, users }: Sandbox.Service["accounts"]) => {
  const [member] = apps.find(({ name, owner }) => owner.name === "ada" && name === "atlas")?.members.toReversed() ?? []
  return users.find(({ name }) => name === member?.user)?.email ?? ""
}

describe.each(["fetch", "node", "undici"] as const)("over %s", (name) => {
  it.scopedLive("a trusted certificate permits calls", () =>
    Effect.gen(function* () {
      const { accounts, apiToken, tls } = yield* serve
      const layer = trusting(tls.certificate).find(([own]) => own === name)?.[1] ?? untrusting[name]
      expect(tls.baseUrl).toMatch(/^https:/)
      const [user, removal] = yield* callBoth(tls.baseUrl, apiToken, memberOf(accounts)).pipe(Effect.provide(layer))
      expect(user).toMatchObject({ name: "ada" })
      expect(removal).toEqual({ _tag: "Removed" })
    }),
  )

  it.scopedLive("an untrusted certificate is a TransportError with the reason", () =>
    Effect.gen(function* () {
      const { apiToken, tls } = yield* serve
      const error = yield* Effect.flip(callBoth(tls.baseUrl, apiToken, "a@b")).pipe(Effect.provide(untrusting[name]))
      expect(error).toMatchObject({ _tag: "TransportError" })
      expect(error.message).toMatch(/certificate/)
    }),
  )
})
