import { Page, Paging } from "@vigil/paging"
import { Console, Effect, Stream } from "effect"

interface Request {
  readonly pageSize: number
  readonly pageToken?: string
}

// The service: takes the token of the page before, and answers with an empty one on the last page.
const list = ({ pageSize, pageToken = "t0" }: Request) => {
  const at = Number(pageToken.slice(1))
  const keys = Array.from({ length: Math.min(pageSize, 5 - at) }, (_, index) => `key-${at + index}`)
  return Effect.succeed({ keys, nextPageToken: at + pageSize < 5 ? `t${at + pageSize}` : "" })
}

// The cursor is the token: an empty one stands for the first page.
const fetchPage = (token: string) =>
  list(token === "" ? { pageSize: 2 } : { pageSize: 2, pageToken: token }).pipe(
    Effect.map(({ keys, nextPageToken }) =>
      nextPageToken === "" ? Page.last(keys) : Page.withNext(keys, nextPageToken),
    ),
  )

// While a key is worked on, the page after it is fetched.
const keys = Paging.items({ first: "", next: fetchPage, prefetch: 1, maxItems: 3 })

const program = keys.pipe(
  Stream.runForEach((key) => Console.log(key)),
  Effect.catchTag("PageLimit", (error) => Console.log(error.message)),
)

await Effect.runPromise(program)
