/** Validates the options of a client. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { isHeaderText } from "../Credential.js"
import { InvalidSetting } from "../SettingsError.js"
import type { RetryPolicy } from "../RetryPolicy.js"

interface Values {
  readonly concurrency: number
  readonly maxBodyBytes: number
  readonly rateLimit: { readonly requests: number; readonly per: Duration.Input } | undefined
  readonly retry: RetryPolicy
  readonly timeout: Duration.Duration
  readonly totalTimeout: Duration.Duration
  readonly userAgent: string | undefined
}

export const validate = ({
  rateLimit = { requests: 1, per: 1 },
  userAgent = "-",
  ...values
}: Values): Effect.Effect<void, InvalidSetting> => {
  const per = Duration.toMillis(rateLimit.per)
  const rules: ReadonlyArray<readonly [setting: string, expected: string, isValid: boolean]> = [
    ["concurrency", "1 or more", values.concurrency >= 1],
    ["maxBodyBytes", "0 or more", values.maxBodyBytes >= 0],
    ["rateLimit.requests", "1 or more", rateLimit.requests >= 1],
    ["rateLimit.per", "a duration above 0", per > 0 && per < Infinity],
    ["retry.retries", "0 or more", values.retry.retries >= 0],
    ["retry.budget", "0 or more", values.retry.budget >= 0],
    ["timeout", "a duration above 0", Duration.toMillis(values.timeout) > 0],
    ["totalTimeout", "a duration above 0", Duration.toMillis(values.totalTimeout) > 0],
    ["userAgent", "valid header text", isHeaderText(userAgent)],
  ]
  const broken = rules.find(([, , isValid]) => !isValid)
  return broken === undefined ? Effect.void : new InvalidSetting({ setting: broken[0], expected: broken[1] })
}
