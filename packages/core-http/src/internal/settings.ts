/** Checks the options of a client. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { isHeaderText } from "../Credential.js"
import { InvalidSetting } from "../SettingsError.js"
import type { RetryPolicy } from "../RetryPolicy.js"

interface Checked {
  readonly concurrency: number
  readonly maxBodyBytes: number
  readonly rateLimit: { readonly requests: number; readonly per: Duration.DurationInput } | undefined
  readonly retry: RetryPolicy
  readonly timeout: Duration.Duration
  readonly totalTimeout: Duration.Duration
  readonly userAgent: string | undefined
}

/** Fails with the first invalid option. */
export const check = ({
  concurrency,
  maxBodyBytes,
  rateLimit = { requests: 1, per: 1 },
  retry,
  timeout,
  totalTimeout,
  userAgent = "-",
}: Checked): Effect.Effect<void, InvalidSetting> => {
  const per = Duration.toMillis(rateLimit.per)
  const rules: ReadonlyArray<readonly [setting: string, expected: string, isValid: boolean]> = [
    ["concurrency", "1 or more", concurrency >= 1],
    ["maxBodyBytes", "0 or more", maxBodyBytes >= 0],
    ["rateLimit.requests", "1 or more", rateLimit.requests >= 1],
    ["rateLimit.per", "a time above 0", per > 0 && per < Infinity],
    ["retry.retries", "0 or more", retry.retries >= 0],
    ["retry.budget", "0 or more", retry.budget >= 0],
    ["timeout", "a time above 0", Duration.toMillis(timeout) > 0],
    ["totalTimeout", "a time above 0", Duration.toMillis(totalTimeout) > 0],
    ["userAgent", "text that a header can carry", isHeaderText(userAgent)],
  ]
  const [setting, expected] = rules.find(([, , isValid]) => !isValid) ?? []
  return setting === undefined || expected === undefined ? Effect.void : new InvalidSetting({ setting, expected })
}
