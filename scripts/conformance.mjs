/**
 * `pnpm conformance FOLDER`: decodes every response in a folder and shows that nothing was refused and nothing lost.
 * Files are told apart by their names: `events_*` are pages, `event_*` single events, `error_*` error bodies. A page and
 * an event are read as both versions.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { isDeepStrictEqual } from "node:util"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as ErrorResponse from "@vigil/health-schema/ErrorResponse"
import * as EventsPage from "@vigil/health-schema/EventsPage"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
