import { Credential } from "@vigil/core-http"
import { Connection, Listing, Source } from "@vigil/health-client"
import { Metadata } from "@vigil/health-schema"
import { Console, Effect, Layer, Stream } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"

// A list that the service has, and that is not a method of a client.
const supportedValues = ({ service, vendor }: Connection.Service): Source.Source<Metadata.Metadata> => ({
  service,
  operation: "SupportedValues.list",
  span: "SupportedValues.page",
  list: { vendor, scope: "metadata", id: "", apiVersion: "2025-05-01", filter: "" },
  path: `/providers/${vendor}.ResourceHealth/metadata`,
  method: "GET",
  decode: Metadata.decodePage,
})

const program = Effect.gen(function* () {
  const connection = yield* Connection.make({ baseUrl: "https://status.example", credential: Credential.none })
  yield* Source.pages(supportedValues(connection), {}).pipe(
    Listing.items({
      onInvalid: ({ index, page, problem }) => Console.warn(`entry ${index} of page ${page} ${problem}`),
    }),
    Stream.runForEach(({ name, properties }) => Console.log(name, properties?.supportedValues?.length ?? 0)),
  )
})

// Stands in for the service.
const respond = ({ searchParams }: URL) =>
  Response.json(
    searchParams.has("$skipToken")
      ? { value: [{ name: "region", properties: { supportedValues: [{ id: "west-europe" }, { id: "east-us" }] } }] }
      : { value: [{ name: "eventType" }, 7], nextLink: "?$skipToken=2" },
  )
const Service = Layer.succeed(
  HttpClient.HttpClient,
  HttpClient.make((request, url) => Effect.sync(() => HttpClientResponse.fromWeb(request, respond(url)))),
)

await program.pipe(Effect.scoped, Effect.provide(Service), Effect.runPromise)
