import { Paging } from "@vigil/paging"
import { Console, Effect, Stream } from "effect"

interface Body {
  readonly value: ReadonlyArray<string>
  readonly nextLink?: string
}

// Stands in for a service: each response but the last contains the URL of the next page.
const bodies: Readonly<Record<string, Body>> = {
  "/moons": { value: ["Io", "Europa"], nextLink: "/moons?after=Europa" },
  "/moons?after=Europa": { value: [], nextLink: "/moons?after=Europa&more" },
  "/moons?after=Europa&more": { value: ["Ganymede", "Callisto"] },
}
const get = (url: string) => Effect.fromNullishOr(bodies[url])

// The cursor is the link. A page may have more fields: here, its own URL.
const fetchPage = (url: string) =>
  Effect.map(get(url), ({ nextLink, value }) => ({ items: value, next: nextLink, url }))

const program = Paging.pages({ first: "/moons", fetch: fetchPage, maxPages: 100 }).pipe(
  Stream.runForEach(({ items, page }) => Console.log(page.url, items)),
)

await Effect.runPromise(program)
