import { rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, vi } from "vitest"
import { readers } from "./formats.js"
import { run } from "./run.js"

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
      const { code, data, notes, questions } = yield* run(
        "apps remove-user fleet/dispatch LIN.wu@vigil.example --sandbox",
        {
          answers: [" Yes "],
        },
      )
      expect({ code, data }).toEqual({ code: 0, data: ["LIN.wu@vigil.example was removed from fleet/dispatch."] })
      expect(notes).toEqual(["LIN.wu@vigil.example will be removed from fleet/dispatch and lose access to it."])
      expect(questions).toEqual(["Type yes to continue: "])
    }),
  )

  it.scopedLive.each([
    ["an answer other than yes", "", { answers: ["y"] }, 1, "Nothing was sent: the answer was not yes."],
    ["the end of the input", "", { answers: [] }, 1, "Nothing was sent: the answer was not yes."],
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

  it.scopedLive("skips the question with --yes, and prints the result in every format", () =>
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
      const csv = yield* run(`${removal} -y -o csv --base-url ${origin}`)
      expect(csv.data).toEqual(["app,email,result", "contoso/shop,ada@vigil.example,removed"])
    }),
  )

  it.scopedLive("notes that an earlier attempt may have removed the user", () =>
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

  it.scopedLive("fails after a 503 and a 404 that does not name the user", () =>
    Effect.gen(function* () {
      const { origin } = yield* Faults.serve([
        Reply.text("", { status: 503 }),
        Reply.text("default backend - 404", { status: 404 }),
      ])
      const { code, data, notes } = yield* run(`${removal} -y --base-url ${origin}`)
      expect({ code, data }).toEqual({ code: 5, data: [] })
      expect(notes.at(-1)).toContain(
        "An earlier attempt may have removed the user. To find out, list the users of the app in the portal or with GET /v0.1/apps/contoso/shop/users.",
      )
    }),
  )

  it.live.each([
    ["apps remove-user fleet/dispatch unknown@x.example", 5, "fleet/dispatch"],
    ["apps remove-user fleet/nothing unknown@x.example", 5, "fleet/nothing"],
    ["apps remove-user grace/night.watch ada@vigil.example", 4, "403"],
    ["apps remove-user fleet/dispatch unknown", 2, `<email> "unknown" is invalid: pass an email address`],
    ["apps remove-user fleet unknown@x.example", 2, `<owner/app> "fleet" is invalid: pass owner/app`],
    ["apps remove-user fleet/dispatch", 2, "<email> is missing: run vigil apps remove-user <owner/app> <email>."],
  ] as const)("vigil %s exits with %i", ([line, exitCode, words]) =>
    Effect.gen(function* () {
      const { code, data, notes } = yield* run(`${line} --yes --sandbox`)
      expect({ code, data }).toEqual({ code: exitCode, data: [] })
      expect(notes.at(-1)).toContain(words)
    }),
  )
})

