import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, vi } from "vitest"
import { run } from "../support/run.js"

beforeEach(() => {
  vi.stubEnv("APPMGMT_API_TOKEN", "canary-44e0")
})

afterEach(() => {
  vi.unstubAllEnvs()
})

const removal = "apps remove-user contoso/shop ada@vigil.example"

describe("apps remove-user", () => {
  it.live("removes the user after a typed yes", () =>
    Effect.gen(function* () {
      const line = "apps remove-user fleet/dispatch LIN.wu@vigil.example --sandbox"
      const { code, data, notes, questions } = yield* run(line, { answers: [" Yes "] })
      expect({ code, data }).toEqual({ code: 0, data: ["LIN.wu@vigil.example was removed from fleet/dispatch."] })
      expect(notes).toEqual(["LIN.wu@vigil.example will be removed from fleet/dispatch and lose access to it."])
      expect(questions).toEqual(["Type yes to continue: "])
    }),
  )

  it.live.each([
    ["an answer other than yes", "", { answers: ["y"] }, 1, "Nothing was sent: the answer was not yes."],
    ["no terminal and no --yes", "", {}, 2, "confirmation requires a terminal. ada@vigil.example will be removed"],
    ["--dry-run", " --dry-run --yes", {}, 0, undefined],
  ] as const)("sends nothing on %s", ([, flags, ground, exitCode, words]) =>
    Effect.gen(function* () {
      const { origin, requests } = yield* Faults.serve([Reply.text("{}")])
      const { code, data, notes } = yield* run(`${removal}${flags} --base-url ${origin}`, ground)
      expect(code).toBe(exitCode)
      expect(yield* requests).toEqual([])
      if (words === undefined) expect(data).toEqual(["ada@vigil.example would be removed from contoso/shop."])
      else expect(notes.at(-1)).toContain(words)
    }),
  )

  it.live("skips the question with --yes, and prints the result as JSON", () =>
    Effect.gen(function* () {
      const { origin, requests } = yield* Faults.serve([Reply.text("{}")])
      const { code, data, questions } = yield* run(`${removal} --yes -o json --base-url ${origin}`)
      expect([code, questions]).toEqual([0, []])
      expect(JSON.parse(data.join(""))).toEqual({
        app: "contoso/shop",
        email: "ada@vigil.example",
        result: "removed",
      })
      expect(yield* requests).toMatchObject([
        { method: "DELETE", target: "/v0.1/apps/contoso/shop/users/ada%40vigil.example" },
      ])
    }),
  )

  it.live("notes that an earlier attempt may have removed the user", () =>
    Effect.gen(function* () {
      const { origin } = yield* Faults.serve([
        Reply.text("", { status: 502 }),
        Reply.text(`{"code":"UserNotFound","message":"Gone"}`, { status: 404 }),
      ])
      const { code, data, notes } = yield* run(`${removal} -y --base-url ${origin}`)
      expect({ code, data }).toEqual({ code: 0, data: ["ada@vigil.example has no access to contoso/shop."] })
      expect(notes.at(-1)).toMatch(/^vigil: The user has no access to the app\. An earlier attempt/)
    }),
  )

  it.live.each([
    ["apps remove-user fleet/dispatch unknown@x.example", 5, "fleet/dispatch"],
    ["apps remove-user fleet/nothing unknown@x.example", 5, "fleet/nothing"],
    ["apps remove-user grace/night.watch ada@vigil.example", 4, "403"],
    ["apps remove-user fleet/dispatch unknown", 2, `<email> "unknown" is invalid: pass an email address`],
    ["apps remove-user fleet unknown@x.example", 2, `<owner/app> "fleet" is invalid: pass owner/app`],
  ] as const)("vigil %s exits with %i", ([line, exitCode, words]) =>
    Effect.gen(function* () {
      const { code, data, notes } = yield* run(`${line} --yes --sandbox`)
      expect({ code, data }).toEqual({ code: exitCode, data: [] })
      expect(notes.at(-1)).toContain(words)
      expect(notes.at(-1)).not.toContain("AppManagement.")
    }),
  )
})
