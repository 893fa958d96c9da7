/** Lists with checkpoints for tests. */
import { Checkpoint, Credential, HealthClient, type Listing, SubscriptionId } from "@vigil/health-client"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"

export const s1 = SubscriptionId.make("s1")

const stored = Schema.fromJsonString(Checkpoint.Checkpoint)

/** Encodes and decodes a checkpoint, as a store does. */
export const restored = (checkpoint: Checkpoint.Checkpoint) =>
  Effect.flatMap(Schema.encodeEffect(stored)(checkpoint), Schema.decodeEffect(stored))

/** A client of a service with these pages, linked to each other, and the received requests. */
export const paged = (pages: ReadonlyArray<ReadonlyArray<unknown>>, options: Partial<HealthClient.Options> = {}) =>
  Effect.gen(function* () {
    const server = yield* Faults.serve(({ target }) => {
      const page = Number(new URL(target, "http://x").searchParams.get("page") ?? 0)
      return Reply.page(pages[page] ?? [], page + 1 < pages.length ? `?page=${page + 1}` : null)
    })
    const client = yield* HealthClient.make({ baseUrl: server.origin, credential: Credential.none, ...options })
    return { client, server }
  })

/** The checkpoint after the first page. */
export const first = (pages: Stream.Stream<Listing.EventPage, Listing.PagesError>) =>
  Effect.map(Stream.runHead(pages), (page) => Option.getOrThrow(page).checkpoint)
