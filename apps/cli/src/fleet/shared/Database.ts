/** The database of a fleet: its URL, which is a secret, and the connection. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Flag from "../../flags/Flag.js"
import { UsageError } from "../../flags/UsageError.js"
import * as Environment from "../../settings/Environment.js"
import * as Secrets from "../../settings/Secrets.js"

const variable = "VIGIL_DATABASE_URL"

/** The text may contain a password and is not shown. */
const parse = (text: string, from: string): Effect.Effect<Redacted.Redacted, UsageError> =>
  /^postgres(?:ql)?:\/\//i.test(text) && URL.canParse(text)
    ? Effect.succeed(Redacted.make(text))
    : new UsageError(`${from} is not a Postgres URL: pass one such as postgresql://user@host:5432/database.`)

/** Other processes can read the arguments. */
const parseFlag: typeof parse = (text, from) =>
  Effect.filterOrFail(
    parse(text, from),
    (url) => !new URL(Redacted.value(url)).searchParams.has("password"),
    () => Secrets.refuse(`${from} contains a password`),
  )

export const flag = Flag.optional({ label: "url", parse: parseFlag }, `Postgres URL (environment: ${variable})`)

/** The URL of the flag, else of the environment. */
export const find = Effect.fnUntraced(function* (flag: Redacted.Redacted | undefined) {
  const secret = yield* Environment.secret(variable)
  return flag ?? (secret && (yield* parse(Redacted.value(secret), variable)))
})

/** Loaded lazily: other commands need no Postgres. */
export const modules = Effect.promise(() => import("./Postgres.js"))

/** Connects until the scope closes. Returns the modules of a fleet, and the context with the client. */
export const connect = Effect.fnUntraced(function* (flag: Redacted.Redacted | undefined) {
  const url = yield* find(flag)
  if (url === undefined)
    return yield* new UsageError(`No database is configured: set ${variable}, or pass --database URL.`)
  const loaded = yield* modules
  return { ...loaded, sql: yield* loaded.connect(url) }
})
