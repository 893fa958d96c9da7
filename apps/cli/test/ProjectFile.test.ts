import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as ConfigFile from "../src/settings/ConfigFile.js"
import * as ProjectFile from "../src/settings/ProjectFile.js"
// Sets a temporary home.
import "./run.js"

const file = "/project/vigil.config.json"

const objections = (contents: ConfigFile.Contents, own: ConfigFile.Contents = {}, text = "") =>
  ProjectFile.objections(file, { _tag: "Loaded", contents, text }, own)

const unconfirmed = "to a value that your own settings do not have"

describe("a setting of a project that is not trusted", () => {
  it.effect.each([
    [{ healthBaseUrl: "https://a.example/x" }, { healthBaseUrl: "https://a.example/y" }, undefined],
    [
      { healthBaseUrl: "https://b.example" },
      { healthBaseUrl: "https://a.example" },
      "https://b.example, which is not the origin of healthBaseUrl in your own settings",
    ],
    [{ portalUrl: "ftp://a.example" }, { portalUrl: "ftp://a.example" }, "to a value that is not a URL"],
    [{ tokenUrl: "https://a.example/x" }, { tokenUrl: "https://a.example/y" }, unconfirmed],
    [{ tokenUrl: "https://a.example/x" }, { tokenUrl: "https://a.example/x" }, undefined],
    [{ clientId: "a" }, {}, unconfirmed],
    [{ scope: "a" }, { scope: "a" }, undefined],
    [{ subscription: "a" }, {}, undefined],
    [{}, { healthBaseUrl: "https://a.example" }, undefined],
  ] as const)("%j is used only if the user's own settings %j confirm it", ([contents, own, reason]) =>
    Effect.gen(function* () {
      const reasons = Object.values(yield* objections(contents, own))
      expect(reasons).toEqual(reason === undefined ? [] : [expect.stringContaining(reason)])
    }),
  )
})

describe("a trusted file", () => {
  it.effect("may set everything, until its text changes or the trust ends", () =>
    Effect.gen(function* () {
      const contents = { clientId: "a" }
      expect(yield* objections(contents, {}, "one")).toHaveProperty("clientId")
      yield* ProjectFile.trust(file, "one")
      expect(yield* objections(contents, {}, "one")).toEqual({})
      expect(yield* objections(contents, {}, "two")).toHaveProperty("clientId")
      yield* ProjectFile.trust(file, "two")
      expect(yield* objections(contents, {}, "two")).toEqual({})
      yield* ProjectFile.distrust(file)
      yield* ProjectFile.distrust(file)
      expect(yield* objections(contents, {}, "two")).toHaveProperty("clientId")
    }),
  )
})
