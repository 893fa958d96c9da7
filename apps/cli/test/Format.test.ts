import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Format from "../src/output/Format.js"
import { Output } from "../src/output/Output.js"

/** Collects what an effect prints. */
const printed = <A, E>(effect: Effect.Effect<A, E, Output>, width?: number) =>
  Effect.suspend(() => {
    const lines: Array<string> = []
    const notes: Array<string> = []
    return effect.pipe(
      Effect.exit,
      Effect.map((exit) => ({ exit, lines, notes })),
      Effect.provideService(Output, {
        data: (all) => Effect.sync(() => void lines.push(...all)),
        note: (note) => Effect.sync(() => void notes.push(note)),
        status: () => Effect.void,
        width,
        color: false,
      }),
    )
  })

interface Value {
  readonly id: string
  readonly size?: number | null
  readonly deep?: unknown
}

const shape = Format.shape<Value>({
  columns: [
    { heading: "ID", cell: ({ id }) => id },
    { heading: "SIZE", cell: ({ size }) => size?.toString(), minWidth: 4, hideOrder: 1 },
  ],
  fields: { id: ({ id }) => id, size: ({ size }) => size },
})

const parts: ReadonlyArray<ReadonlyArray<Value>> = [[{ id: "a", size: 1 }, { id: "b" }], [], [{ id: "c", size: null }]]

/** The same values by format: as a complete list, as a list that continues after two values, and as an empty list. */
const expected = {
  table: [["ID\tSIZE", "a\t1", "b\t", "c\t"], ["ID\tSIZE", "a\t1", "b\t", "ID\tSIZE", "c\t"], ["ID\tSIZE"]],
  json: [
    ["[", ` {"id":"a","size":1}`, `,{"id":"b","size":null}`, `,{"id":"c","size":null}`, "]"],
    [`,{"id":"a","size":1}`, `,{"id":"b","size":null}`, `,{"id":"c","size":null}`, "]"],
    ["[]"],
  ],
  jsonl: [
    [`{"id":"a","size":1}`, `{"id":"b","size":null}`, `{"id":"c","size":null}`],
    [`{"id":"a","size":1}`, `{"id":"b","size":null}`, `{"id":"c","size":null}`],
    [],
  ],
  csv: [["id,size", "a,1", "b,", "c,"], ["a,1", "b,", "c,"], ["id,size"]],
  yaml: [
    ["- id: a", "  size: 1", "- id: b", "  size: null", "- id: c", "  size: null"],
    ["- id: a", "  size: 1", "- id: b", "  size: null", "- id: c", "  size: null"],
    ["[]"],
  ],
} as const

describe.each(["table", "json", "jsonl", "csv", "yaml"] as const)("a list as %s", (format) => {
  const [complete, continued, empty] = expected[format]

  it.effect("is complete, continues after earlier values, or is empty", () =>
    Effect.gen(function* () {
      const all = Stream.fromIterable(parts)
      expect(yield* printed(Format.list(format, shape, all))).toMatchObject({ lines: complete, notes: [] })
      expect(yield* printed(Format.list(format, shape, all, 2))).toMatchObject({ lines: continued })
      expect(yield* printed(Format.list(format, shape, Stream.empty))).toMatchObject({ lines: empty })
    }),
  )
})

describe("a table", () => {
  const failing = Stream.concat(Stream.fromIterable(parts), Stream.fail("gone"))

  it.effect("has the values before a failure, and is not printed without values", () =>
    Effect.gen(function* () {
      const { exit, lines } = yield* printed(Format.list("table", shape, failing))
      expect(exit._tag).toBe("Failure")
      expect(lines).toEqual(expected.table[0])
      const without = Stream.concat(Stream.make([]), Stream.fail("gone"))
      expect(yield* printed(Format.list("table", shape, without))).toMatchObject({ lines: [] })
    }),
  )

  it.effect("hides columns that do not fit, except with --output wide", () =>
    Effect.gen(function* () {
      const values = Stream.make([{ id: "abcdef", size: 123_456 }])
      const narrow = yield* printed(Format.list("table", shape, values), 8)
      expect(narrow).toMatchObject({
        lines: ["ID", "abcdef"],
        notes: ["Hidden columns: SIZE. Show them with --output wide."],
      })
      const wide = yield* printed(Format.list("wide", shape, values), 8)
      expect(wide).toMatchObject({ lines: ["ID      SIZE", "abcdef  123456"], notes: [] })
    }),
  )
})
