/** The schema of a routes document. Titles are what error messages say is expected, descriptions are for editors. */
import * as Enumerations from "@vigil/health-schema/Enumerations"
import { enumerate } from "@vigil/health-text/Sentence"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { type as resourceType } from "../ResourceNotification.js"

/** The title and the message of a union. */
const titled = (title: string) => ({ title, message: `is not ${title}` })

const text = (pattern: RegExp, title: string) =>
  Schema.String.check(Schema.isPattern(pattern, { title, description: title }))

const nonEmpty = text(/\S/, "a text")

/** Accepts any case, as does the comparison with notifications. */
const oneOf = (known: ReadonlyArray<string>) => {
  const anyCase = (value: string) =>
    value.replace(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`)
  const [first = "", ...others] = known
  return Schema.String.check(
    Schema.isPattern(new RegExp(`^(?:${known.map(anyCase).join("|")})$`), {
      title: `one of ${known.join(", ")}`,
      description: `One of ${known.join(", ")}, in any case`,
      examples: [first, ...others],
    }),
  )
}

/** One value, or a list of values that is not empty. */
const list = (item: Schema.Codec<string>) => {
  const title = `${SchemaAST.resolveTitle(item.ast) ?? "a value"}, or a list of them`
  return Schema.Union([item, Schema.Array(item).check(Schema.isMinLength(1, { title }))]).annotate(titled(title))
}

/** An optional field with a description for editors. */
const optional = <Value extends Schema.Constraint>(value: Value, description: string) =>
  Schema.optionalKey(value).pipe(Schema.annotateKey({ description }))

const level = oneOf(Enumerations.EventLevel.known)

const secretTitle = "a reference to a secret: write { env: NAME } or { file: /path }, and store the secret there"

export const Secret = Schema.Struct({
  env: Schema.optionalKey(text(/^[A-Za-z_]\w*$/, "the name of an environment variable")),
  file: Schema.optionalKey(text(/^(?!\w+:\/\/).*\S/, "the path of a file")),
})
  .check(Schema.isMinProperties(1, { title: secretTitle }), Schema.isMaxProperties(1))
  .annotate({
    identifier: "Secret",
    title: secretTitle,
    description: "Where the secret is stored: { env: NAME } or { file: /path }",
  })

const url = text(/^https?:\/\/[^\s@?#]+$/, "a URL without a password")

const minimumLevel = optional(level, "Ignore less severe events")

const sink = <Type extends string, Fields extends Schema.Struct.Fields>(type: Type, fields: Fields) =>
  Schema.Struct({ type: Schema.Literal(type), ...fields, minimumLevel })

/** The settings of each type. */
const sinks = [
  sink("slack", { url: Secret }),
  sink("teams", { url: Secret }),
  sink("pagerduty", {
    routingKey: Secret,
    url: optional(url, "The URL of the API, such as https://events.eu.pagerduty.com/v2/enqueue"),
  }),
  sink("alertmanager", {
    url: Schema.Union([url, Secret]).annotate({
      ...titled(
        "a URL without a password, such as http://127.0.0.1:9093, or a reference to a secret, such as { env: NAME }",
      ),
      description: "A URL without a password, or where the URL is stored: { env: NAME } or { file: /path }",
    }),
    token: optional(Secret, "Where the bearer token is stored. Default: none"),
  }),
  sink("webhook", {
    url: Secret,
    secret: Schema.Union([Secret, Schema.Literal("none")]).annotate({
      ...titled(`${secretTitle}, or write none to send requests without a signature`),
      description: "Where the secret is stored, or none, to send requests without a signature",
    }),
  }),
] as const

const [firstType = "", ...otherTypes] = sinks.map(({ fields }) => fields.type.literal)

const Sink = Schema.Union(sinks).annotate(
  titled(`a sink: write ${enumerate([`{ type: ${firstType} }`, ...otherTypes], "or")}, and the settings of the type`),
)

export const sinkNameTitle = "a name of at most 64 letters, digits, dots, dashes and underscores"

export const sinkNamePattern = /^[A-Za-z][\w.-]{0,63}$/

const sinkName = text(sinkNamePattern, sinkNameTitle)

const time = text(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'a time such as "22:00"')

const timeZone = Schema.String.check(
  Schema.makeFilter((name) => Option.isSome(DateTime.zoneMakeNamed(name)), {
    title: "a time zone such as Europe/Berlin",
    description: "A time zone such as Europe/Berlin",
  }),
)

const QuietHours = Schema.Struct({
  from: time,
  to: time,
  timeZone,
  except: optional(level, "Events of this level, or more severe, are delivered at once"),
}).check(Schema.makeFilter(({ from, to }) => from !== to || { path: ["to"], issue: "equals from" }))

const Match = Schema.Struct({
  type: optional(
    list(oneOf([...Enumerations.EventType.known, resourceType])),
    "The type of the event, or `Resource` for changes of the states of resources",
  ),
  level: optional(list(level), "The level of the event"),
  status: optional(
    list(oneOf(Enumerations.EventStatus.known)),
    "The status of the event; `Active` if it is not resolved",
  ),
  service: optional(list(nonEmpty), "A service of the event"),
  region: optional(list(nonEmpty), "A region of the event"),
  subscription: optional(list(nonEmpty), "The subscription whose list has the event"),
})

const Route = Schema.Struct({
  match: optional(Match, "Which events. All conditions apply. Default: every event"),
  minimumLevel,
  quietHours: optional(QuietHours, "When to hold notifications back. They are delivered afterwards"),
  groupFor: optional(
    text(/^[1-9]\d{0,2} (?:second|minute|hour)s?$/, 'a duration such as "5 minutes"'),
    "Joins the updates of an event within this time into one",
  ),
  to: list(sinkName).annotate({ description: "Names of sinks" }),
})

export const Document = Schema.Struct({
  sinks: Schema.Record(sinkName, Sink).annotate({ description: "The sinks by name" }),
  routes: Schema.Array(Route).annotate({ title: "a list of routes", description: "All matching routes apply" }),
})
