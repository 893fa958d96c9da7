/** The flag `--api-version` and its setting: any version of the form of one is requested. */
import { describe, expect, it } from "@effect/vitest"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import { run } from "../support/run.js"
import { service } from "../support/service.js"
import { makeWorkspace } from "../support/workspace.js"

afterEach(() => {
  vi.unstubAllEnvs()
})

const older = ["2015-01-01", "2018-07-01", "2020-05-01-preview", "2022-10-01", "2024-02-01"]
const odd = ["2018-08-01-rc", "2026-09-30", "9999-12-31", "2026-08-01-privatepreview.2", "2026-08-01-Preview"]

const commands = [
  "events list",
  "events show AB12-CD3",
  "events resources AB12-CD3",
  "events watch --once --output jsonl",
  "resources list",
  "resources list --watch --once",
]

/** The requested versions of the runs, whose service has no events. */
const requested = Effect.fnUntraced(function* (...lines: ReadonlyArray<ReadonlyArray<string>>) {
  yield* makeWorkspace
  vi.stubEnv("HEALTH_ACCESS_TOKEN", "token")
  const { origin, requests } = yield* Faults.serve(() => Reply.page([]))
  const notes: Array<string> = []
  for (const line of lines) {
    const ran = yield* run([...line, "--base-url", origin, "-s", "x"])
    expect(ran.code).not.toBe(2)
    notes.push(...ran.notes.filter((text) => text.includes("not known here")))
  }
  const versions = (yield* requests).map(({ target }) => new URL(target, origin).searchParams.get("api-version"))
  return { notes, versions: [...new Set(versions)] }
})

describe("a requested API version", () => {
  it.live.each([...ApiVersion.all, ...older, ...odd])("%s is sent as given, by every command", (version) =>
    Effect.gen(function* () {
      const lines = commands.map((line) => [...line.split(" "), "--api-version", version])
      expect((yield* requested(...lines)).versions).toEqual([version])
    }),
  )

  it.live("that is not known is noted once, with what it means for fields", () =>
    Effect.gen(function* () {
      const known = yield* requested(["events", "list", "--api-version", "2026-07-01"])
      expect(known.notes).toEqual([])
      vi.stubEnv("HEALTH_API_VERSION", "2025-05-02")
      const { notes, versions } = yield* requested(["events", "list"])
      expect(versions).toEqual(["2025-05-02"])
      expect(notes).toEqual([
        `vigil: API version 2025-05-02 is not known here: events are checked as those of ${ApiVersion.latest}, and other fields are shown as the service sends them. Did you mean 2025-05-01?`,
      ])
    }),
  )

  it.live.each(["2025-13-01", "2025-5-1", "latest", "2025-05-01-", "2025-05-01&x=1"])(
    "%s, which is not of the form of one, is not sent",
    (version) =>
      Effect.gen(function* () {
        expect(yield* run(["events", "list", "--sandbox", "--api-version", version])).toMatchObject({
          code: 2,
          notes: [expect.stringContaining("pass a version such as 2025-05-01 or 2026-08-01-preview")],
        })
      }),
  )

  it.live.each([
    [
      400,
      `{"error":{"code":"InvalidApiVersionParameter","message":"The api-version '2026-07-01' is invalid. The supported versions are '2025-05-01,2022-10-01'."}}`,
      "2025-05-01 or 2022-10-01",
    ],
    [
      404,
      `{"error":{"code":"InvalidResourceType","message":"The resource type 'events' could not be found in the namespace 'A' for api version '2026-07-01'. The supported api-versions are '2015-01-01,2018-07-01-rc'."}}`,
      "2015-01-01 or 2018-07-01-rc",
    ],
    [
      400,
      `{"error":{"code":"NoRegisteredProviderFound","message":"No registered resource provider found for location 'global' and API version '2026-07-01' for type 'events'."}}`,
      "another version",
    ],
  ] as const)("that the service rejects with %i names the flag and what it supports", ([status, body, versions]) =>
    Effect.gen(function* () {
      const origin = yield* service({ status, body })
      const { notes } = yield* run(`events list -s x --base-url ${origin} --api-version 2026-07-01`)
      expect(notes).toEqual([
        expect.stringMatching(new RegExp(` Set --api-version or HEALTH_API_VERSION to ${versions}\\.$`)),
      ])
    }),
  )
})
