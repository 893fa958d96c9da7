import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import { run } from "../support/run.js"
import { service } from "../support/service.js"

afterEach(() => {
  vi.unstubAllEnvs()
})

const serveApps = (body: string) =>
  Effect.tap(service({ body }), () => Effect.sync(() => void vi.stubEnv("APPMGMT_API_TOKEN", "canary-44e0")))

describe("apps list", () => {
  it.live("prints the names that other commands accept", () =>
    Effect.gen(function* () {
      const { code, data, notes } = yield* run("apps list --sandbox")
      expect([code, notes]).toEqual([0, [`${data.length - 1} apps`]])
      expect(data[0]).toBe("APP\tNAME\tOWNER\tOS\tDESCRIPTION")
      expect(data).toContainEqual(expect.stringMatching(/^fleet\/dispatch\tDispatch <beta>\torg\tAndroid\t/))
    }),
  )

  it.live("prints the response with json, and escapes control characters", () =>
    Effect.gen(function* () {
      const sent = [
        { name: "a\u001b[2Jb", description: "\u202eevil\r\nrow", extra: [1e21, null] },
        { id: "x", owner: null },
        { name: "shop", owner: { name: "contoso", type: "org" }, os: null, platform: "=1+1" },
      ]
      const url = yield* serveApps(JSON.stringify(sent))
      const json = yield* run(`apps list -o json --base-url ${url}`)
      expect(JSON.parse(json.data.join("\n"))).toEqual(sent)
      const table = yield* run(`apps list --base-url ${url}`)
      expect(table.data.slice(1)).toEqual(["ab\t\t\t\tevil row", "x\t\t\t\t", "contoso/shop\t\torg\t=1+1\t"])
      const csv = yield* run(`apps list -o csv --base-url ${url}`)
      expect(csv.data[0]).toBe("id,owner,ownerType,name,displayName,os,platform,description")
      expect(csv.data[3]).toBe(",contoso,org,shop,,,'=1+1,")
    }),
  )
})

describe("apps url", () => {
  it.live("requests the type of the owner, and prints the URL", () =>
    Effect.gen(function* () {
      const ofOrganization = yield* run("apps url fleet/dispatch --sandbox --portal https://portal.example/")
      expect(ofOrganization).toMatchObject({ code: 0, data: ["https://portal.example/orgs/fleet/apps/dispatch"] })
      expect((yield* run("apps url fleet/nothing --sandbox")).code).toBe(5)
      const ofUser = yield* run("apps url ADA/atlas --sandbox")
      expect(ofUser.data).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/users\/ADA\/apps\/atlas$/)])
    }),
  )

  it.live.each([
    ["apps url shop", `<owner/app> "shop" is invalid: pass owner/app, or the URL of the app's page in the portal.`],
    ["apps url a/b --portal file:///x", "The portal URL is invalid."],
    ["apps url a/b --owner-type org", "No portal URL is configured: set APPMGMT_PORTAL_URL, or pass --portal."],
    ["apps url a/b --portal https://p.example", "the owner type of a/b: pass --owner-type user or --owner-type org."],
  ] as const)("rejects %s, and names what to pass", ([line, words]) =>
    Effect.gen(function* () {
      const url = yield* serveApps(`[{"name":"b","owner":{"name":"a"}}]`)
      const { code, data, notes } = yield* run(`${line} --base-url ${url}`)
      expect({ code, data }).toEqual({ code: 2, data: [] })
      expect(notes).toEqual([expect.stringContaining(words)])
    }),
  )
})
