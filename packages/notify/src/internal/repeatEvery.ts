/** Checks how often a delivery sends the notifications of open events again. */
import { type InvalidSetting, parseDuration } from "@vigil/core-http/SettingsError"
import * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"

/** At most once a second. `infinity` means never. */
export const parse = (input: Duration.Input = Duration.infinity): Effect.Effect<Duration.Duration, InvalidSetting> =>
  parseDuration(
    input,
    "repeatEvery",
    Duration.isGreaterThanOrEqualTo(Duration.seconds(1)),
    "a duration of 1 second or more",
  )
