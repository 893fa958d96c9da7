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

const on = ["1", "true", "yes", "on"]
const off = ["0", "false", "no", "off"]

/** Whether a boolean variable is on. An empty one is off. Fails with a `UsageError` if it is no boolean. */
export const isOn = (name: string): Effect.Effect<boolean, UsageError> =>
  Effect.flatMap(text(name), (value) => {
    const set = Option.getOrElse(value, () => "0").toLowerCase()
    return [...on, ...off].includes(set)
      ? Effect.succeed(on.includes(set))
      : new UsageError({ message: `${name} is not a boolean: set it to ${on.join(", ")}, or ${off.join(", ")}.` })
  })
