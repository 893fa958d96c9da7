import { Page, Paging } from "@vigil/paging"
import { Console, Effect, Stream } from "effect"

interface Request {
  readonly pageSize: number
  readonly pageToken?: string
}

// Stands in for a service: each response contains the token of the next page, and the last an empty one.
const list = ({ pageSize, pageToken = "t0" }: Request) => {
  const offset = Number(pageToken.slice(1))
  const keys = Array.from({ length: Math.min(pageSize, 5 - offset) }, (_, index) => `key-${offset + index}`)
  return Effect.succeed({ keys, nextPageToken: offset + pageSize < 5 ? `t${offset + pageSize}` : "" })
}

// The cursor is the token; an empty token means the first page.
const fetchPage = (token: string) =>
  list(token === "" ? { pageSize: 2 } : { pageSize: 2, pageToken: token }).pipe(
    Effect.map(({ keys, nextPageToken }) =>
      nextPageToken === "" ? Page.last(keys) : Page.withNext(keys, nextPageToken),
    ),
  )

// Fetches the next page while you process a key.
const keys = Paging.items({ first: "", next: fetchPage, prefetch: 1, maxItems: 3 })

const program = keys.pipe(
  Stream.runForEach((key) => Console.log(key)),
  Effect.catchTag("PageLimit", (error) => Console.log(error.message)),
)

await Effect.runPromise(program)
