import { describe, expect, it } from "@effect/vitest"
import { ApiToken, AppName } from "@vigil/appmgmt-client"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Redacted from "effect/Redacted"
import { canary, printed } from "./harness.js"

const shop = AppName.make("contoso", "shop")
const other = AppName.make("contoso", "shop2")

const secret = Redacted.make(canary)

const tokens = {
  "user, full": ApiToken.user({ secret, access: "full" }),
  "user, read-only": ApiToken.user({ secret, access: "read-only" }),
  "app, full": ApiToken.app({ secret, app: shop, access: "full" }),
  "app, read-only": ApiToken.app({ secret, app: shop, access: "read-only" }),
}

const subjects = { account: undefined, "own app": shop, "other app": other }

/** The document's table of rights, its access types, and rule 5 of "Authentication". */
const table: ReadonlyArray<
  readonly [keyof typeof tokens, keyof typeof subjects, ApiToken.Action, "allowed" | "denied"]
> = [
  ["user, full", "account", "read", "allowed"],
  ["user, full", "account", "change", "allowed"],
  ["user, full", "own app", "read", "allowed"],
  ["user, full", "own app", "change", "allowed"],
  ["user, full", "other app", "read", "allowed"],
  ["user, full", "other app", "change", "allowed"],
  ["user, read-only", "account", "read", "allowed"],
  ["user, read-only", "account", "change", "denied"],
  ["user, read-only", "own app", "read", "allowed"],
  ["user, read-only", "own app", "change", "denied"],
  ["user, read-only", "other app", "read", "allowed"],
  ["user, read-only", "other app", "change", "denied"],
  ["app, full", "account", "read", "denied"],
  ["app, full", "account", "change", "denied"],
  ["app, full", "own app", "read", "allowed"],
  ["app, full", "own app", "change", "allowed"],
  ["app, full", "other app", "read", "denied"],
  ["app, full", "other app", "change", "denied"],
  ["app, read-only", "account", "read", "denied"],
  ["app, read-only", "account", "change", "denied"],
  ["app, read-only", "own app", "read", "allowed"],
  ["app, read-only", "own app", "change", "denied"],
  ["app, read-only", "other app", "read", "denied"],
  ["app, read-only", "other app", "change", "denied"],
]

describe("the table of rights", () => {
  it("contains every cell once", () => {
    expect(new Set(table.map(([token, subject, action]) => `${token}, ${subject}, ${action}`)).size).toBe(4 * 3 * 2)
    expect(table).toHaveLength(4 * 3 * 2)
  })

  it.each(table)("for a token (%s) and the %s: %s is %s", (kind, subject, action, verdict) => {
    expect(ApiToken.isAllowed(tokens[kind], { action, app: subjects[subject] })).toBe(verdict === "allowed")
  })

  it("compares app names ignoring case", () => {
    const scope = { action: "change", app: AppName.make("Contoso", "Shop") } as const
    expect(ApiToken.isAllowed(tokens["app, full"], scope)).toBe(true)
    expect(ApiToken.isAllowed(tokens["app, full"], { action: "change", app: AppName.make("Fabrikam", "Shop") })).toBe(
      false,
    )
  })
})

describe("a token", () => {
  it("has a description", () => {
    expect(Object.values(tokens).map(ApiToken.describe)).toEqual([
      "a full-access user token",
      "a read-only user token",
      "a full-access app token of contoso/shop",
      "a read-only app token of contoso/shop",
    ])
  })

  it("has a description with its name, on one line of limited length", () => {
    const named = (name: string | undefined) => ApiToken.user({ secret, access: "full", name })
    expect(ApiToken.describe(named("nightly"))).toBe(`a full-access user token ("nightly")`)
    expect(ApiToken.describe({ kind: "app", app: shop, access: "read-only", name: 'a "b"\nc' })).toBe(
      `a read-only app token of contoso/shop ("a \\"b\\" c")`,
    )
    expect(ApiToken.describe(named("n".repeat(101)))).toBe(`a full-access user token ("${"n".repeat(100)}…")`)
    expect(named("nightly")).toMatchObject({ kind: "user", access: "full", name: "nightly" })
    expect(named(undefined)).not.toHaveProperty("name")
  })

  it("has the same rights with any name", () => {
    const named = ApiToken.app({ secret, app: shop, access: "full", name: "nightly" })
    expect(ApiToken.isAllowed(named, { action: "change", app: shop })).toBe(true)
    expect(ApiToken.isAllowed(named, { action: "change", app: other })).toBe(false)
  })

  it("equals a token of the same kind, access, name, app and secret", () => {
    const user = (more: Partial<ApiToken.UserOptions> = {}) => ApiToken.user({ secret, access: "full", ...more })
    expect(Equal.equals(ApiToken.app({ secret, app: shop, access: "full" }), tokens["app, full"])).toBe(true)
    expect(Equal.equals(user(), tokens["user, full"])).toBe(true)
    expect(Equal.equals(user(), tokens["user, read-only"])).toBe(false)
    expect(Equal.equals(user({ name: "a" }), user({ name: "a" }))).toBe(true)
    expect(Equal.equals(user({ name: "a" }), user())).toBe(false)
    expect(Equal.equals(user({ secret: Redacted.make("other") }), user())).toBe(false)
  })

  it.each([
    ["a secret", secret],
    ["an effect that contains the text", Effect.map(Effect.succeed(canary), Redacted.make)],
  ] as const)("never prints %s", (_, value) => {
    for (const token of [
      ApiToken.user({ secret: value, access: "full" }),
      ApiToken.app({ secret: value, app: shop, access: "full" }),
    ]) {
      expect(printed(token)).toContain("full")
      expect(printed(token)).not.toContain(canary)
    }
  })
})

describe("describeRequired", () => {
  it("names a user token, and for an app also an app token", () => {
    expect(ApiToken.describeRequired({ action: "read" })).toBe("a read-only user token")
    expect(ApiToken.describeRequired({ action: "change" })).toBe("a full-access user token")
    expect(ApiToken.describeRequired({ action: "read", app: shop })).toBe(
      "a read-only user token or a read-only app token of contoso/shop",
    )
    expect(ApiToken.describeRequired({ action: "change", app: shop })).toBe(
      "a full-access user token or a full-access app token of contoso/shop",
    )
  })
})
