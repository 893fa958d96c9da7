/** `vigil apps request`: any other request to the app management API. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import type * as Endpoint from "@vigil/appmgmt-client/Endpoint"
import * as PathSegment from "@vigil/core-http/PathSegment"
import * as Request from "@vigil/core-http/Request"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Consent from "../Consent.js"
import { UsageError } from "../Failure.js"
import * as Format from "../output/Format.js"
import * as Json from "../output/Json.js"
import { Output, type OutputError } from "../output/Output.js"
import * as Connection from "../settings/Connection.js"
import * as Body from "./Body.js"
import * as Target from "./Target.js"

const method = Args.text({ name: "method" }).pipe(Args.withDescription("GET, POST, PUT, PATCH or DELETE."))

const path = Args.text({ name: "path" }).pipe(
  Args.withDescription("The path under v0.1, such as apps/contoso/shop?top=5; what is special in it, as %-escapes."),
)

const output = Options.choice("output", ["json", "yaml"]).pipe(
  Options.withAlias("o"),
  Options.withDescription("How the answer is printed. Default: json."),
  Options.withDefault("json"),
)

const JsonText = Schema.instanceOf(Request.JsonText)

type Ask = Endpoint.Bodiless<unknown, unknown> | Endpoint.WithBody<unknown, unknown, Request.JsonText, Request.JsonText>

/** The request. A method that has a body sends `{}` unless another is given; none goes with a method that has none. */
const requestOf = (
  method: string,
  { path, query }: Target.Target,
  data: Option.Option<Request.JsonText>,
): Effect.Effect<Ask, UsageError> => {
  const common = { path, query, response: Schema.Unknown }
  switch (method) {
    case "POST":
    case "PUT":
    case "PATCH":
      return Effect.succeed({
        ...common,
        method,
        request: JsonText,
        body: Option.getOrElse(data, () => new Request.JsonText({ text: "{}" })),
      })
    case "GET":
    case "DELETE":
      return Option.isNone(data)
        ? Effect.succeed({ ...common, method })
        : new UsageError({ message: `A ${method} carries no data: leave it out, or give POST, PUT or PATCH.` })
    default:
      return new UsageError({
        message: `${JSON.stringify(method)} is no method: give GET, POST, PUT, PATCH or DELETE.`,
      })
  }
}

/** The path as it goes out, with its query. */
const pathOf = ({ path, query }: Ask): string => {
  const search = new URLSearchParams(query).toString()
  return PathSegment.join(["v0.1", ...path]) + (search === "" ? "" : `?${search}`)
}

/** The request in words. How much data there is, not what: a log may keep these words. */
const inWords = (request: Ask): string => {
  const bytes = request.body === undefined ? 0 : Buffer.byteLength(request.body.text)
  return `${request.method} ${pathOf(request)}${bytes === 0 ? "" : ` with ${bytes} bytes of data`}`
}

/** The request as JSON or YAML, its body as it is sent, on one line. In valid JSON, line breaks and tabs stand between tokens only. */
const dry = (request: Ask, format: "json" | "yaml"): Effect.Effect<void, OutputError, Output> => {
  const escape = (text: string) => Json.escape(text, format === "yaml" ? Json.inYaml : undefined)
  const body = request.body && escape(request.body.text.replaceAll(/[\t\n\r]+/g, " "))
  const facts = [
    ["method", JSON.stringify(request.method)],
    ["path", escape(JSON.stringify(pathOf(request)))],
    ...(body === undefined ? [] : [["body", body] as const]),
  ] as const
  return Effect.flatMap(Output, ({ data }) =>
    data(
      format === "yaml"
        ? facts.map(([name, value]) => `${name}: ${value}`)
        : [`{${facts.map(([name, value]) => `"${name}":${value}`).join(",")}}`],
    ),
  )
}

/** The command. */
export const command = Command.make(
  "request",
  { ...Connection.flags, ...Consent.flags, ...Body.flags, method, path, output },
  ({ dryRun, method, output: format, path, yes, ...flags }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const target = yield* Target.parse(path)
        const request = yield* requestOf(method.toUpperCase(), target, yield* Body.read(flags))
        const print = (json: unknown) => Format.one(format, { lines: () => [], record: {}, json })
        if (dryRun) return yield* dry(request, format)
        const { client } = yield* Connection.appManagement(flags)
        if (request.method !== "GET") yield* Consent.ask(`${inWords(request)} will be sent.`, { yes })
        const answer = yield* request.request === undefined ? client.request(request) : client.request(request)
        if (answer !== undefined) return yield* print(answer)
        yield* Effect.flatMap(Output, ({ note }) => note("The service answered without a body."))
      }),
    ),
).pipe(
  Command.withDescription(
    "Send any other request under v0.1, and print the JSON of its answer. A POST, PUT or PATCH without data sends {}. Anything but a GET is shown and asked for first.",
  ),
)
