/** The checks of a service's address: does it answer, is TLS in order, and do its clock and this machine's agree? */
import { TransportError } from "@vigil/core-http/HttpError"
import * as Origin from "@vigil/core-http/Origin"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Failure from "../Failure.js"
import type { Check } from "./Check.js"
import * as Probe from "./Probe.js"

/** The checks, and whether the service can be asked more. */
export interface Connectivity {
  readonly checks: ReadonlyArray<Check>
  readonly isReached: boolean
}

/** How far the clocks may be apart. */
const tolerance = Duration.minutes(5)

const reach = (name: string) => `${name} reachable`
const tls = (name: string) => `${name} TLS`
const clock = (name: string) => `${name} clock`

const skipped = (check: string, found: string): Check => ({ check, result: "skipped", found })

/** TLS with what answered. */
const secured = (name: string, address: URL, { tls: seen }: Probe.Answered): Check => {
  if (seen !== undefined)
    return { check: tls(name), result: "ok", found: `${seen.protocol}, the certificate is valid until ${seen.validTo}` }
  return Origin.isExposed(address)
    ? {
        check: tls(name),
        result: "failed",
        found: "plain http to another machine",
        advice: "Use an address of https: over plain http others can read the token, so that it is not sent.",
      }
    : skipped(tls(name), "none, and none is needed on this machine")
}

/** What the service says that the time is, against this machine's. */
const timed = (name: string, { date }: Probe.Answered): Effect.Effect<Check> =>
  Effect.map(DateTime.now, (now) => {
    const theirs = date === undefined ? Number.NaN : Date.parse(date)
    if (Number.isNaN(theirs)) return skipped(clock(name), "the service does not say what time it is")
    const apart = Duration.millis(Math.abs(DateTime.toEpochMillis(now) - theirs))
    const direction = DateTime.toEpochMillis(now) > theirs ? "ahead of" : "behind"
    // The header is in whole seconds.
    const whole = Duration.seconds(Math.floor(Duration.toSeconds(apart)))
    const found =
      Duration.toSeconds(whole) < 2 ? "as the service's" : `${Duration.format(whole)} ${direction} the service's`
    return Duration.greaterThan(apart, tolerance)
      ? {
          check: clock(name),
          result: "warning",
          found,
          advice: "Set this machine's clock: the end of a token, and TLS, go by it.",
        }
      : { check: clock(name), result: "ok", found }
  })

const unanswered = (name: string, { origin }: URL, { code, isTls }: Probe.Unanswered): ReadonlyArray<Check> =>
  isTls
    ? [
        { check: reach(name), result: "ok", found: `${origin} answers` },
        {
          check: tls(name),
          result: "failed",
          found: `failed (${code ?? "unknown reason"})`,
          advice:
            "Check the address and this machine's clock. For a certificate authority of your own, set NODE_EXTRA_CA_CERTS to its file.",
        },
        skipped(clock(name), "no answer"),
      ]
    : [
        {
          check: reach(name),
          result: "failed",
          found: "no answer",
          advice: Failure.plain(new TransportError({ service: name, operation: "Doctor.reach", origin, code })),
        },
        skipped(tls(name), "no answer"),
        skipped(clock(name), "no answer"),
      ]

/** Knocks at the address of a service. */
export const of = (name: string, address: string): Effect.Effect<Connectivity> =>
  Either.match(Origin.parseBase(address), {
    onLeft: ({ message }) =>
      Effect.succeed({
        isReached: false,
        checks: [{ check: reach(name), result: "failed", found: "the address is none", advice: message }],
      }),
    onRight: (url) =>
      Effect.matchEffect(Probe.knock(url), {
        onFailure: (failed) => Effect.succeed({ isReached: false, checks: unanswered(name, url, failed) }),
        onSuccess: (answered) =>
          Effect.map(timed(name, answered), (clock): Connectivity => {
            const tls = secured(name, url, answered)
            return {
              isReached: tls.result !== "failed",
              checks: [{ check: reach(name), result: "ok", found: `${url.origin} answers` }, tls, clock],
            }
          }),
      }),
  })
