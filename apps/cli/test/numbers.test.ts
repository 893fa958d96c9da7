import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readers } from "./formats.js"
import { run } from "./run.js"
import { service } from "./service.js"

describe("numbers beyond the precision of JavaScript", () => {
  it.live("are the same in JSON and JSON lines", () =>
    Effect.gen(function* () {
      const numbers = "[12345678901234567890,1e400,-1e400,-0,0.1000000000000000055,1e21,1e-7]"
      const url = yield* service({ body: `{"value":[{"id":"A","numbers":${numbers}}]}` })
      const [json, jsonl] = yield* Effect.forEach(["json", "jsonl"] as const, (format) =>
        Effect.map(run(`events list -s x --base-url ${url} -o ${format}`), ({ data }) =>
          readers[format](data.join("\n")),
        ),
      )
      expect(json).toEqual([{ id: "A", numbers: [12345678901234567000, null, null, 0, 0.1, 1e21, 1e-7] }])
      expect(jsonl).toEqual(json)
    }),
  )
})
