/** Validates the options of a client. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { isHeaderText } from "../Credential.js"
import * as Origin from "../Origin.js"
import { InvalidSetting } from "../SettingsError.js"

interface Values {
  readonly base: URL
  readonly concurrency: number
  readonly isSecret: boolean
  readonly maxBodyBytes: number
  readonly rateLimit: { readonly requests: number; readonly per: Duration.Input } | undefined
  readonly retryBudget: number
  readonly timeout: Duration.Duration
  readonly totalTimeout: Duration.Duration
  readonly trusted: ReadonlyArray<URL>
  readonly userAgent: string | undefined
}

const encrypted = "an https URL, because others could read the credential over plain HTTP"

export const validate = ({
  isSecret,
  rateLimit = { requests: 1, per: 1 },
  userAgent = "-",
  ...values
}: Values): Effect.Effect<void, InvalidSetting> => {
  const per = Duration.toMillis(rateLimit.per)
  const isExposed = (url: URL) => isSecret && Origin.isExposed(url)
  const rules: ReadonlyArray<readonly [setting: string, expected: string, isValid: boolean]> = [
    ["baseUrl", encrypted, !isExposed(values.base)],
    ["trustedOrigins", encrypted, !values.trusted.some(isExposed)],
    ["trustedOrigins", "URLs without a path", values.trusted.every(({ pathname }) => pathname === "/")],
    ["concurrency", "1 or more", values.concurrency >= 1],
    ["maxBodyBytes", "0 or more", values.maxBodyBytes >= 0],
    ["rateLimit.requests", "1 or more", rateLimit.requests >= 1],
    ["rateLimit.per", "a duration above 0", per > 0 && per < Infinity],
    ["retryBudget", "0 or more", values.retryBudget >= 0],
    ["timeout", "a duration above 0", Duration.toMillis(values.timeout) > 0],
    ["totalTimeout", "a duration above 0", Duration.toMillis(values.totalTimeout) > 0],
    ["userAgent", "valid header text", isHeaderText(userAgent)],
  ]
  const broken = rules.find(([, , isValid]) => !isValid)
  return broken === undefined ? Effect.void : new InvalidSetting({ setting: broken[0], expected: broken[1] })
}