describe("apps request", () => {
  it.scopedLive.each([
    ["a path without v0.1", "GET apps", "GET", "/v0.1/apps", ""],
    ["a path with v0.1", "get /v0.1/apps/a/b?top=5&x=%26", "GET", "/v0.1/apps/a/b?top=5&x=%26", ""],
    ["percent-encoded segments", "DELETE apps/a%2Fb/c+d%20é", "DELETE", "/v0.1/apps/a%2Fb/c%2Bd%20%C3%A9", ""],
    ["{} without data", "POST apps", "POST", "/v0.1/apps", "{}"],
    ["the data", `PATCH apps/a/b --data {"x":[1,null]}`, "PATCH", "/v0.1/apps/a/b", `{"x":[1,null]}`],
    ["data that is not an object", "PUT apps/a/b --data 0", "PUT", "/v0.1/apps/a/b", "0"],
    [
      "numbers with all their digits",
      `PATCH apps/a/b --data {"b":12345678901234567890,"c":1e400,"d":-0}`,
      "PATCH",
      "/v0.1/apps/a/b",
      `{"b":12345678901234567890,"c":1e400,"d":-0}`,
    ],
  ] as const)("sends %s", ([, line, method, target, body]) =>
    Effect.gen(function* () {
      const { origin, requests } = yield* Faults.serve([Reply.text(`{"ok":"\u202e"}`)])
      const { code, data } = yield* run(`apps request ${line} --yes --base-url ${origin}`)
      expect({ code, data }).toEqual({ code: 0, data: [`{"ok":"\\u202e"}`] })
      const [sent, ...more] = yield* requests
      expect(more).toEqual([])
      expect({ method: sent?.method, target: sent?.target, body: sent?.body }).toEqual({ method, target, body })
    }),
  )

  it.effect.each(["/", "apps/./x", "apps/%2e%2e/x"])("refuses the path %s in a dry run, too", (path) =>
    Effect.gen(function* () {
      expect(yield* run(`apps request DELETE ${path} --dry-run`)).toMatchObject({ code: 2, data: [] })
    }),
  )

  it.scopedLive("reads the data from stdin or a file, and prints it in a dry run only", () =>
    Effect.gen(function* () {
      const { origin, requests } = yield* Faults.serve([Reply.text("", { status: 204 })])
      const file = join(tmpdir(), `vigil-${process.pid}.json`)
      yield* Effect.promise(() => writeFile(file, `{"secret":"canary-44e0"}`))
      const fromFile = yield* run(`apps request POST x --data-file ${file} --yes --base-url ${origin}`)
      yield* Effect.promise(() => rm(file))
      expect(fromFile).toMatchObject({
        code: 0,
        data: [],
        notes: ["POST /v0.1/x with 24 bytes of data will be sent.", "The response has no body."],
      })
      const input = [`{"a":`, "1}"]
      yield* run(`apps request POST x --data-stdin -y --base-url ${origin}`, { input })
      expect((yield* requests).map(({ body }) => body)).toEqual([`{"secret":"canary-44e0"}`, `{"a":\n1}`])
      const dry = yield* run(`apps request POST x?a=b --data-stdin --dry-run -o yaml`, { input })
      expect(dry.data).toEqual([`method: "POST"`, `path: "/v0.1/x?a=b"`, `body: {"a": 1}`])
    }),
  )

  it.live("prints the body in a dry run", () =>
    Effect.gen(function* () {
      const body = `{"b":12345678901234567890,"c":"\u202e"}`
      for (const format of ["json", "yaml"] as const) {
        const dry = yield* run(`apps request POST x --data ${body} --dry-run -o ${format}`)
        expect(dry.data.join("\n")).toContain(`{"b":12345678901234567890,"c":"\\u202e"}`)
        expect(readers[format](dry.data.join("\n"))).toEqual({
          method: "POST",
          path: "/v0.1/x",
          body: JSON.parse(body),
        })
      }
      expect((yield* run("apps request GET x --dry-run")).data).toEqual([`{"method":"GET","path":"/v0.1/x"}`])
    }),
  )

  it.live.each([
    ["/v0.1/x", "/v0.1/x"],
    ["a/v0.1/x", "/v0.1/a/v0.1/x"],
    ["x?to=https://a.example/?b", "/v0.1/x?to=https%3A%2F%2Fa.example%2F%3Fb"],
    ["x?a=1\n2", "/v0.1/x?a=1%0A2"],
  ] as const)("reads the path %j", ([text, path]) =>
    Effect.gen(function* () {
      const { data } = yield* run(["apps", "request", "GET", text, "--dry-run"])
      expect(JSON.parse(data.join(""))).toEqual({ method: "GET", path })
    }),
  )

  it.live("escapes invisible characters of the body as the output format requires", () =>
    Effect.gen(function* () {
      const line = ["apps", "request", "POST", "x", "--data", `{"a":\n\n\t"\u{e0041}"}`, "--dry-run"]
      expect((yield* run(line)).data.join("")).toContain(String.raw`{"a": "\udb40\udc41"}`)
      expect((yield* run([...line, "-o", "yaml"])).data.join("\n")).toContain(String.raw`{"a": "\U000e0041"}`)
    }),
  )

  it.scopedLive("asks for confirmation except for GET", () =>
    Effect.gen(function* () {
      const { origin, requests } = yield* Faults.serve([Reply.text("{}")])
      const declined = yield* run(`apps request DELETE apps/a/b --base-url ${origin}`, { answers: ["no"] })
      expect(declined).toMatchObject({ code: 1, data: [], questions: ["Type yes to continue: "] })
      expect(declined.notes[0]).toBe("DELETE /v0.1/apps/a/b will be sent.")
      const refused = yield* run(`apps request POST apps --base-url ${origin}`)
      expect(refused).toMatchObject({ code: 2, data: [] })
      expect(yield* requests).toEqual([])
      const read = yield* run(`apps request GET apps --base-url ${origin}`)
      expect(read).toMatchObject({ code: 0, data: ["{}"], notes: [], questions: [] })
    }),
  )

  it.scopedLive.each([
    ["FETCH apps", `<method> "FETCH" is invalid: pass GET, POST, PUT, PATCH or DELETE.`],
    ["GET https://x.example/v0.1/apps", "is a URL: pass only the part after v0.1."],
    ["GET apps/%zz", "has an invalid escape: write %25 for a percent sign."],
    ["GET apps?a=1&a=2", "repeats a query parameter: pass each once."],
    ["GET apps/../user", 'has a segment that is empty, "." or "..": remove it.'],
    ["GET apps//x", 'has a segment that is empty, "." or "..": remove it.'],
    ["GET apps --data {}", "A GET request has no data: omit it, or pass POST, PUT or PATCH."],
    ["POST apps --data canary-44e0", "--data is not valid JSON. Nothing was sent."],
    ["POST apps --data-file /nowhere/x", `The file "/nowhere/x" can't be read (ENOENT). Check --data-file.`],
    ["POST apps --data-stdin --data {}", "--data, --data-file and --data-stdin are mutually exclusive"],
    ["POST apps --data-stdin", "Stdin is not valid JSON. Nothing was sent."],
  ] as const)("refuses %s", ([line, words]) =>
    Effect.gen(function* () {
      const { origin, requests } = yield* Faults.serve([Reply.text("{}")])
      const { code, data, notes } = yield* run(`apps request ${line} --yes --base-url ${origin}`)
      expect({ code, data }).toEqual({ code: 2, data: [] })
      expect(notes.at(-1)).toContain(words)
      expect(notes.join("")).not.toContain("canary")
      expect(yield* requests).toEqual([])
    }),
  )

  it.live("exits with the code of the response", () =>
    Effect.gen(function* () {
      const forbidden = yield* run("apps request PATCH apps/grace/night.watch --sandbox --yes")
      expect(forbidden).toMatchObject({ code: 4, data: [] })
      const missing = yield* run("apps request GET apps/ada/nothing --sandbox")
      expect(missing).toMatchObject({ code: 5, data: [] })
    }),
  )
})
