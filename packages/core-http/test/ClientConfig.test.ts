import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import { ClientConfig } from "@vigil/core-http"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

interface Options {
  readonly url: string
  readonly secret: Effect.Effect<Redacted.Redacted, unknown> | Redacted.Redacted
  readonly limit?: number | undefined
  readonly policy?: { readonly retries: number } | undefined
  readonly change?: ((text: string) => string) | undefined
}

const defaults = { url: Config.string("URL"), secret: Config.redacted("SECRET"), limit: Config.integer("LIMIT") }

const read = (options: ClientConfig.ClientConfig<Options>, values: Record<string, string> = {}) =>
  ClientConfig.unwrap<Options>(options, defaults).pipe(
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(values)))),
  )

const all = { URL: "https://a.example", SECRET: "s", LIMIT: "1" }

describe("the options of a client", () => {
  it.effect("have default names if a record omits them or sets them to undefined", () =>
    Effect.gen(function* () {
      const expected = { url: "https://a.example", secret: Redacted.make("s"), limit: 1 }
      expect(yield* read({}, all)).toEqual(expected)
      expect(yield* read({ url: undefined, limit: undefined }, all)).toEqual(expected)
    }),
  )

  it.effect("can each be a value or a Config", () =>
    Effect.gen(function* () {
      const change = (text: string) => text
      const options = { url: Config.string("MY_URL"), limit: 7, policy: { retries: 0 }, change }
      expect(yield* read(options, { MY_URL: "https://b.example", SECRET: "s" })).toEqual({
        url: "https://b.example",
        secret: Redacted.make("s"),
        limit: 7,
        policy: { retries: 0 },
        change,
      })
    }),
  )

  it.effect("keep an effect as a value, although a Config is an effect, too", () =>
    Effect.gen(function* () {
      const secret = Effect.succeed(Redacted.make("vault"))
      const kept = yield* read({ url: "u", limit: 1, secret })
      expect(kept.secret).toBe(secret)
      const values = { MY_SECRET: "s" }
      const resolved = yield* read({ url: "u", limit: 1, secret: Config.redacted("MY_SECRET") }, values)
      expect(Redacted.isRedacted(resolved.secret)).toBe(true)
    }),
  )

  it.effect("can be one Config, which gets no defaults", () =>
    Effect.gen(function* () {
      const whole: Config.Config<Options> = Config.all({ url: Config.string("MY_URL"), secret: Config.redacted("S") })
      const { secret, ...rest } = yield* read(whole, { MY_URL: "u", S: "s" })
      expect(rest).toEqual({ url: "u" })
      expect(secret).toEqual(Redacted.make("s"))
    }),
  )

  it.effect("fail with every missing name", () =>
    Effect.gen(function* () {
      const error = String(yield* Effect.flip(read({ limit: Config.integer("MY_LIMIT") })))
      for (const name of ["URL", "SECRET", "MY_LIMIT"]) expect(error).toContain(`at ${name}:`)
      expect(error).not.toContain(" at LIMIT:")
    }),
  )

  it("have the types of the options", () => {
    const use = () => {
      expectTypeOf(ClientConfig.unwrap<Options>({ limit: 7 }, defaults)).toEqualTypeOf<Config.Config<Options>>()
      // @ts-expect-error -- a limit is a number
      void read({ limit: "7" })
      // @ts-expect-error -- also as a Config
      void read({ limit: Config.string("LIMIT") })
      // @ts-expect-error -- an unknown option
      void read({ limits: 7 })
      // @ts-expect-error -- a required option has a default name
      void ClientConfig.unwrap<Options>({}, { url: Config.string("URL") })
    }
    expectTypeOf(use).toBeFunction()
  })
})
