/** `vigil apps request`: any other request to the app management API. */
import type * as Endpoint from "@vigil/appmgmt-client/Endpoint"
import * as PathSegment from "@vigil/core-http/PathSegment"
import * as Request from "@vigil/core-http/Request"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Command from "../Command.js"
import * as Confirmation from "../Confirmation.js"
import { UsageError } from "../Failure.js"
import * as Flag from "../Flag.js"
import { Input } from "../Input.js"
import * as Format from "../output/Format.js"
import * as Json from "../output/Json.js"
import * as Output from "../output/Output.js"
import * as WholeFile from "../output/WholeFile.js"
import * as Connection from "../settings/Connection.js"

const body = {
  data: Flag.optional(Flag.text("json"), "JSON data; other users of this machine may see it"),
  dataFile: Flag.optional(Flag.text("file"), "Read the JSON data from this file"),
  dataStdin: Flag.boolean("Read the JSON data from stdin"),
}

const readInput = Effect.flatMap(Input, ({ lines }) =>
  Effect.map(Stream.runCollect(lines), (all) => Array.from(all).join("\n")),
)

/** Reads the data without changing it, so that numbers keep their digits. Errors do not show it: it may be a secret. */
const readBody = ({ data, dataFile, dataStdin }: Command.Values<typeof body>) =>
  Effect.gen(function* () {
    const sources = [
      ...Option.toArray(data).map((text) => ["--data", Effect.succeed(text)] as const),
      ...Option.toArray(dataFile).map(
        (file) => [`The file ${JSON.stringify(file)}`, WholeFile.read(file, "The file", "Check --data-file.")] as const,
      ),
      ...(dataStdin ? [["Stdin", readInput] as const] : []),
    ]
    if (sources.length > 1)
      return yield* new UsageError("--data, --data-file and --data-stdin are mutually exclusive: pass one of them.")
    const [source] = sources
    if (source === undefined) return Option.none()
    const [name, read] = source
    const text = yield* read
    return yield* Effect.try({
      try: () => {
        JSON.parse(text)
        return Option.some(new Request.JsonText({ text }))
      },
      catch: () => new UsageError(`${name} is not valid JSON. Nothing was sent.`),
    })
  })

interface Target {
  readonly path: ReadonlyArray<string>
  readonly query: Readonly<Record<string, string>>
}

const decoded = Option.liftThrowable(decodeURIComponent)

/** Parses `apps/contoso/shop?top=5`, with or without a leading slash or `v0.1/`. `%2F` is a slash within a segment. */
const target: Flag.Argument<Target> = {
  label: "path",
  description: "The path under v0.1, such as apps/contoso/shop?top=5",
  parse: (text) =>
    Effect.gen(function* () {
      const refuse = (why: string) => new UsageError(`The path ${JSON.stringify(text)} ${why}`)
      if (/^\w+:\/\//.test(text)) return yield* refuse("is a URL: pass only the part after v0.1.")
      const [, escaped = "", search = ""] = /^\/?(?:v0\.1\/)?([^?]*)(?:\?(.*))?$/s.exec(text) ?? []
      const path = Option.all(escaped.split("/").map((segment) => decoded(segment)))
      if (Option.isNone(path)) return yield* refuse("has an invalid escape: write %25 for a percent sign.")
      if (path.value.some((segment) => ["", ".", ".."].includes(segment)))
        return yield* refuse('has a segment that is empty, "." or "..": remove it.')
      const pairs = [...new URLSearchParams(search)]
      const query = Object.fromEntries(pairs)
      if (Object.keys(query).length < pairs.length) return yield* refuse("repeats a query parameter: pass each once.")
      return { path: path.value, query }
    }),
}

const method = {
  ...Flag.oneOf(["GET", "POST", "PUT", "PATCH", "DELETE"], "method"),
  description: "GET, POST, PUT, PATCH or DELETE",
}

const JsonText = Schema.instanceOf(Request.JsonText)

type AppRequest =
  | Endpoint.WithoutBody<unknown, unknown>
  | Endpoint.WithBody<unknown, unknown, Request.JsonText, Request.JsonText>

const requestOf = (
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  { path, query }: Target,
  data: Option.Option<Request.JsonText>,
): Effect.Effect<AppRequest, UsageError> => {
  const common = { path, query, response: Schema.Unknown }
  if (method !== "GET" && method !== "DELETE")
    return Effect.succeed({
      ...common,
      method,
      request: JsonText,
      body: Option.getOrElse(data, () => new Request.JsonText({ text: "{}" })),
    })
  return Option.isNone(data)
    ? Effect.succeed({ ...common, method })
    : new UsageError(`A ${method} request has no data: omit it, or pass POST, PUT or PATCH.`)
}

const pathOf = ({ path, query }: AppRequest): string => {
  const search = new URLSearchParams(query).toString()
  return PathSegment.join(["v0.1", ...path]) + (search === "" ? "" : `?${search}`)
}

/** The request for the confirmation, with the size of its data instead of the data. */
const describe = (request: AppRequest): string => {
  const bytes = request.body === undefined ? 0 : Buffer.byteLength(request.body.text)
  return `${request.method} ${pathOf(request)}${bytes === 0 ? "" : ` with ${bytes} bytes of data`}`
}

/** Prints the request with its body on one line. In valid JSON, line breaks and tabs are between tokens only. */
const dryRun = (request: AppRequest, format: "json" | "yaml") => {
  const escape = (text: string) => Json.escape(text, format === "yaml" ? Json.inYaml : undefined)
  const body = request.body && escape(request.body.text.replaceAll(/[\t\n\r]+/g, " "))
  const fields = [
    ["method", JSON.stringify(request.method)],
    ["path", escape(JSON.stringify(pathOf(request)))],
    ...(body === undefined ? [] : [["body", body] as const]),
  ] as const
  return Output.data(
    format === "yaml"
      ? fields.map(([name, value]) => `${name}: ${value}`)
      : [`{${fields.map(([name, value]) => `"${name}":${value}`).join(",")}}`],
  )
}

export const command = Command.make({
  name: "request",
  description:
    "Send any other request under v0.1 and print the JSON response. POST, PUT and PATCH without data send {}. Asks for confirmation, except for GET.",
  examples: [
    "vigil apps request GET apps/fleet/dispatch/users --sandbox",
    `vigil apps request PATCH apps/fleet/dispatch --data '{"description":"Vans"}' --yes --sandbox`,
  ],
  flags: {
    ...Connection.flags,
    ...Confirmation.flags,
    ...body,
    output: Flag.withDefault(Flag.oneOf(["json", "yaml"], "format"), "json", "json or yaml", "o"),
  },
  args: { method, path: target },
  run: function* ({ dryRun: isDryRun, method, output: format, path, yes, ...flags }) {
    const request = yield* requestOf(method, path, yield* readBody(flags))
    if (isDryRun) return yield* dryRun(request, format)
    const { client } = yield* Connection.appManagement(flags)
    if (request.method !== "GET") yield* Confirmation.require(`${describe(request)} will be sent.`, { yes })
    const json = yield* request.request === undefined ? client.request(request) : client.request(request)
    if (json !== undefined) return yield* Format.one(format, { lines: () => [], record: {}, json })
    yield* Output.note("The response has no body.")
  },
})
