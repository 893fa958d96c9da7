/** What the environment says. A variable that is empty says nothing. */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { UsageError } from "../Failure.js"

/** A variable. */
export const text = (name: string): Effect.Effect<Option.Option<string>> =>
  Effect.orDie(Config.option(Config.nonEmptyString(name)))

/** A variable that is a secret. */
export const secret = (name: string): Effect.Effect<Option.Option<Redacted.Redacted>> =>
  Effect.orDie(Config.option(Config.redacted(Config.nonEmptyString(name))))

/** Whether a switch is on: `1`, where `0` and nothing are off. `purpose` is what it is set for. */
export const isOn = (name: string, purpose: string): Effect.Effect<boolean, UsageError> =>
  Effect.flatMap(text(name), (value) => {
    const said = Option.getOrElse(value, () => "0")
    return ["0", "1"].includes(said)
      ? Effect.succeed(said === "1")
      : new UsageError({ message: `${name} is set to something else than 1 or 0. Set it to 1 for ${purpose}.` })
  })
