/** The error of a fleet's database. */
import * as Cause from "effect/Cause"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { EarlierRunners, OtherService } from "./internal/runner.js"

/** The database failed. A runner fails with it only at its start; later it tries again. @category errors @since 0.1.0 */
export class FleetError extends Schema.TaggedError<FleetError>()("FleetError", {
  /** What was attempted, such as `pause subscriptions`. */
  attempt: Schema.String,
  /** Such as a `SqlError`. Redacted, because the database, or a proxy in front of it, may repeat the URL and its password in a response. */
  cause: Schema.Redacted(Schema.Unknown),
}) {
  readonly service: string = "fleet"
  /** `true`: the database may work later. */
  readonly isRetryable: boolean = true
  /** The names of runners of an earlier version that must end before the tables can be changed; empty if the database failed. */
  get earlierRunners(): ReadonlyArray<string> {
    const error = innermost(Redacted.value(this.cause))
    return error instanceof EarlierRunners ? error.names : []
  }
  /** Contains no text of a response. */
  override get message() {
    const [reason, advice = "Check the database and its URL"] = describe(innermost(Redacted.value(this.cause)))
    return `Could not ${this.attempt}: ${reason}. ${advice}.`
  }
}

/** The error of the driver. */
const innermost = (error: unknown): unknown => {
  // For a name with several addresses, Node reports an error without a message.
  const cause = error instanceof AggregateError ? error.errors[0] : error instanceof Error ? error.cause : undefined
  return cause instanceof Error ? innermost(cause) : error
}

/** The codes of Postgres and of TLS in Node.js. Other texts may be secrets. */
const isCode = /^(?:[0-9A-Z]{5}|(?:CERT|DEPTH_ZERO|ERR_TLS|SELF_SIGNED|UNABLE_TO)_[A-Z_]+)$/

type Description = readonly [reason: string, advice?: string | undefined]

/** What the codes mean that an operator can do something about, and what to do: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const meanings: Readonly<Record<string, Description>> = {
  "25006": ["the database is read-only"],
  "26000": ["a connection pooler keeps no prepared statements", "Set prepare: false of PgClient"],
  "28000": ["the database rejected the user"],
  "28P01": ["the database rejected the password"],
  "3D000": ["the database does not exist"],
  "42501": ["the user lacks a permission"],
  "42P01": ["a table is missing", "Start a runner, which creates the tables"],
  "42P07": ["a table of this name already exists"],
  "53100": ["the disk of the database is full"],
  "53300": ["the database has too many connections"],
  "57P01": ["the database closed the connection"],
  "57P03": ["the database is starting or stopping"],
}

/** Texts of the driver that contain nothing else. */
const texts = ["Connection timed out", "Connection closed", "The server does not support TLS", "Invalid URL"]

const describe = (error: unknown): Description => {
  if (error instanceof EarlierRunners)
    return [`runners of an earlier version are alive (${error.names.join(", ")})`, "They must end first"]
  if (error instanceof OtherService)
    return [`runners with another base URL or vendor are alive (${error.names.join(", ")})`, "Use another database"]
  const {
    address = "",
    code,
    hostname = address,
    port = "",
    syscall,
  }: Readonly<Record<string, unknown>> = Predicate.isObject(error) ? { ...error } : {}
  // An error of the system, such as `connect ECONNREFUSED 127.0.0.1:5432`.
  if (Predicate.isString(syscall))
    return [`${syscall} ${String(code)} ${[hostname, port].filter(Boolean).join(":")}`.trim()]
  if (Predicate.isString(code) && isCode.test(code)) {
    const [meaning, advice] = meanings[code] ?? ["the database failed"]
    return [`${meaning} (${code})`, advice]
  }
  if (Cause.isTimeoutError(error)) return ["the database did not respond in time"]
  if (Schema.isSchemaError(error)) return ["the tables have unexpected contents"]
  const message = error instanceof Error ? error.message : ""
  return [texts.find((text) => message.includes(text)) ?? "the database failed"]
}
