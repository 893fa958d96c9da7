/** The platform of commands: files and HTTP of Node. With `--debug`, each request is logged. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClient from "effect/http/HttpClient"
import type { HttpClientRequest } from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

/** The redacted URL of the request's span; without a span, the URL without its query. */
const urlOf = ({ url }: HttpClientRequest): Effect.Effect<string> =>
  Effect.map(Effect.option(Effect.currentSpan), (span) =>
    String(Option.getOrUndefined(span)?.attributes.get("url.full") ?? url.replace(/[?#].*/s, "")),
  )

const addLog = (client: HttpClient.HttpClient): HttpClient.HttpClient =>
  HttpClient.transform(client, (sent, request) =>
    Effect.gen(function* () {
      const url = yield* urlOf(request)
      const start = yield* Clock.currentTimeMillis
      const log = (result: string) =>
        Effect.flatMap(Clock.currentTimeMillis, (end) =>
          Effect.logDebug(`${request.method} ${url} ${result} in ${end - start} ms`),
        )
      // A request that takes too long is interrupted.
      return yield* Effect.onExit(sent, (exit) =>
        Exit.match(exit, {
          onFailure: (cause) => log(Cause.hasInterruptsOnly(cause) ? "interrupted" : "failed"),
          onSuccess: ({ status }) => log(String(status)),
        }),
      )
    }),
  )

const http = Layer.provide(
  Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, addLog)),
  // With fetch or undici, `vigil events list` of one page takes a third longer.
  NodeHttpClient.layerNodeHttpOptions({ keepAlive: true }),
)

export const layer = Layer.merge(NodeFileSystem.layer, http)
