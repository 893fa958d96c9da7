/** Clients of a server that tests script, and helpers to run streams. */
import { FetchHttpClient } from "effect/http"
import { Connection, Credential, HealthClient, Retry, SubscriptionId } from "@vigil/health-client"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"

export const s1 = SubscriptionId.make("s1")

/** A client of a server with these replies, which retries once, at once. */
export const serve = (script: Reply.Script) =>
  Effect.gen(function* () {
    const server = yield* Faults.serve(script)
    const credential = Credential.bearer(Redacted.make("token"))
    const options = { baseUrl: `${server.origin}/`, credential, retry: Retry.exponential(0, 1) }
    const connection = yield* Connection.make(options)
    return { client: HealthClient.make(connection), connection, server }
  }).pipe(Effect.provide(FetchHttpClient.layer))

/** Replies with these pages, linked to each other. */
export const pagesOf =
  (...pages: ReadonlyArray<ReadonlyArray<unknown>>) =>
  ({ target }: Reply.Request): Reply.Reply => {
    const page = Number(new URL(target, "http://x").searchParams.get("page") ?? 0)
    return Reply.page(pages[page] ?? [], page + 1 < pages.length ? `?page=${page + 1}` : null)
  }

/** Collects a stream to an array. */
export const collect: <A, E, R>(stream: Stream.Stream<A, E, R>) => Effect.Effect<ReadonlyArray<A>, E, R> =
  Stream.runCollect
