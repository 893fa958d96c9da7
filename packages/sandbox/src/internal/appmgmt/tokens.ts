/** The tokens that exist. Of their values only the hashes are kept. */
import { createHash, randomBytes, randomUUID } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Accounts } from "../../Accounts.js"
import * as Tokens from "../../Tokens.js"
import * as rights from "./rights.js"

/** The store, and who holds a value. */
export interface Store extends Tokens.Service {
  readonly holder: (value: string) => Effect.Effect<Tokens.Token | undefined>
}

/** Tokens per account, which is who created them (document, "Limits"). */
const limit = 5_000

const hash = (value: string): string => createHash("sha256").update(value).digest("hex")

const refused = (reason: Tokens.TokenRefused["reason"], message: string) =>
  Effect.fail(new Tokens.TokenRefused({ reason, message }))

/** A store in which `first` is the value of a user token of the first user, with full access. */
export const make = (current: Effect.Effect<Accounts>, first: Redacted.Redacted): Effect.Effect<Store> =>
  Effect.gen(function* () {
    const known = new Map<string, Tokens.Token>()
    const { users } = yield* current
    const start = yield* Clock.currentTimeMillis
    const base = { id: randomUUID(), kind: "user", access: "full", user: users[0].name, createdAt: start } as const
    known.set(hash(Redacted.value(first)), { ...base, name: "The sandbox's token" })

    const create: Store["create"] = (options) =>
      Effect.gen(function* () {
        const accounts = yield* current
        const { access, kind, user = accounts.users[0].name } = options
        if (!accounts.users.some(({ name }) => name === user))
          return yield* refused("user", `There is no user '${user}'.`)
        if (options.kind === "app") {
          const app = rights.appNamed(accounts, options.app)
          if (app === undefined) return yield* refused("app", `There is no app '${options.app}'.`)
          const operation = access === "full" ? "createFullToken" : "createReadOnlyToken"
          if (!rights.allowed({ kind: "user", access: "full" }, rights.ofUser(accounts, user, app), operation))
            return yield* refused(
              "right",
              `The user '${user}' may not create such a token for the app '${options.app}'.`,
            )
        }
        const createdAt = yield* Clock.currentTimeMillis
        const mine = [...known.values()].filter((token) => token.user === user)
        if (mine.length >= limit) return yield* refused("limit", `The user '${user}' has ${limit} tokens already.`)
        const value = randomBytes(20).toString("hex")
        const id = randomUUID()
        const token = { id, access, user, name: options.name ?? `${kind} token, ${access}`, createdAt }
        known.set(
          hash(value),
          options.kind === "app" ? { ...token, kind: "app", app: options.app } : { ...token, kind: "user" },
        )
        return { id, value: Redacted.make(value) }
      })

    return {
      create,
      delete: (id) =>
        Effect.sync(() => {
          const [key] = [...known].find(([, token]) => token.id === id) ?? []
          return key !== undefined && known.delete(key)
        }),
      list: Effect.sync(() => [...known.values()]),
      holder: (value) =>
        Effect.map(current, ({ users }) => {
          const token = known.get(hash(value))
          // What belongs to an app outlives the account that created it.
          return token?.kind === "app" || users.some(({ name }) => name === token?.user) ? token : undefined
        }),
    }
  })
