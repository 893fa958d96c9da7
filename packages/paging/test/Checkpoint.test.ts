import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import { Checkpoint, Paging } from "@vigil/paging"
import * as property from "@vigil/testing/property"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Exit from "effect/Exit"
import * as FastCheck from "fast-check"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { book, drain } from "./lists.js"

const text = Schema.fromJsonString(Checkpoint.schema(Schema.String))

describe("a stored checkpoint", () => {
  it("is plain JSON", () => {
    const encode = Schema.encodeSync(text)
    expect(encode({ next: Option.some("/p2?x=1"), pages: 3, items: 120 })).toBe(
      '{"next":"/p2?x=1","pages":3,"items":120}',
    )
    expect(encode({ next: Option.none(), pages: 4, items: 121 })).toBe('{"next":null,"pages":4,"items":121}')
  })

  property.sync(
    "survives encoding and decoding",
    [FastCheck.option(FastCheck.string({ unit: "binary" })), FastCheck.maxSafeNat(), FastCheck.maxSafeNat()],
    ([next, pages, items]) => {
      const checkpoint = { next: Option.fromNullishOr(next), pages, items }
      expect(Schema.decodeSync(text)(Schema.encodeSync(text)(checkpoint))).toEqual(checkpoint)
    },
  )

  it("supports any cursor that has a schema", () => {
    const schema = Checkpoint.schema(Schema.Struct({ since: Schema.DateFromString }))
    const checkpoint = { next: Option.some({ since: new Date(0) }), pages: 1, items: 1 }
    expect(Schema.encodeSync(schema)(checkpoint)).toEqual({
      next: { since: "1970-01-01T00:00:00.000Z" },
      pages: 1,
      items: 1,
    })
    expectTypeOf<typeof schema.Type>().toEqualTypeOf<Checkpoint.Checkpoint<{ readonly since: Date }>>()
  })

  it("rejects cursors that are encoded as null, which means the end", () => {
    // @ts-expect-error null means the end
    void (() => Checkpoint.schema(Schema.NullOr(Schema.String)))
  })

  it.each([
    "",
    "{",
    "null",
    "[]",
    '"/p2"',
    "{}",
    '{"next":"/p2","pages":1}',
    '{"next":"/p2","items":1}',
    '{"pages":1,"items":1}',
    '{"next":2,"pages":1,"items":1}',
    '{"next":"/p2","pages":-1,"items":1}',
    '{"next":"/p2","pages":1.5,"items":1}',
    '{"next":"/p2","pages":1,"items":"1"}',
    '{"next":"/p2","pages":1,"items":-1}',
    '{"next":"/p2","pages":1,"items":1e400}',
  ])("fails with a SchemaError if it is invalid: %s", (stored) => {
    expect(Result.getFailure(Schema.decodeResult(text)(stored))).toMatchObject({ value: { _tag: "SchemaError" } })
  })
})

describe("from a checkpoint", () => {
  const list = { a: [[1, 2], "b"], b: [[3], "c"], c: [[4, 5]] } as const

  it.effect("a list continues with the next page and with the counts", () =>
    Effect.gen(function* () {
      const { fetched, next } = book(list)
      const { delivered } = yield* drain(Paging.pages({ from: { next: Option.some("b"), pages: 1, items: 2 }, next }))
      expect(fetched).toEqual(["b", "c"])
      expect(delivered.map(({ checkpoint, items }) => [items, checkpoint])).toEqual([
        [[3], { next: Option.some("c"), pages: 2, items: 3 }],
        [[4, 5], { next: Option.none(), pages: 3, items: 5 }],
      ])
    }),
  )

  it.effect.each([[{}], [{ maxPages: 0 }]] as const)("a finished list is empty, with %j", ([options]) =>
    Effect.gen(function* () {
      const { fetched, next } = book(list)
      const from = { next: Option.none(), pages: 3, items: 5 }
      expect(yield* drain(Paging.pages({ from, next, ...options }))).toEqual({ delivered: [], exit: Exit.void })
      expect(fetched).toEqual([])
    }),
  )
})
