/** Checks of the settings for tokens that are fetched: the token command and client credentials. They show no argument and no secret. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { UsageError } from "../Failure.js"
import * as ClientSettings from "../settings/ClientSettings.js"
import * as Environment from "../settings/Environment.js"
import * as ServiceName from "../settings/ServiceName.js"
import * as TokenCommandSetting from "../settings/TokenCommandSetting.js"
import * as Check from "./Check.js"

interface Source {
  readonly found: string
  readonly from: string
}

const { tokenVariable } = ServiceName.facts.health

/** A valid setting is skipped if the token of the environment overrides it. */
const check = (
  name: string,
  variables: ReadonlyArray<string>,
  find: Effect.Effect<Option.Option<Source>, UsageError>,
): Effect.Effect<Check.Check> =>
  Effect.gen(function* () {
    const isOverridden = Option.isSome(yield* Environment.secret(tokenVariable))
    return yield* Effect.match(find, {
      onFailure: ({ message }) => Check.failed(name, "invalid", message, variables[0]),
      onSuccess: Option.match({
        onNone: () => Check.skipped(name, `not set (${variables.join(" or ")})`),
        onSome: ({ found, from }) =>
          isOverridden
            ? { ...Check.skipped(name, `${found}, not used: ${tokenVariable} is set`), from }
            : Check.ok(name, found, from),
      }),
    })
  })

const tokenCommand = check(
  "setting tokenCommand",
  [TokenCommandSetting.variable],
  Effect.map(
    TokenCommandSetting.find,
    Option.map(({ from, program }) => ({ found: program, from })),
  ),
)

const authentication = check(
  "setting client authentication",
  [ClientSettings.secretVariable, ClientSettings.assertionVariable],
  Effect.map(
    ClientSettings.findAuthentication,
    Option.map((authentication) =>
      authentication._tag === "Secret"
        ? { found: "a secret", from: ClientSettings.secretVariable }
        : { found: authentication.file, from: ClientSettings.assertionVariable },
    ),
  ),
)

export const checks = Effect.all([tokenCommand, authentication])
