/** What a client may be set to: a limit limits something, and stops not everything. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { isHeaderText } from "../Credential.js"
import { InvalidSetting } from "../SettingsError.js"
import type { RetryPolicy } from "../RetryPolicy.js"

/** The settings that have a wrong side. */
interface Checked {
  readonly concurrency: number
  readonly maxBodyBytes: number
  readonly rateLimit: { readonly requests: number; readonly per: Duration.DurationInput } | undefined
  readonly retry: RetryPolicy
  readonly timeout: Duration.Duration
  readonly totalTimeout: Duration.Duration
  readonly userAgent: string | undefined
}

const isTime = (duration: Duration.Duration) => Duration.greaterThan(duration, Duration.zero)

const isSpan = (duration: Duration.Duration) => isTime(duration) && Duration.isFinite(duration)

/** Fails with the first setting that is on it. */
export const check = (settings: Checked): Effect.Effect<void, InvalidSetting> => {
  const { concurrency, maxBodyBytes, rateLimit, retry, timeout, totalTimeout, userAgent } = settings
  const rules: ReadonlyArray<readonly [setting: string, expected: string, holds: boolean]> = [
    ["concurrency", "a number of 1 or more", concurrency >= 1],
    ["maxBodyBytes", "a number of 0 or more", maxBodyBytes >= 0],
    ["rateLimit.requests", "a number of 1 or more", rateLimit === undefined || rateLimit.requests >= 1],
    ["rateLimit.per", "a time that ends", rateLimit === undefined || isSpan(Duration.decode(rateLimit.per))],
    ["retry.retries", "a number of 0 or more", retry.retries >= 0],
    ["retry.budget", "a number of 0 or more", retry.budget >= 0],
    ["timeout", "a time", isTime(timeout)],
    ["totalTimeout", "a time", isTime(totalTimeout)],
    ["userAgent", "a text that a header may carry", userAgent === undefined || isHeaderText(userAgent)],
  ]
  const broken = rules.find(([, , holds]) => !holds)
  return broken === undefined ? Effect.void : new InvalidSetting({ setting: broken[0], expected: broken[1] })
}
