/** Decodes one page. */
import * as EventsPage from "@vigil/health-schema/EventsPage"
import * as Result from "effect/Result"
console.log(Result.getOrThrow(EventsPage.decode("2025-05-01")(JSON.parse(process.argv[2]))).items.length)
