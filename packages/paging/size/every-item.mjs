/** Streams every item of a list. */
import * as Paging from "@vigil/paging/Paging"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
const fetch = (from) => Effect.succeed({ items: [from], next: from < 9 ? from + 1 : undefined })
Effect.runPromise(Stream.runForEach(Paging.items({ first: 0, fetch }), (item) => Effect.log(item)))
