/** The API tokens. Only hashes of their values are stored. */
import { createHash, randomBytes, randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Accounts } from "../../Accounts.js"
import * as Tokens from "../../Tokens.js"
import * as rights from "./rights.js"

/** Per account (document, "Limits"). */
const limit = 5_000

const hash = (value: string): string => createHash("sha256").update(value).digest("hex")

const refused = (reason: Tokens.TokenRefused["reason"], message: string) =>
  Effect.fail(new Tokens.TokenRefused({ reason, message }))

export const make = Effect.fnUntraced(function* (current: Effect.Effect<Accounts>, first: Redacted.Redacted) {
  const tokensByHash = new Map<string, rights.Token & { readonly id: string }>()
  const { users } = yield* current
  const add = (value: string, options: Tokens.Options & { readonly user: string }) => {
    const id = randomUUID()
    tokensByHash.set(hash(value), { ...options, id })
    return { id, value: Redacted.make(value) }
  }
  add(Redacted.value(first), { kind: "user", access: "full", user: users[0].name })

  const create = Effect.fnUntraced(function* (options: Tokens.Options) {
    const accounts = yield* current
    const { access, user = accounts.users[0].name } = options
    if (!accounts.users.some(({ name }) => name === user))
      return yield* refused("user", `The user '${user}' does not exist.`)
    if (options.kind === "app") {
      const app = rights.appNamed(accounts, options.app)
      if (app === undefined) return yield* refused("app", `The app '${options.app}' does not exist.`)
      const least = access === "full" ? "manager" : "developer"
      if (!rights.isAtLeast(rights.ofUser(accounts, user, app), least))
        return yield* refused(
          "right",
          `The user '${user}' has no right to create this token for the app '${options.app}'.`,
        )
    }
    const own = [...tokensByHash.values()].filter((token) => token.user === user)
    if (own.length >= limit) return yield* refused("limit", `The user '${user}' already has ${limit} tokens.`)
    return add(randomBytes(20).toString("hex"), { ...options, user })
  })

  return {
    create,
    delete: (id: string) =>
      Effect.sync(() => {
        const [key] = [...tokensByHash].find(([, token]) => token.id === id) ?? []
        return key !== undefined && tokensByHash.delete(key)
      }),
    holder: (value: string) =>
      Effect.map(current, ({ users }) => {
        const token = tokensByHash.get(hash(value))
        // An app token remains valid after its creator's account is deleted.
        return token?.kind === "app" || users.some(({ name }) => name === token?.user) ? token : undefined
      }),
  }
})

export type Store = Effect.Success<ReturnType<typeof make>>
