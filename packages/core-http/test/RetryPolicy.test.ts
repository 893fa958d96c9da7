import { describe, expect, it } from "@effect/vitest"
import { HttpError, RetryPolicy, ServiceError } from "@vigil/core-http"
import * as Duration from "effect/Duration"
import * as FastCheck from "fast-check"
import * as Option from "effect/Option"

/** Durations of every size: zero, nanoseconds, fractions of milliseconds, infinite. */
const duration = FastCheck.oneof(
  FastCheck.nat({ max: 100_000 }).map(Duration.millis),
  FastCheck.double({ min: 0, max: 1e15, noNaN: true }).map(Duration.millis),
  FastCheck.bigInt({ min: 0n, max: 10n ** 20n }).map(Duration.nanos),
  FastCheck.constantFrom(Duration.zero, Duration.infinity, Duration.millis(0.5), Duration.nanos(1n)),
)

const random = FastCheck.oneof(
  FastCheck.double({ min: 0, max: 1, noNaN: true }),
  FastCheck.constantFrom(0, 1, 0.5, Number.MIN_VALUE, 1 - Number.EPSILON),
)

const policy: FastCheck.Arbitrary<RetryPolicy.RetryPolicy> = FastCheck.record({
  retries: FastCheck.oneof(
    FastCheck.nat({ max: 20 }),
    FastCheck.constantFrom(2_000, Number.MAX_SAFE_INTEGER, Infinity),
  ),
  baseDelay: duration,
  maxDelay: duration,
  maxRetryAfter: duration,
  budget: FastCheck.nat({ max: 50 }),
})

const retry = FastCheck.oneof(FastCheck.integer({ min: 1, max: 20 }), FastCheck.constantFrom(64, 1_023, 1_025, 5_000))

const retryAfter = FastCheck.option(duration, { nil: undefined }).map(Option.fromNullishOr)

describe("RetryPolicy.delay", () => {
  it("is at least Retry-After and at most the maximum of the policy", () => {
    FastCheck.assert(
      FastCheck.property(policy, retry, random, retryAfter, (policy, retry, random, retryAfter) => {
        const delay = RetryPolicy.delay(policy, { retry, random, retryAfter })
        if (Option.isNone(delay)) return
        expect(
          Duration.isGreaterThanOrEqualTo(
            delay.value,
            Option.getOrElse(retryAfter, () => Duration.zero),
          ),
        ).toBe(true)
        const most = Duration.max(policy.maxDelay, policy.maxRetryAfter)
        expect(Duration.isLessThanOrEqualTo(delay.value, most)).toBe(true)
      }),
    )
  })

  it("returns None exactly if no retry is left or Retry-After exceeds maxRetryAfter", () => {
    FastCheck.assert(
      FastCheck.property(policy, retry, random, retryAfter, (policy, retry, random, retryAfter) => {
        const delay = RetryPolicy.delay(policy, { retry, random, retryAfter })
        const isTooLong = Option.exists(retryAfter, Duration.isGreaterThan(policy.maxRetryAfter))
        expect(Option.isNone(delay)).toBe(retry > policy.retries || isTooLong)
      }),
    )
  })

  it("without Retry-After, is a random fraction of the exponential delay, capped at maxDelay, in whole milliseconds", () => {
    const whole = FastCheck.nat({ max: 10_000 })
    const few = FastCheck.integer({ min: 1, max: 10 })
    FastCheck.assert(
      FastCheck.property(whole, whole, few, random, (base, most, retry, random) => {
        const policy = RetryPolicy.make({ retries: 10, baseDelay: base, maxDelay: most })
        const delay = RetryPolicy.delay(policy, { retry, random, retryAfter: Option.none() })
        const millis = Option.map(delay, Duration.toMillis)
        expect(Option.getOrThrow(millis)).toBe(Math.floor(Math.min(most, base * 2 ** (retry - 1)) * random))
      }),
    )
  })

  it.each([1_005, 1_023, 1_024, 1_025, 1_075, 100_000, Infinity])("is maxDelay at retry %d", (retry) => {
    for (const [baseDelay, maxDelay] of [
      [Duration.millis(1), Duration.millis(10)],
      [Duration.millis(1), Duration.millis(10.5)],
      [Duration.millis(200), Duration.millis(1_500.5)],
      [Duration.micros(700n), Duration.seconds(1)],
    ] as const) {
      const policy = RetryPolicy.make({ retries: Infinity, baseDelay, maxDelay })
      const delay = RetryPolicy.delay(policy, { retry, random: 1, retryAfter: Option.none() })
      expect(Option.map(delay, Duration.toMillis)).toEqual(Option.some(Math.floor(Duration.toMillis(maxDelay))))
    }
  })
})

describe("RetryPolicy.make", () => {
  it("defaults to the standard policy", () => {
    expect(RetryPolicy.make({})).toEqual(RetryPolicy.standard)
    expect(RetryPolicy.standard).toEqual({
      retries: 3,
      baseDelay: Duration.millis(200),
      maxDelay: Duration.seconds(10),
      maxRetryAfter: Duration.minutes(1),
      budget: 20,
    })
    expect(RetryPolicy.none).toEqual({ ...RetryPolicy.standard, retries: 0 })
  })
})

describe("retryable", () => {
  const call = { service: "thing", operation: "Thing.get" }
  const origin = "https://service.example"

  it("is true for the status codes of temporary failures", () => {
    const retryAfter = Option.none()
    const fields = {
      ...call,
      code: undefined,
      detail: undefined,
      requestId: undefined,
      retryAfter,
      maybeApplied: false,
    }
    const statuses = Array.from({ length: 500 }, (_, n) => n + 100)
    expect(statuses.filter((status) => ServiceError.fromResponse({ ...fields, status }).retryable)).toEqual([
      408, 429, 500, 502, 503, 504,
    ])
  })

  it("is true for timeouts and lost connections", () => {
    const errors = [
      new HttpError.TimeoutError({ ...call, origin, scope: "attempt", limit: Duration.seconds(1) }),
      new HttpError.TransportError({ ...call, origin, code: "ECONNRESET" }),
      new HttpError.CredentialError({ ...call, reason: "timeout" }),
      new HttpError.CredentialError({ ...call, reason: "unavailable" }),
      new HttpError.BodyTooLarge({ ...call, limit: 1 }),
      new HttpError.DecodeError({ ...call, path: "", reason: "is not JSON" }),
      new HttpError.LinkRefused({ ...call, reason: "origin", origin }),
      new HttpError.RedirectRefused({ ...call, reason: "limit", origin, target: undefined }),
    ]
    expect(errors.map(({ retryable }) => retryable)).toEqual([true, true, true, false, false, false, false, false])
  })
})
