/** Runners during an outage of the database that is longer than their leases; with LARGE_INPUTS, during three. */
import { expect, it } from "@effect/vitest"
import { Status } from "@vigil/health-fleet"
import * as Effect from "effect/Effect"
import { persist } from "./chaosRunners.js"
import { eventually, ground, postgres } from "./ground.js"

/** About twice as many as all runners poll at once. */
const count = 100
const outages = process.env["LARGE_INPUTS"] === undefined ? 1 : 3

it.live(
  "runners take no claim from each other that they made after an outage longer than their leases",
  () =>
    Effect.gen(function* () {
      const { refuse, sql, startProcess, withDatabase } = yield* ground({
        subscriptions: count,
        maxRecordedRequests: 1,
      })
      // Runners hold their claims until the responses.
      yield* refuse(() => Effect.as(Effect.sleep("1 second"), undefined))
      // Counts per subscription the claims of other runners since the server started.
      yield* sql`
        ALTER TABLE vigil_claims ADD COLUMN claimed_at timestamptz, ADD COLUMN taken integer NOT NULL DEFAULT 0`
      yield* sql`
        CREATE FUNCTION count_taken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF OLD.runner <> NEW.runner AND OLD.token IS NOT NULL AND OLD.claimed_at > pg_postmaster_start_time() THEN NEW.taken := OLD.taken + 1; END IF;
          NEW.claimed_at := clock_timestamp();
          RETURN NEW;
        END $$`
      yield* sql`
        CREATE TRIGGER count_taken BEFORE UPDATE ON vigil_claims FOR EACH ROW
        WHEN (OLD.token IS DISTINCT FROM NEW.token AND NEW.token IS NOT NULL) EXECUTE FUNCTION count_taken()`
      const runners = yield* Effect.forEach(["one", "two", "three"], (name) =>
        startProcess(name, { minPeriod: 3_000, maxPeriod: 3_000, lease: 30_000, concurrency: 16 }),
      )
      const signal = (name: NodeJS.Signals) => Effect.forEach(runners, (runner) => runner.signal(name))
      const polled = sql`SELECT FROM vigil_claims WHERE polled_at > pg_postmaster_start_time()`
      const areAllPolled = eventually(persist(polled), ({ length }) => length === count, "5 minutes")
      yield* areAllPolled
      for (let outage = 1; outage <= outages; outage++) {
        // All leases end, and no runner reports before the restart.
        yield* signal("SIGSTOP")
        yield* sql`UPDATE vigil_runners SET alive_until = now()`
        yield* sql`UPDATE vigil_claims SET due_at = now() WHERE token IS NOT NULL`
        yield* Effect.promise(async () => (await postgres()).restart())
        yield* signal("SIGCONT")
        yield* areAllPolled
      }
      expect(yield* sql`SELECT subscription FROM vigil_claims WHERE taken > 0`).toEqual([])
      yield* eventually(
        withDatabase(Status.status),
        ({ runners }) => runners.filter(({ isAlive }) => isAlive).length === 3,
      )
    }),
  1_800_000,
)
