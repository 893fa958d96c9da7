/** Properties as tests: FastCheck makes the values, and Effect runs each case. */
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as FastCheck from "fast-check"

type Arbitraries<Values extends Array<unknown>> = { [Index in keyof Values]: FastCheck.Arbitrary<Values[Index]> }

export interface Options {
  readonly fastCheck?: Pick<FastCheck.Parameters<never>, "interruptAfterTimeLimit" | "numRuns">
}

/** A property of the live services. */
export const live = <Values extends Array<unknown>>(
  title: string,
  arbitraries: [...Arbitraries<Values>],
  test: (values: Values) => Effect.Effect<unknown, unknown, Scope.Scope>,
  options: Options = {},
): void =>
  it(title, () =>
    FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.tuple<Values>(...arbitraries), (values) =>
        Effect.runPromise(Effect.asVoid(Effect.scoped(test(values)))),
      ),
      options.fastCheck,
    ),
  )

/** A property of a function. */
export const sync = <Values extends Array<unknown>>(
  title: string,
  arbitraries: [...Arbitraries<Values>],
  test: (values: Values) => void,
  options: Options = {},
): void =>
  it(title, () =>
    FastCheck.assert(FastCheck.property(FastCheck.tuple<Values>(...arbitraries), test), options.fastCheck),
  )
