/** What the document says in numbers and dates. */
import { expect, it } from "@effect/vitest"
import { ApiToken, Lifecycle } from "@vigil/appmgmt-client"
import * as DateTime from "effect/DateTime"

it("an account has up to 5000 tokens", () => {
  expect(ApiToken.maxPerAccount).toBe(5000)
})

it("the product was retired on 31 March 2025, and its diagnostics are supported until 30 June 2026", () => {
  expect(DateTime.formatIsoDateUtc(Lifecycle.retired)).toBe("2025-03-31")
  expect(DateTime.formatIsoDateUtc(Lifecycle.diagnosticsSupportedUntil)).toBe("2026-06-30")
})
