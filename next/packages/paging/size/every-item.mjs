/** Streams every item of a list. */
import * as Page from "@vigil/paging/Page"
import * as Paging from "@vigil/paging/Paging"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
const next = (from) => Effect.succeed(from < 9 ? Page.withNext([from], from + 1) : Page.last([from]))
Effect.runPromise(Stream.runForEach(Paging.items({ first: 0, next }), (item) => Effect.log(item)))
